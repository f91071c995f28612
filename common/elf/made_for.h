/* The machine, C library and system that something was compiled or linked for, as far as that tells by
 * itself. */
#ifndef ELF_MADE_FOR_H
#define ELF_MADE_FOR_H

#include "base/arena.h"
#include "base/text.h"
#include "elf/image.h"

/* In words for people and programs; empty: not told. */
struct made_for {
    struct slice machine;   /* as rustc's targets are called: "x86_64", "powerpc64 (little-endian)" */
    struct slice c_library; /* of Linux: "glibc", "musl", "bionic" (Android's) */
    struct slice system;    /* "Linux", "Windows"; ELF files do not tell it */
};

/*
 * A program's C library is told by the loader that it names, by the note that each program of glibc's begins
 * with, statically linked or not, and by a function that all of musl's do; a shared library's, and that of a
 * program whose loader has another name, by the libraries that it needs. Objects tell none.
 */
void made_for_read(struct arena *arena, struct image *image, struct made_for *out);

/* As rustc and LLVM call it: "riscv64gc-unknown-linux-gnu". False for a machine that is not known. */
bool made_for_read_triple(struct slice triple, struct made_for *out);

/* Whether the two are surely not alike. */
bool made_for_differ(const struct made_for *one, const struct made_for *other);

/* "x86_64 with musl", "aarch64 for Windows", or "aarch64" where nothing tells more. */
void made_for_add(struct text *text, const struct made_for *made_for);

#endif

/* The machine and C library that a file was linked for, as far as the file itself tells. */
#ifndef ELF_MADE_FOR_H
#define ELF_MADE_FOR_H

#include "base/text.h"
#include "elf/image.h"

enum c_library { C_LIBRARY_UNTOLD, C_LIBRARY_GLIBC, C_LIBRARY_MUSL };

struct made_for {
    uint16_t machine; /* EM_* */
    unsigned address_bytes;
    bool big_endian;
    enum c_library c_library; /* of programs; of libraries and objects nothing tells it */
};

/*
 * A program's C library is told by the loader that it names, by the note that each program of glibc's begins
 * with, statically linked or not, and by a function that all of musl's do. One without these is UNTOLD.
 */
void made_for_read(struct image *image, struct made_for *out);

/* Whether the two are surely not alike. */
bool made_for_differ(const struct made_for *one, const struct made_for *other);

/* "x86_64 with musl", or "aarch64" where nothing tells the library. */
void made_for_add(struct text *text, const struct made_for *made_for);

#endif

/*
 * The symbols of an ELF file that stand for a place in one of its sections, in the order
 * of their places. Types and bindings are those of <elf.h> (gABI, "Symbol Table").
 */
#ifndef ELF_SYMBOLS_H
#define ELF_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/places.h"
#include "base/slice.h"
#include "elf/image.h"

#define SYMBOL_NO_UNIT UINT32_MAX

struct elf_symbol {
    struct slice name;   /* lives as long as the image and the symbols; empty when no table holds it */
    uint64_t svma;       /* in object files an offset into the section, unless they were
                            linked alone (elf/link_alone.h); of STT_TLS into the thread's block */
    uint64_t size_bytes; /* 0 when unknown; may run past the section */
    uint32_t section;    /* index of the section; always one of the image's */
    uint32_t unit;       /* of a local symbol: which of `units` it stands under; else SYMBOL_NO_UNIT */
    uint8_t type;        /* STT_* */
    uint8_t binding;     /* STB_*; linkers make what is hidden local */
    uint8_t visibility;  /* STV_*; local labels have the default one */
};

enum symbols_source {
    SYMBOLS_NONE,      /* the file has no symbol table */
    SYMBOLS_DYNAMIC,   /* .dynsym: only what other files see; the file was stripped */
    SYMBOLS_FUNCTIONS, /* that, and of .gnu_debugdata the other functions */
    SYMBOLS_FULL,      /* .symtab */
};

struct symbols {
    struct elf_symbol *items; /* owned; by section, svma, and place in the table */
    size_t count;
    struct slice *units; /* owned; STT_FILE names in table order, as rustc's "CRATE.HASH-cgu.N" */
    size_t unit_count;
    size_t damaged_count; /* entries left out or nameless because they point outside the file's tables */
    enum symbols_source source;
    struct section_parts *name_parts; /* owned; NULL where all names were read */
    struct mini_debug *mini;          /* owned: .gnu_debugdata; NULL where it was not read */
    struct error mini_problem;        /* why it could not be; kind ERROR_NONE: it could, or there is none */
};

/*
 * Reads .symtab or, where there is none, .dynsym and the functions of .gnu_debugdata. Symbols that are
 * undefined, absolute or common are left out. ARM's Thumb bit is taken off addresses of functions; functions
 * that a big-endian 64-bit PowerPC file describes in .opd stand at their code (ELFv1 ABI, §3.2.2).
 *
 * Returns 0, or -1 with ERROR_FORMAT when the table cannot be read as one (entries of a wrong size, no
 * string table) and ERROR_IO when the file cannot be read; `out` is untouched then,
 * and is to be released with symbols_done otherwise.
 */
MUST_CHECK int symbols_read(struct image *image, struct symbols *out, struct error *err);

/*
 * Reads of those symbols only what tells what the code at the `wanted` addresses is: the functions, objects
 * and labels that enclose one of them, the last ones that start before it, and all labels. Of a large file it
 * takes a fraction of the time. Of .gnu_debugdata all are read. There are no units. Returns as symbols_read
 * does.
 */
MUST_CHECK int symbols_read_around(struct image *image, const struct places *wanted, struct symbols *out,
                                   struct error *err);

/*
 * Makes symbols that were read from one file those of another one of the same build, as a program is of its
 * debug file: sections are the same that have one name and address; symbols in any other are left out.
 */
void symbols_move(struct symbols *symbols, const struct image *from, const struct image *to);

/* "memcpy" of "memcpy@@GLIBC_2.14", as linkers write it into full symbol tables. */
struct slice symbols_without_version(struct slice name);

/* Whether they name every function of the file, not only those that other files see. */
bool symbols_name_all_functions(const struct symbols *symbols);

void symbols_done(struct symbols *symbols);

#endif

/*
 * The section table of an ELF file, the same for 32 and 64 bit and both byte orders.
 * Types and flags are those of <elf.h> (ELF gABI, chapter 4 "Sections").
 */
#ifndef ELF_SECTIONS_H
#define ELF_SECTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"

struct section {
    struct slice name;     /* lives as long as the image; empty when the name table does not reach it */
    uint64_t flags;        /* SHF_* */
    uint64_t svma;         /* 0 in object files and for what is not loaded */
    uint64_t file_offset;  /* file_offset + file_bytes is within the file */
    uint64_t file_bytes;   /* 0 for SHT_NOBITS and SHT_NULL */
    uint64_t memory_bytes; /* 0 unless SHF_ALLOC */
    uint64_t alignment;    /* at least 1; as the file says, so not always a power of two */
    uint64_t entry_bytes;  /* of tables; may be 0 */
    uint32_t index;        /* its own place in the table */
    uint32_t type;         /* SHT_* */
    uint32_t link;         /* another section's index, or anything: check before use */
    uint32_t info;
};

/* All of a file's sections; items[0] is the reserved empty one. A file may have none at all. */
struct sections {
    const struct section *items;
    size_t count;
};

/* The first section of that name, or NULL. */
const struct section *sections_find(const struct sections *sections, struct slice name);

/* The first section of that type (SHT_*), or NULL. */
const struct section *sections_find_type(const struct sections *sections, uint32_t type);

/*
 * What sections of an object that hold one thing each are together: ".text" of ".text.main". Compilers give
 * each function and constant a section of its own. Other names are what they are.
 */
struct slice section_family(struct slice name);

/* Whether it is a packed table of relative relocations: SHT_RELR, or Android's number for the same format. */
bool section_is_relative_table(const struct section *section);

/* Whether it is loaded, executable and its bytes are in the file. */
bool section_is_code(const struct section *section);

/* Whether it is of a linker's stubs, which have no symbols: a procedure linkage table. */
bool section_is_of_stubs(const struct section *section);

/* The section of code that holds the address, or NULL. */
const struct section *sections_code_at(const struct sections *sections, uint64_t svma);

/* The addresses between the first and the last byte of executable sections; empty (end 0) without any. */
struct code_bounds {
    uint64_t start; /* svma */
    uint64_t end;   /* past the last byte */
};

/* Also in files of debug information alone, whose code sections have no bytes of their own. */
struct code_bounds sections_code_bounds(const struct sections *sections);

/*
 * Whether `start` up to `end` can be code of the file. Linkers leave the debug information of functions that
 * they dropped in place, with addresses such as 0 or -1.
 */
bool code_bounds_hold(const struct code_bounds *bounds, uint64_t start, uint64_t end);

#endif

/*
 * What refers to what in a file that is linked, be it alone (elf/link_alone.h): code to data, found by
 * disassembly, and data to data and code, found through relocations.
 */
#ifndef ACCOUNT_REFERENCES_H
#define ACCOUNT_REFERENCES_H

#include "code/disassemble.h"
#include "elf/relocations.h"
#include "elf/symbols.h"
#include "size/code_map.h"

/* An address in data; whatever is at its target is referred to by what is at its place. */
struct pointer {
    uint64_t place_svma;
    uint64_t target_svma;
};

struct pointers {
    VEC(struct pointer) items; /* by place */
};

/* Zero-initialised is none. */
struct references {
    struct code_references code;    /* by place */
    struct relocations relocations; /* of all tables */
    struct pointers pointers;       /* of a file with fixed addresses: words of data that may be addresses */
    VEC(uint64_t) starts;           /* where things start that are referred to; strictly rising */
    bool knows_machine;             /* false: code could not be read, relocations alone tell */
};

/*
 * Whether the section holds data that code refers to: loaded, with bytes in the file, and none of the tables
 * for the loader and for unwinding.
 */
bool references_is_data(const struct section *section);

/*
 * Finds the references of the code in the map, padding left out, and those of relocations. A file that is
 * linked for fixed addresses needs no relocations: there numbers in instructions and whole words of data are
 * taken for addresses when they are ones of the file, and kept apart, as they may be mere numbers. Of tables
 * with a symbol whose entries are plainly numbers none is taken.
 *
 * Returns 0, or -1 with `out` untouched: ERROR_IO when the file cannot be read, ERROR_MISSING as of
 * disassemble_references. To be released with references_done.
 */
MUST_CHECK int references_find(struct image *image, const struct symbols *symbols, const struct code_map *map,
                               struct references *out, struct error *err);

void references_done(struct references *references);

#endif

/* The functions of built code with their bytes of .text, and the crate whose codegen units hold each. */
#ifndef SIZES_CODE_SIZES_H
#define SIZES_CODE_SIZES_H

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"
#include "rust/symbol_path.h"

/* One place in the code. Strings are in the arena. */
struct sized_function {
    struct slice symbol; /* the name to show, of several that the linker folded */
    uint64_t size_bytes; /* never 0 */
    /* No name when nobody knows, the number 0 when names alone tell. */
    struct symbol_crate holder;
};

/* Zero-initialised is empty. functions + padding + unnamed = total. */
struct code_sizes {
    struct arena arena;
    VEC(struct sized_function) functions;
    VEC(const char *) paths; /* of what was read */
    uint64_t total_bytes;
    uint64_t padding_bytes;
    uint64_t unnamed_bytes;
};

/*
 * Adds the code of a linked file, an object, or the objects of an archive. `holder` is the crate that all of
 * it is of; NULL where debug information, symbols and names are to tell. Returns 0, or -1: as of
 * images_visit and code_map_build; ERROR_MISSING when it was stripped of its symbols, or is an archive that
 * holds bitcode in place of code, as with LTO. `out` is to be given to code_sizes_done either way.
 */
MUST_CHECK int code_sizes_read(const char *path, const struct symbol_crate *holder, struct code_sizes *out,
                               struct error *err);

void code_sizes_done(struct code_sizes *sizes);

#endif

/*
 * Whose code a function is in the sense of who pays for it: the crate whose codegen unit holds the code. A
 * generic is paid for by the crate that instantiated it, C code by the crate that built it.
 */
#ifndef SIZE_USED_USED_H
#define SIZE_USED_USED_H

#include "dwarf/debug_info.h"
#include "size/build_package.h"
#include "size/code_map.h"
#include "size/crates.h"
#include "size/std_copies.h"

struct unit_crates; /* of size/unit_crates.h */

/* How the crate is known, the surest first. */
enum used_source {
    USED_UNKNOWN,
    USED_FROM_UNIT,        /* the compile unit in debug information that covers the address */
    USED_FROM_SUFFIX,      /* a name that says who compiled it: v0 ones most at their end */
    USED_FROM_FILE_SYMBOL, /* the STT_FILE symbol before the Rust function's names its codegen unit */
    USED_FROM_RLIB, /* only one library of the build defines the symbol, or names what is local to it */
    USED_INFERRED,  /* from the name alone: the crate that has the source */
};

/* Bytes of one function or of a part of it. */
struct used {
    uint32_t crate; /* index, or SIZE_NO_CRATE */
    enum used_source source;
};

struct used_request {
    const struct code_map *map;
    const struct symbols *symbols;
    struct debug_info *debug;             /* line tables are read if they are needed; NULL: there is none */
    const struct build_package *packages; /* of this build, NULL when it is not known */
    size_t package_count;
    bool is_other_build;                   /* the packages are of another build, mostly of the same crates */
    const struct unit_crates *unit_crates; /* of the file; NULL: found from what is here */
    struct std_copies *std;    /* that has seen all of the program; NULL: made from the map alone */
    bool is_object;            /* not linked: one unit of one crate, if not merged */
    bool is_merged;            /* an object, but LTO has made one unit of all crates */
    bool is_beside_builtins;   /* an object of an archive that has units of compiler_builtins, too */
    struct crate_fact library; /* of an object: whose library it is in; without a name when not known */
};

/* The compile units of its debug information; NULL without. */
const struct units *used_units(const struct used_request *request);

/*
 * Finds the crate of each function of the map; `out`, of map->functions.count items, is filled by index, and
 * crates are added to `crates`. Never fails: libraries that cannot be read tell nothing.
 */
void used_find(const struct used_request *request, struct size_crates *crates, struct used *out);

#endif

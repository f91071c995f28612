/* The work on one file, as `used` and `used_inferred` see it; nobody else does. */
#ifndef SIZE_USED_FINDER_H
#define SIZE_USED_FINDER_H

#include "rust/symbol_path.h"
#include "size/crate_paths.h"
#include "size/unit_crates.h"
#include "size/used/used.h"

struct used_finder {
    const struct used_request *request;
    struct size_crates *crates;
    struct used *out;
    const struct unit_crates *unit_crates; /* borrowed */
    uint32_t *of_file_symbol; /* owned; crate of each STT_FILE symbol; SIZE_NO_CRATE: tells nothing */
    uint32_t last;            /* the crate that LTO made one unit of the program for; SIZE_NO_CRATE: none */
    uint32_t exporting;       /* the crate whose shared library the file is; SIZE_NO_CRATE: it is none */
    uint32_t program;         /* the crate whose program the file is; likewise */
    struct std_copies *std;   /* borrowed */
    struct crate_paths paths; /* of crates whose names do not tell them apart */
    VEC(uint32_t) generic;    /* crates whose libraries define nothing: others make what is of them */
    struct symbol symbol;     /* scratch */
    struct text text;         /* scratch */
};

/* The crate that the name which was parsed last shows; inferred where it may be std's or another. */
struct used used_finder_of_symbol(struct used_finder *finder, struct symbol_crate crate,
                                  enum used_source source);

/* The crate that was compiled last, and has made what no library has; SIZE_NO_CRATE where it is not known. */
uint32_t used_finder_last(const struct used_finder *finder);

#endif

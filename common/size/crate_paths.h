/*
 * Which of several crates of one name a legacy name is of. Such names tell no version, but the modules and
 * functions around a function do, where the library of one version alone has symbols in them.
 */
#ifndef SIZE_CRATE_PATHS_H
#define SIZE_CRATE_PATHS_H

#include "rust/symbol.h"
#include "size/crates.h"

/* Zero-initialised is empty. */
struct crate_paths {
    struct intern paths;   /* of modules and functions, "rand_chacha::guts::refill_wide" */
    VEC(uint32_t) of_path; /* by path: the crate; SIZE_NO_CRATE: several have it */
    struct text path;      /* scratch */
};

/* Notes where the function stands that the library of a crate defines; names that tell no path are left out.
 */
void crate_paths_add(struct crate_paths *paths, struct symbol *symbol, uint32_t crate);

/* The same of all symbols in the index of a library. One that cannot be read tells nothing. */
void crate_paths_read(struct crate_paths *paths, const char *rlib, uint32_t crate);

/*
 * The crate of the innermost path around the function that is known, or SIZE_NO_CRATE where several crates
 * have that one, or none has any. It may have another name than the one that the symbol shows.
 */
uint32_t crate_paths_find(struct crate_paths *paths, struct symbol *symbol);

void crate_paths_done(struct crate_paths *paths);

#endif

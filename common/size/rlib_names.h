/*
 * Which library of a build has a name anywhere in its object code or bitcode, also of functions that its
 * index does not list: of bitcode it lists none, and what is local to the crate that made it is in no index.
 * A legacy name ends in a hash of 64 bits (rustc_symbol_mangling's legacy.rs) that no other function has. A
 * v0 name tells where it ends ("Rust Symbol Name Mangling v0"): only the crate that made an instance may
 * follow.
 */
#ifndef SIZE_RLIB_NAMES_H
#define SIZE_RLIB_NAMES_H

#include "base/intern.h"
#include "rust/symbol.h"
#include "size/crates.h"

/* Names asked for. Zero-initialised is empty. */
struct rlib_names {
    struct intern hashes;    /* of legacy names, and whole v0 names */
    VEC(struct slice) names; /* by these, borrowed; a legacy one up to the hash's end */
    VEC(uint32_t) crates;    /* that have it; SIZE_NO_CRATE: none so far */
    VEC(bool) are_several;
    struct intern paths; /* the names without their hashes */
    struct intern crate_names;
    VEC(uint32_t) owners; /* by path: the name of the crate that defines the function */
    VEC(bool) has_own;    /* by path: a library that was compared has a function of its crate's own there */
    size_t longest_bytes;
    VEC(struct slice) v0; /* names of that kind, */
    bool is_sorted;       /* in their order from the first library on */
    struct slice own;     /* the crate whose library is compared; empty: none is */
    bool has_name;        /* that one has one of the names that begin so */
    bool has_path;        /* or one of the paths, with another hash */
    struct symbol symbol; /* scratch */
};

/* Adds a name to ask for, before the first library is read; of another kind it is let pass. */
void rlib_names_want(struct rlib_names *names, struct slice symbol);

/* Looks through the members of rustc's of a library, whose crate is given. False when it cannot be read. */
bool rlib_names_read(struct rlib_names *names, const char *path, uint32_t crate);

/*
 * The same where the names are of a file that may be of an earlier or later build. `*is_other`: the library
 * is not that which the file was made of, as the crate has another version, features or place: of functions
 * of the crate's own, which is called `name`, it has none of those asked for, but some that differ in the
 * hash alone.
 */
bool rlib_names_compare(struct rlib_names *names, const char *path, uint32_t crate, struct slice name,
                        bool *is_other);

/* False when the name was not asked for, or several crates have it; `*crate` is SIZE_NO_CRATE when none has.
 */
bool rlib_names_find(struct rlib_names *names, struct slice symbol, uint32_t *crate);

/* Whether a library that was compared has a function of its crate's own that differs in the hash at most. */
bool rlib_names_has_path(struct rlib_names *names, struct slice symbol);

void rlib_names_done(struct rlib_names *names);

#endif

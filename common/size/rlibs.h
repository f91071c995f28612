/* What the libraries of a build (rlibs) tell: which of them defines a symbol, which crate each is of. */
#ifndef SIZE_RLIBS_H
#define SIZE_RLIBS_H

#include "size/crates.h"

/* Symbols asked for, and the crates whose libraries define them. Zero-initialised is empty. */
struct rlib_owners {
    struct intern names;
    VEC(uint32_t) of_name; /* by name; SIZE_NO_CRATE: none so far */
    struct intern files;   /* names of C objects without their ending */
    VEC(uint32_t) of_file;
    VEC(bool) name_is_shared; /* by name: several libraries define it, so that none tells */
    VEC(bool) file_is_shared;
};

/* Adds a symbol to ask for, before the first library is read. */
void rlib_owners_want(struct rlib_owners *owners, struct slice symbol);

/*
 * Reads the index of a library, whose crate is given. One that cannot be read tells nothing. False when it
 * was read and defines nothing: all code of such a crate are instances, which others make.
 */
bool rlib_owners_read(struct rlib_owners *owners, const char *path, uint32_t crate);

/*
 * Likewise of a library that is linked behind all that were read before, as the C library is: the linker
 * takes nothing from it that these define.
 */
void rlib_owners_read_behind(struct rlib_owners *owners, const char *path, uint32_t crate);

/* The crate of the only library that defines the symbol, or SIZE_NO_CRATE. */
uint32_t rlib_owners_find(const struct rlib_owners *owners, struct slice symbol);

/* The crate of the only library that holds an object of this C source, "zstd_compress.c". */
uint32_t rlib_owners_find_file(const struct rlib_owners *owners, struct slice source);

void rlib_owners_done(struct rlib_owners *owners);

/* Whether a member's name is that of object code of another compiler than rustc. */
bool rlib_member_is_foreign(struct slice member);

/*
 * What the name of such a member and that of its source have in common: "zstd_compress" of
 * "0123456789abcdef-zstd_compress.o", as the cc crate names objects, and "zstd_compress.c".
 */
struct slice rlib_source_stem(struct slice name);

/* The crate that a member's name tells, as rustc names objects; false for others. Borrowed from the name. */
bool rlib_member_crate(struct slice member, struct crate_fact *out);

/*
 * The hash of the library's crate, which has this name: by the names of its objects or, where an incremental
 * build names them otherwise, by its symbols. False when it cannot be read, or nothing in it tells.
 */
bool rlib_find_hash(const char *path, struct slice name, uint64_t *hash);

/* Adds the crate of a library with its hash, if that is found: `fact` has none yet. */
void rlib_add_crate(const char *path, const struct crate_fact *fact, struct size_crates *crates);

#endif

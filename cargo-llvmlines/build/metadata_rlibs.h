/*
 * Libraries that hold metadata alone. rustc before 1.87 compiles what is to be linked (a program, a test, a
 * cdylib) only where all crates that it needs are there as libraries, even if nothing but IR is asked for;
 * `cargo check` makes metadata. As nothing is linked, an archive of that metadata is library enough.
 */
#ifndef BUILD_METADATA_RLIBS_H
#define BUILD_METADATA_RLIBS_H

#include "build/rustc_args.h"

/*
 * Whether the compiler is one of those. `words` is what it is started with, up to the first argument for
 * itself; one that does not tell its version is taken for a newer one.
 */
bool metadata_rlibs_are_needed(const struct rustc_unit *unit, char *const *words);

/*
 * Makes libCRATE-HASH.rlib beside each libCRATE-HASH.rmeta that the unit may read, unless it is there.
 * Returns 0, or -1 with ERROR_IO.
 */
MUST_CHECK int metadata_rlibs_make(const struct rustc_unit *unit, struct error *err);

/* The arguments that name these libraries to the compiler, beside those that name the metadata. In `arena`.
 */
const char *const *metadata_rlibs_arguments(const struct rustc_unit *unit, struct arena *arena,
                                            size_t *count);

#endif

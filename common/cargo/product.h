/*
 * What the path of a file tells of the build it is from: cargo puts what it makes at
 * TARGET_DIRECTORY/[TRIPLE/]PROFILE/[examples/|deps/]NAME and
 * libNAME.so, .dylib or .a (the Cargo book, "Build cache").
 */
#ifndef CARGO_PRODUCT_H
#define CARGO_PRODUCT_H

#include <stdbool.h>

#include "base/arena.h"
#include "cargo/target.h"

/* Strings are the arena's. */
struct cargo_product {
    const char *profile; /* as --profile takes it: "dev" for the folder debug */
    const char *triple;  /* as --target takes it; NULL when it was not given */
    enum cargo_kind
        kind; /* CARGO_BIN or CARGO_EXAMPLE, if `name` is that of a program; CARGO_LIB; else CARGO_OTHER */
    const char *name;     /* of the file; of CARGO_LIB the crate's, with '_': "app" of libapp.so */
    unsigned crate_types; /* of CARGO_LIB: which it may be, bits of enum cargo_crate_type */
};

/* The folder of the target directory that cargo builds the profile to: "debug" for "dev". */
const char *cargo_product_folder(const char *profile);

/*
 * Whether the file stands where cargo puts what it builds, below a folder that cargo has marked as a target
 * directory; sets `out` if so. The nearest such folder counts.
 */
bool cargo_product_find(struct arena *arena, const char *path, struct cargo_product *out);

/*
 * The same where the target directory is known: who made it, and which links lead there, is all one. What
 * stands in a marked folder below it is not of that directory.
 */
bool cargo_product_find_in(struct arena *arena, const char *path, const char *directory,
                           struct cargo_product *out);

#endif

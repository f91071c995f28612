/* A target of a package, as `cargo metadata` and the messages of `cargo build` both describe it. */
#ifndef CARGO_TARGET_H
#define CARGO_TARGET_H

#include "base/arena.h"
#include "base/error.h"
#include "base/slice.h"
#include "json/json_in.h"

enum cargo_kind {
    CARGO_LIB,
    CARGO_BIN,
    CARGO_EXAMPLE,
    CARGO_TEST,
    CARGO_BENCH,
    CARGO_PROC_MACRO,
    CARGO_BUILD_SCRIPT,
    CARGO_OTHER, /* what a later cargo may bring */
};

/* Bits of cargo_target.crate_types. */
enum cargo_crate_type {
    CARGO_TYPE_BIN = 1,
    CARGO_TYPE_LIB = 2, /* "lib" and "rlib" */
    CARGO_TYPE_DYLIB = 4,
    CARGO_TYPE_CDYLIB = 8,
    CARGO_TYPE_STATICLIB = 16,
    CARGO_TYPE_PROC_MACRO = 32,
};

struct cargo_names {
    const struct slice *items;
    size_t count;
};

struct cargo_target {
    struct slice name;
    enum cargo_kind kind;
    unsigned crate_types;
    struct cargo_names required_features;
};

/* The option that selects one target of this kind: "bin", "example"; "lib" takes no name. NULL for others. */
const char *cargo_kind_option(enum cargo_kind kind);

/* Whether a program or a shared library comes out: something that is linked, with code to look at. */
bool cargo_target_is_linked(const struct cargo_target *target);

/* Whether that, or a package's static library, which is made for other linkers. */
bool cargo_target_is_final(const struct cargo_target *target);

/* Whether what comes out can be run by itself. */
bool cargo_target_is_program(const struct cargo_target *target);

/*
 * Reads {"name", "kind", "crate_types", "required-features"}. Names are the document's, arrays the
 * arena's. Returns 0, or -1 with ERROR_FORMAT naming the member that is not of this form.
 */
MUST_CHECK int cargo_target_parse(struct arena *arena, const struct json_value *value,
                                  struct cargo_target *out, struct error *err);

/* Reads an array of strings. Failures as above. */
MUST_CHECK int cargo_names_parse(struct arena *arena, const struct json_value *array, struct cargo_names *out,
                                 struct error *err);

#endif

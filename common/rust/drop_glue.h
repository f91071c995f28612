/*
 * Drop glue: the function that the compiler makes for a type to drop its values. It was
 * core::ptr::drop_in_place itself; rustc 1.97 calls it core::ptr::drop_glue, and core::ptr::drop_in_place is
 * a function that calls it. Here all of these are one thing, in keys and comparisons by the older name.
 */
#ifndef RUST_DROP_GLUE_H
#define RUST_DROP_GLUE_H

#include <stddef.h>

#include "base/error.h"
#include "base/regex.h"
#include "base/slice.h"

#define DROP_GLUE_KEY "core::ptr::drop_in_place"

/*
 * The bytes of the path at the start of a demangled name or a key, in either form: "core::ptr::drop_glue" of
 * "core::ptr::drop_glue::<Foo>", "core[1f2e]::ptr::drop_glue" of that alone; 0 for names of other functions.
 */
size_t drop_glue_path_length(struct slice name);

/*
 * "Foo" of a demangled name (DEMANGLE_SHORT) "core::ptr::drop_in_place::<Foo>" or, as legacy names have it,
 * "core::ptr::drop_in_place<Foo>"; empty for other names. Points into the name.
 */
struct slice dropped_type(struct slice name);

/* What a user means who types the last parts of the newer name, "drop_glue": DROP_GLUE_KEY; others as typed.
 */
struct slice drop_glue_as_key(struct slice typed);

/*
 * Whether the expression matches a demangled name or, where that has the newer path, the name by the older
 * one: what people have always typed finds the drop glue of all compilers. Results as of regex_matches.
 */
MUST_CHECK int drop_glue_matches(const struct regex *regex, struct slice name, struct error *err);

#endif

/*
 * The structure of a legacy Rust name, read back from its decoded text: legacy elements
 * hold whole types as text ("_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$…").
 */
#ifndef RUST_LEGACY_PATH_H
#define RUST_LEGACY_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/slice.h"
#include "rust/symbol.h"

enum legacy_form {
    LEGACY_PLAIN,     /* a::b::c */
    LEGACY_QUALIFIED, /* <T>::m, <T as Trait>::m */
    LEGACY_IMPL,      /* a::b::<impl T>::m, a::b::<impl Trait for T>::m */
};

/* All slices are of the decoded text. */
struct legacy_path {
    enum legacy_form form;
    struct slice before; /* plain: all of it; impl: "a::b" */
    struct slice self;
    struct slice trait; /* empty when there is none */
    struct slice after; /* "::m"; empty for plain ones */
};

/* Decodes the name, which must be a legacy one, into its scratch text and reads it. */
struct legacy_path legacy_path_of(struct symbol *symbol);

/* Reads a decoded path, which may stand inside another. */
struct legacy_path legacy_path_read(struct slice text);

/*
 * Offset of the first `wanted` outside all brackets, or text.length when there is none. The
 * ">" of "->", which is ".>" in legacy names, is no bracket.
 */
size_t legacy_find_outside(struct slice text, struct slice wanted);

/* "::" and a component, with the arguments in it; false at the end. */
bool legacy_next_component(struct slice *path, struct slice *component);

/* A path or component up to its "<". */
struct slice legacy_without_arguments(struct slice path);

/*
 * The path that `type` is known by, "alloc::vec::Vec<T>", "<A as B>::m::C": through references, and with
 * `through_all` also pointers, slices, arrays, tuples and dyn. Empty for what has no path:
 * parameters and primitive types.
 */
struct slice legacy_type_path(struct slice type, bool through_all);

/* The first component of a path that has more than one; empty otherwise. */
struct slice legacy_crate_of(struct slice path);

#endif

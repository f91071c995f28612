/* What all instances of one generic function have in common, as text to group by. */
#ifndef RUST_SYMBOL_KEY_H
#define RUST_SYMBOL_KEY_H

#include "base/text.h"
#include "rust/symbol.h"

enum symbol_key {
    /*
     * Two names have the same exactly when they are instances of one function, as far as
     * the mangling tells. v0: the path with crate hashes, and for an impl its own path,
     * disambiguator and trait instead of self type; no generic arguments:
     * "alloc[1f2e]::vec::<impl#7 core[3d4c]::clone::Clone>::clone". Legacy: the short text
     * without the function's own arguments; the impl's stand in it as they are declared.
     */
    SYMBOL_KEY_EXACT,
    /* The same, but for closures and shims: all those of one function have one, "a[1f2e]::f::{closure}". */
    SYMBOL_KEY_MERGED,
    /*
     * The same for a legacy and a v0 build of the same code and from release to release, as
     * far as legacy names allow; also short enough to show: no hashes, disambiguators or
     * arguments. "<alloc::vec::Vec as core::clone::Clone>::clone", "alloc::vec::Vec::push",
     * "core::fmt::num::<impl core::fmt::Debug for i8>::fmt", "a::f::{closure}". An impl beside its
     * trait and away from its self type is "<_ as core::convert::Into>::into", as its self
     * type may be a parameter. One away from both has its self type where its trait is of another
     * crate, so that it can be no parameter, "a::m::<impl core::fmt::Debug for a::n::T>::fmt", and where it
     * is a primitive one. Merges what differs in dropped parts alone. The two manglings disagree in two
     * cases: a legacy name whose self type and trait are of one crate but not of one module keeps the self
     * type; and a blanket impl away from its trait is "for i8" in v0 names of such instances.
     */
    SYMBOL_KEY_COMMON,
};

/*
 * Appends the key; drop glue has that of core::ptr::drop_in_place, whatever the compiler calls it
 * (drop_glue.h). For names that are not Rust's it is the short text, which never is a Rust key.
 */
void symbol_add_key(struct text *text, struct symbol *symbol, enum symbol_key key);

/*
 * Appends the SYMBOL_KEY_COMMON of a demangled legacy name, or the end of one, as other tools show it:
 * "Vec<T,A>::push" is "Vec::push", "a::f::{{closure}}" is "a::f::{closure}". Any text is taken.
 */
void symbol_add_key_of_demangled(struct text *text, struct slice name);

#endif

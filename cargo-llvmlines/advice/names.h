/* What demangled v0 names (DEMANGLE_SHORT) tell of how a function came to be. */
#ifndef ADVICE_NAMES_H
#define ADVICE_NAMES_H

#include "base/text.h"

/* Which closures are meant, by their path: "app::main::{closure#0}". */
struct closure_test {
    bool (*is_meant)(const void *context, struct slice path);
    const void *context;
};

/*
 * Appends the name with each closure that is meant, as far as it stands in generic arguments, as "_": what
 * would be one function if these were behind a reference. True when there was one.
 *
 *     app::retry::<u8, app::main::{closure#0}>  ->  app::retry::<u8, _>
 */
bool name_add_without_closures(struct text *text, struct slice name, const struct closure_test *test);

/*
 * Appends the name with what stands before the closures of the function called `around` left out, so that the
 * same closure reads alike in all instances of that.
 *
 *     core::option::Option<u8>::map::<u8, app::f::<&str>::{closure#0}>  ->  …::map::<u8, ::{closure#0}>
 */
void name_add_with_bare_closures(struct text *text, struct slice name, struct slice around);

/*
 * The next argument that is a closure itself, from `at` on, 0 at first: "app::main::{closure#0}" of
 * "std::thread::spawn::<app::main::{closure#0}, ()>"; false at the end.
 */
bool name_next_closure_argument(struct slice name, size_t *at, struct slice *path);

/* Appends the name as it stands in types: without the "::" before arguments. */
void name_add_as_type(struct text *text, struct slice name);

/* Of "<T as TRAIT>::method": what follows " as "; empty for other names. */
struct slice name_trait(struct slice name);

/* Whether only what an async fn or block is made into calls it. `name` may be mangled. */
bool name_is_of_future(struct slice name);

/* Whether an adapter of core::iter is in the name. */
bool name_has_iterator(struct slice name);

/* Whether it is a function of core::iter, or made for an adapter of that. */
bool name_is_of_iterator(struct slice name);

/* Whether it turns an argument into what is worked with, or drops it: AsRef::as_ref, Into::into, … */
bool name_is_conversion(struct slice name);

/* Whether nearly every function has it: panics, checks, allocation, dropping. It says nothing of the work. */
bool name_is_plumbing(struct slice name);

/* Whether only what `derive(Debug)` writes calls it. `name` may be mangled. */
bool name_is_of_derived_debug(struct slice name);

/*
 * Whether it is of what serde's derive writes for Deserialize, or made for that; then `type` is what it was
 * derived for.
 */
bool name_derived_deserialize(struct slice name, struct slice *type);

#endif

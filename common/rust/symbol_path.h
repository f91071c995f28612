/*
 * What a Rust symbol's tree tells besides its text: whose code it is, who asked for the
 * instance, in which module it stands, for which types it was made.
 *
 * Slices that come out point into the symbol's name or into the symbol: they are valid
 * until its next symbol_parse. Names are as mangled; crates have no other than ASCII names.
 */
#ifndef RUST_SYMBOL_PATH_H
#define RUST_SYMBOL_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"
#include "base/text.h"
#include "rust/symbol.h"

struct symbol_crate {
    struct slice name;      /* "alloc"; empty when there is none */
    uint64_t disambiguator; /* v0: tells crates of one name apart ("[1f2e]" in the text); legacy: 0 */
};

enum symbol_certainty {
    SYMBOL_UNKNOWN,  /* no Rust name, or a hostile one */
    SYMBOL_INFERRED, /* a legacy name of an impl that either of two crates may hold */
    SYMBOL_EXACT,
};

struct symbol_owner {
    enum symbol_certainty certainty;
    struct symbol_crate crate;
    struct symbol_crate other; /* inferred: the other candidate, the one that has the trait */
};

/*
 * The crate whose source has the function, wherever it was instantiated.
 *
 * v0 names say it. A legacy name `a::b` or `a::<impl T for U>::m` too; `<T as Trait>::m` is
 * in the crate of T, of Trait or of one of Trait's arguments (the orphan rule), which must
 * be able to name all crates that the name shows. core, alloc, std and the rest of Rust's
 * own cannot name others, nor core alloc or alloc std. Where that leaves two, the self
 * type's is taken for it, and a caller who knows which depends on which can decide.
 */
struct symbol_owner symbol_defining_crate(struct symbol *symbol);

/* The crate in which a generic was instantiated; only v0 names have it. */
bool symbol_instantiating_crate(const struct symbol *symbol, struct symbol_crate *crate);

/*
 * What all copies of one instance have in common, and no other instance: of a v0 name the mangled text
 * without the crate that it was instantiated in, of others all of it.
 */
struct slice symbol_instance(const struct symbol *symbol);

/*
 * The crates that the name shows, in the order of the text and as often as they stand there, but not the
 * one it was instantiated in. `at` is 0 for the first; false at the end. Only v0 names have them.
 */
bool symbol_next_crate(const struct symbol *symbol, uint32_t *at, struct symbol_crate *crate);

/*
 * Gives the crates that a v0 name shows, and the one it was instantiated in, other disambiguators: those that
 * the same crates have in another build. Printers of this folder then print these; texts of the name itself,
 * as symbol_instance, stay. `change` may set `crate->disambiguator`.
 */
typedef void symbol_change_crate(void *context, struct symbol_crate *crate);
void symbol_change_crates(struct symbol *symbol, symbol_change_crate *change, void *context);

/*
 * Appends, for a v0 name, what has the distinctions of symbol_instance, but heeds changed crates: bytes
 * without a meaning for people. Nothing for other names.
 */
void symbol_add_structure(struct text *text, const struct symbol *symbol);

/* Whether the crate is one of those that come with Rust itself: core, alloc, std, … */
bool symbol_crate_is_std(struct slice name);

/*
 * Appends the path of the module, "core::fmt::num": for an impl's functions the module
 * that the impl stands in. Names do not tell a module from a trait (and legacy ones not
 * from any type, nor from a function around a function): what begins with a capital
 * letter is none. Nothing for other names.
 */
void symbol_add_module(struct text *text, struct symbol *symbol);

/* The same of a name that was demangled before; nothing for one that has no path. */
void symbol_add_module_of_text(struct text *text, struct slice name);

/*
 * Appends argument `index` of the instance, in the short form; false when there is none.
 * They come from the outermost in: an impl's self type, its trait's arguments, the
 * function's; types and constants, no lifetimes. Only v0 names have them.
 */
bool symbol_add_argument(struct text *text, const struct symbol *symbol, size_t index);

/* Appends all of them, "i32, alloc::string::String"; nothing when there are none. */
void symbol_add_arguments(struct text *text, const struct symbol *symbol);

/* The crate and the module of the type that argument `index` is or refers to; false when it has none. */
bool symbol_argument_crate(const struct symbol *symbol, size_t index, struct symbol_crate *crate);
bool symbol_add_argument_module(struct text *text, const struct symbol *symbol, size_t index);

#endif

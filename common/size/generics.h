/*
 * Instances of one generic function put together: how many copies of it there are, what they take, and what
 * one copy would.
 */
#ifndef SIZE_GENERICS_H
#define SIZE_GENERICS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/intern.h"
#include "base/text.h"
#include "base/vec.h"
#include "rust/impl_common.h"
#include "rust/symbol.h"

/* The crate that defines a function. Zero-initialised: nothing is known but what its name tells. */
struct generic_definer {
    struct slice crate;   /* as symbols have it: "dup" */
    struct slice version; /* empty when not known */
    struct slice label;   /* what it is called where others have its name: "dup@1.0.0"; else empty */
    bool is_hash;         /* the label is the crate's hash, "dup[1f2e]", which names do not show */
};

/* All instances of one function. */
struct generic {
    struct slice name; /* without type arguments and hashes: "dup@1.0.0::map", with the definer's label */
    struct slice plain_name; /* without it, as of SYMBOL_KEY_COMMON */
    struct slice version;    /* of the crate that the name begins with; a text without data when not known */
    uint32_t name_id;        /* of the name */
    enum symbol_kind mangling; /* of the first copy */
    struct impl_common impl;   /* ids in generics.types */
    uint64_t copies;           /* at least 1; 0 when it was joined to another */
    uint64_t size_bytes;       /* of all copies */
    uint64_t largest_bytes; /* of the largest: what one copy that can do what all can would at least take */
};

/* Generics whose names read the same. */
struct generics_alike {
    uint32_t first;
    uint32_t count;
    bool has_legacy, has_v0; /* which manglings they have */
};

/* Zero-initialised is empty. */
struct generics {
    struct intern keys; /* as of SYMBOL_KEY_EXACT: one for each item; of legacy names with definers' labels */
    VEC(struct generic) items;
    struct intern names;
    struct intern plain_names;
    VEC(struct generics_alike) alike; /* by name, as of generics_compare_names */
    struct impl_types types;
    struct arena arena;   /* of versions */
    struct symbol symbol; /* scratch */
    struct text scratch;
};

/*
 * Counts one instance in, by its symbol as it stands in the file, and by who defines it, as legacy names do
 * not tell of which crate of a name they are. Returns the index of its generic.
 */
uint32_t generics_add(struct generics *generics, struct slice symbol, struct generic_definer definer,
                      uint64_t size_bytes);

/* The index of the generic that `symbol` is an instance of, or INTERN_NONE when none was added. */
uint32_t generics_find(struct generics *generics, struct slice symbol, struct generic_definer definer);

/* Finds those that read the same. To be called when all are added, and before labels are asked for. */
void generics_compare_names(struct generics *generics);

/*
 * Compares names, and makes one of generics that read the same where some of their names are legacy ones,
 * which do not tell whether they are the same as those with v0 names: std's own instances beside those of a
 * program. All are joined to the first that was added.
 */
void generics_join(struct generics *generics);

/* The generic that this one was joined to, or itself. */
uint32_t generics_joined(const struct generics *generics, uint32_t id);

/*
 * Appends what the generic is called in a list of all. That is its name; where several that are not joined
 * read the same, with the numbers that tell them apart and what these stand for where all copies have it in
 * common (impl_common.h), "<_ as core::fmt::Debug>::fmt (impl#3 for &_)", or, of names without numbers or
 * with the same ones, as of two versions of a crate, all of what instances share: "a::Matcher<1_usize>::new",
 * "hashbrown[c0386ddbfadcbbc1]::raw::<impl#8>::reserve_rehash".
 */
void generics_add_label(struct text *text, const struct generics *generics, uint32_t id);

void generics_done(struct generics *generics);

#endif

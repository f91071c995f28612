/* What the impls that the copies of one function stand in have in common, to tell apart what reads the same.
 */
#ifndef RUST_IMPL_COMMON_H
#define RUST_IMPL_COMMON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/text.h"
#include "rust/symbol.h"

/* Zero-initialised is empty. */
struct impl_types {
    struct intern texts;
    struct text scratch;
};

/* Of an impl that the compiler numbers, where all copies have the same, ids of types; else INTERN_NONE. */
struct impl_common {
    uint32_t type;     /* its self type */
    uint32_t argument; /* its trait's first argument, or its self type's first constant */
};

void impl_types_done(struct impl_types *types);

/*
 * Takes one copy in, whose name was parsed and whose key (symbol_key.h) is that of all; `is_first`: nothing
 * was taken in before. Returns the self type that all had until now and this one has not, or a slice without
 * data: a name that has it, as of symbol_add_key, is that of some copies alone.
 */
struct slice impl_common_note(struct impl_types *types, struct impl_common *common,
                              const struct symbol *symbol, struct slice key, bool is_first);

/*
 * Appends a name without the type: "m::<impl a::T for u8>::f" is "m::<impl a::T>::f". False, and nothing is
 * appended, for a name that has it not.
 */
bool impl_type_drop(struct text *text, struct slice name, struct slice type);

/*
 * Appends what the numbers of an impl stand for: its self type where the name does not have it, " for &_", or
 * else the argument, " with &str"; nothing where that is not known, or longer than 80 bytes.
 */
void impl_common_add(struct text *text, const struct impl_types *types, struct impl_common common,
                     struct slice name);

#endif

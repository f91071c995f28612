/* What a v0 name tells of the impl that a function stands in, the innermost one if several. */
#ifndef RUST_SYMBOL_IMPL_H
#define RUST_SYMBOL_IMPL_H

#include <stdbool.h>

#include "base/text.h"
#include "rust/symbol.h"

/*
 * Appends the impl's self type as keys have types: "alloc::vec::Vec", "&_", "[_]", "u8". Of a blanket impl
 * that is the type of this instance. False, and nothing is appended, for what is in no impl, and for other
 * names than v0 ones.
 */
bool symbol_add_impl_type(struct text *text, const struct symbol *symbol);

/*
 * Appends the first argument of the impl's trait in the short form, "&str", or where it has none the first
 * constant that its self type has, "1"; false when there is neither.
 */
bool symbol_add_impl_argument(struct text *text, const struct symbol *symbol);

#endif

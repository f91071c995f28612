/* The numbers by which a v0 name tells apart what its text does not. */
#ifndef RUST_SYMBOL_NUMBERS_H
#define RUST_SYMBOL_NUMBERS_H

#include "base/text.h"
#include "rust/symbol.h"

/*
 * Appends, in the order of the name, the numbers that compilers give to the impls in it and to items that
 * are not the first of their name in one place: "impl#3, Visitor#1". Nothing when there are none, and for
 * other names than v0 ones. Names that differ in nothing else mostly differ in these, and they are the same
 * in builds in which only the hashes of crates differ.
 */
void symbol_add_numbers(struct text *text, const struct symbol *symbol);

/* Appends the numbers that stand in a key, closures' and shims' too: "impl#3, closure#0"; nothing when there
 * are none. */
void symbol_key_add_numbers(struct text *text, struct slice key);

#endif

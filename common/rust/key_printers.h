/* The printers behind symbol_add_key, one a mangling. */
#ifndef RUST_KEY_PRINTERS_H
#define RUST_KEY_PRINTERS_H

#include "rust/symbol_key.h"

void v0_add_key(struct text *text, const struct symbol *symbol, enum symbol_key key);
void legacy_add_key(struct text *text, struct symbol *symbol, enum symbol_key key);

/* Appends a v0 name's type as keys have it: "alloc::vec::Vec", "&_", "[_]"; nothing for a hostile one. */
void v0_add_type_head(struct text *text, const struct symbol *symbol, uint32_t type);

#endif

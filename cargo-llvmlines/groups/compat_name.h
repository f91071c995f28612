/* Names as cargo-llvm-lines 0.4.48 has them. */
#ifndef GROUPS_COMPAT_NAME_H
#define GROUPS_COMPAT_NAME_H

#include "base/text.h"
#include "rust/symbol.h"

/*
 * Appends the name under which cargo-llvm-lines counts a function: the demangled text without the hash that
 * a legacy name ends in. Of a v0 name, which tells every instance apart, what a legacy name of it would say
 * as far as that can be told: the path without arguments and hashes. A name that IR has in quotes stays
 * escaped as it is there, up to its first "(".
 */
void compat_add_name(struct text *text, struct symbol *symbol);

#endif

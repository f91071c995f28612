/*
 * Names that mean the same thing in two builds: what a compiler counts or hashes changes when code beside it
 * does, and is left out.
 */
#ifndef DELTA_SAME_NAME_H
#define DELTA_SAME_NAME_H

#include "base/text.h"

/*
 * Appends `name` without the hash of a legacy name ("::h" and 16 hexadecimal digits), the hash of a crate
 * ("core[1f2e]"), the numbers of closures, impls and shims ("impl#1"; "{closure#3}" is "{closure}", and so is
 * "{{closure}}"), a list of those and of items' at the end (" (impl#3, Visitor#1)", " (impl#3 for &_)"),
 * LLVM's ".llvm.123" and a last ".123", and line and column numbers ("main.rs:12:5"). Drop glue has one name
 * (drop_glue.h): that differs from compiler to compiler.
 */
void same_name_add(struct text *text, struct slice name);

/* The same, but of a list at the end the type stays: " (impl for &_)". */
void same_name_add_with_type(struct text *text, struct slice name);

#endif

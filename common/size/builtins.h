/*
 * Functions that the compiler's own code calls: of integers and floats wider than the machine's, of math, of
 * memory. The crate compiler_builtins defines them under the names that C's compilers call theirs by.
 */
#ifndef SIZE_BUILTINS_H
#define SIZE_BUILTINS_H

#include "size/used/used.h"

/* Whether compiler_builtins defines a function of this name on some target. */
bool builtins_has(struct slice name);

/*
 * Gives functions that are USED_UNKNOWN to compiler_builtins where they have such a name, are hidden as all
 * of that crate's are, and stand in the symbol table under one of its codegen units (USED_FROM_FILE_SYMBOL)
 * or under none (USED_INFERRED), as GNU ld leaves them. Nothing in a program without such a unit. Rust's
 * linker is given this library before C's, whose functions of these names it then has no use for. Of an
 * object beside such units in an archive, compiler-rt's C among them, names with "__" alone tell: `floor` may
 * be anyone's. `out` is by function of the map.
 */
void builtins_find(const struct used_request *request, struct size_crates *crates, struct used *out);

#endif

/* C++ names (Itanium ABI), demangled by libiberty's cp-demangle. */
#ifndef RUST_CXX_H
#define RUST_CXX_H

#include <stdbool.h>

#include "base/slice.h"
#include "base/text.h"

/*
 * Appends the demangled name with its parameters, or nothing and says false when it is no
 * C++ name, nests too deep for libiberty or is longer than 1 MB when demangled.
 */
bool cxx_demangle(struct text *text, struct slice name);

#endif

/*
 * Shared libraries that most runs do not need, loaded when first used: starting a tool
 * then costs nothing for them. Each stands behind one file of ours.
 */
#ifndef BASE_LIBRARY_H
#define BASE_LIBRARY_H

#include <stddef.h>

#include "base/error.h"

struct library_symbol {
    const char *name;
    void **address; /* set when the library is loaded */
};

/*
 * Loads the library with this soname ("libpcre2-8.so.0") for the rest of the process and
 * fills the addresses. Returns 0, or -1 with ERROR_MISSING: the hint names the Debian
 * `package` to install where it is not there, the message says why another one cannot be loaded; the
 * addresses are then not to be used.
 */
MUST_CHECK int library_load(const char *soname, const char *package, const struct library_symbol *symbols,
                            size_t symbol_count, struct error *err);

#endif

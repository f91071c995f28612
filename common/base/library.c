#include "base/library.h"

#include <dlfcn.h>

int library_load(const char *soname, const char *package, const struct library_symbol *symbols,
                 size_t symbol_count, struct error *err)
{
    void *library = dlopen(soname, RTLD_NOW | RTLD_LOCAL);

    if (!library) {
        error_hint(err, "install it with: apt-get install %s", package);
        return error_set(err, ERROR_MISSING, "the library %s is not installed", soname);
    }
    for (size_t i = 0; i < symbol_count; i++) {
        *symbols[i].address = dlsym(library, symbols[i].name);
        if (!*symbols[i].address) {
            error_hint(err, "install a newer one with: apt-get install %s", package);
            return error_set(err, ERROR_MISSING, "the library %s has no %s", soname, symbols[i].name);
        }
    }
    return 0;
}

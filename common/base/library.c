#include "base/library.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

/* Where it is there a package is no remedy: another one of its name stands before it, or memory is short. */
static int explain(const char *soname, const char *package, struct error *err)
{
    const char *why = dlerror();

    if (why && !strstr(why, strerror(ENOENT)))
        return error_set(err, ERROR_MISSING, "the library %s cannot be loaded: %s", soname, why);
    error_hint(err, "install it with: apt-get install %s", package);
    return error_set(err, ERROR_MISSING, "the library %s is not installed", soname);
}

int library_load(const char *soname, const char *package, const struct library_symbol *symbols,
                 size_t symbol_count, struct error *err)
{
    void *library = dlopen(soname, RTLD_NOW | RTLD_LOCAL);

    if (!library)
        return explain(soname, package, err);
    for (size_t i = 0; i < symbol_count; i++) {
        *symbols[i].address = dlsym(library, symbols[i].name);
        if (!*symbols[i].address) {
            error_hint(err, "install a newer one with: apt-get install %s", package);
            return error_set(err, ERROR_MISSING, "the library %s has no %s", soname, symbols[i].name);
        }
    }
    return 0;
}

#include "rust/std_crates.h"

#include <stddef.h>

#include "base/compiler.h"

static bool is_one_of(const char *const *names, size_t count, struct slice name)
{
    for (size_t i = 0; i < count; i++)
        if (slice_is(name, names[i]))
            return true;
    return false;
}

bool std_crates_depend_on(struct slice name)
{
    static const char *const names[] = {
        "addr2line",      "adler2", "cfg_if", "fortanix_sgx_abi", "getopts",       "gimli",
        "hashbrown",      "libc",   "memchr", "miniz_oxide",      "object",        "r_efi",
        "rustc_demangle", "wasi",   "wasip1", "windows_targets",  "unicode_width", "rustc_literal_escaper",
    };

    return is_one_of(names, ARRAY_COUNT(names), name);
}

bool std_crates_own(struct slice name)
{
    static const char *const names[] = {
        "core",         "alloc",      "std",        "compiler_builtins", "panic_abort",
        "panic_unwind", "proc_macro", "std_detect", "__rustc",
    };

    return is_one_of(names, ARRAY_COUNT(names), name);
}

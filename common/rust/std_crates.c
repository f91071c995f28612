#include "rust/std_crates.h"

#include <stddef.h>

#include "base/compiler.h"

static bool is_listed(struct slice name, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (slice_is(name, list[i]))
            return true;
    return false;
}

bool std_crates_has(struct slice name)
{
    static const char *const names[] = {
        "core",        "std",    "alloc",   "proc_macro",        "test",       "panic_unwind",
        "panic_abort", "unwind", "__rustc", "compiler_builtins", "std_detect", "profiler_builtins",
    };

    return is_listed(name, names, ARRAY_COUNT(names)) ||
           slice_starts_with(name, SLICE("rustc_std_workspace_"));
}

bool std_crates_depend_on(struct slice name)
{
    static const char *const names[] = {
        "addr2line",       "adler2",    "cfg_if",         "fortanix_sgx_abi",      "getopts",
        "gimli",           "hashbrown", "libc",           "miniz_oxide",           "memchr",
        "object",          "r_efi",     "rustc_demangle", "rustc_literal_escaper", "wasip1",
        "windows_targets",
    };

    return is_listed(name, names, ARRAY_COUNT(names));
}

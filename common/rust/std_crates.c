#include "rust/std_crates.h"

#include <stddef.h>

#include "base/compiler.h"

bool std_crates_depend_on(struct slice name)
{
    static const char *const names[] = {
        "addr2line",      "adler2", "cfg_if", "fortanix_sgx_abi", "getopts",       "gimli",
        "hashbrown",      "libc",   "memchr", "miniz_oxide",      "object",        "r_efi",
        "rustc_demangle", "wasi",   "wasip1", "windows_targets",  "unicode_width", "rustc_literal_escaper",
    };

    return slice_is_any(name, names, ARRAY_COUNT(names));
}

bool std_crates_own(struct slice name)
{
    static const char *const names[] = {
        "core",         "alloc",      "std",        "compiler_builtins", "panic_abort",
        "panic_unwind", "proc_macro", "std_detect", "__rustc",
    };

    return slice_is_any(name, names, ARRAY_COUNT(names));
}

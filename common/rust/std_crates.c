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

    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        if (slice_is(name, names[i]))
            return true;
    return false;
}

/* What names are read from: the kernel's list of symbols, and files with their table for unwinding. */
#include <stddef.h>
#include <stdint.h>

#include "dwarf/cfi_lookup.h"
#include "symbolize/kernel_symbols.h"
#include "symbolize/module_symbols.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use_kernel_list(struct slice text)
{
    static const uint64_t avmas[] = {1, 0x10, 0x1000, 0xffffffff81000123, UINT64_MAX};
    struct kernel_symbol found[ARRAY_COUNT(avmas)];

    kernel_symbols_find(text, avmas, ARRAY_COUNT(avmas), found);
    for (size_t i = 0; i < ARRAY_COUNT(avmas); i++)
        if (found[i].avma > avmas[i] || (found[i].avma > 0) != (found[i].name.length > 0))
            __builtin_trap();
}

static void use_file(struct slice bytes)
{
    struct module_symbols module;
    struct cfi_lookup *unwinding = NULL;
    struct error unread = {0};
    struct found_symbol symbol;
    uint64_t start = 0;
    uint64_t end = 0;

    module_symbols_open_bytes(bytes, "input", &module);
    if (module.is_open && cfi_lookup_open(&module.image, &unwinding, &unread) < 0)
        unwinding = NULL;
    for (uint64_t svma = 0x400000; svma < 0x401000; svma += 16) {
        if (module_symbols_find(&module, svma, &symbol) && symbol.offset > svma)
            __builtin_trap();
        if (cfi_lookup_last(unwinding, svma, &start, &end) && (start > svma || start > end))
            __builtin_trap();
    }
    cfi_lookup_close(unwinding);
    module_symbols_close(&module);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct slice input = {(const char *)data, size};

    if (slice_starts_with(input, SLICE("\x7f"
                                       "ELF")))
        use_file(input);
    else
        use_kernel_list(input);
    return 0;
}

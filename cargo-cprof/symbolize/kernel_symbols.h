/* The kernel's own list of its functions, /proc/kallsyms: "ffffffff81000000 T _text", modules' with
 * "\t[name]". */
#ifndef SYMBOLIZE_KERNEL_SYMBOLS_H
#define SYMBOLIZE_KERNEL_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"
#include "base/vec.h"

struct kernel_symbol {
    uint64_t avma;
    struct slice name;
    struct slice module; /* "[ext4]"; empty for the kernel's own */
};

/* Zero-initialised is empty; to be released with kernel_symbols_done. */
struct kernel_symbols {
    VEC(struct kernel_symbol) items; /* functions only, by address, of those at one the first in the text */
};

/*
 * Reads the list, which is borrowed as long as the result lives. Lines of another form are left out; so are
 * addresses of 0, which is what users get to see who may not see the real ones.
 */
void kernel_symbols_parse(struct slice text, struct kernel_symbols *out);

void kernel_symbols_done(struct kernel_symbols *symbols);

/* The function that starts last at or before the address, or NULL. */
const struct kernel_symbol *kernel_symbols_find(const struct kernel_symbols *symbols, uint64_t avma);

#endif

/* The kernel's own list of its functions, /proc/kallsyms: "ffffffff81000000 T _text", modules' with
 * "\t[name]". */
#ifndef SYMBOLIZE_KERNEL_SYMBOLS_H
#define SYMBOLIZE_KERNEL_SYMBOLS_H

#include <stdint.h>

#include "base/slice.h"

struct kernel_symbol {
    uint64_t avma;       /* 0: there is none, and the rest is empty */
    struct slice name;   /* borrowed from the list, as the module */
    struct slice module; /* "[ext4]"; empty for the kernel's own */
};

/*
 * The functions that start last at or before each of `count` addresses, which rise; of several at one address
 * the first in the list. Lines of another form are left out; so are addresses of 0, which is what users get
 * to see who may not see the real ones. One pass: the list has a hundred thousand lines and more, and few of
 * them are asked for.
 */
void kernel_symbols_find(struct slice list, const uint64_t *avmas, size_t count, struct kernel_symbol *out);

#endif

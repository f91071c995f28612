/*
 * The functions of a kernel that does not run here, by the list that perf keeps of each that it has recorded,
 * a copy of /proc/kallsyms: "~/.debug/[kernel.kallsyms]/BUILDID/kallsyms" (perf-buildid-cache(1)). Addresses
 * in it are those of the start at which it was made, which need not be that of the recording.
 */
#ifndef IMPORT_KEPT_KERNEL_H
#define IMPORT_KEPT_KERNEL_H

#include <stdint.h>

#include "base/text.h"

/* Zero-initialised is none; to be released with kept_kernel_done. */
struct kept_kernel {
    struct text path;
    struct text list; /* what is in it; empty: there is none */
};

void kept_kernel_done(struct kept_kernel *kept);

/* Reads that of the kernel with this build id, raw bytes, below the folder. False when there is none. */
bool kept_kernel_read(struct slice build_id, struct slice folder, struct kept_kernel *out);

/* The address of a symbol of the kernel's own; 0 where it is not there, or was not seen. */
uint64_t kept_kernel_symbol(const struct kept_kernel *kept, struct slice symbol);

/* Whether all functions of a module ("ext4") are in that stretch, so that it was there when the list was
 * made. */
bool kept_kernel_has_module(const struct kept_kernel *kept, struct slice module, uint64_t start_avma,
                            uint64_t end_avma);

#endif

/* Places that C libraries and the kernel have no call frame information for, known by their instructions. */
#ifndef PROCESS_MACHINE_CODE_KNOWN_H
#define PROCESS_MACHINE_CODE_KNOWN_H

#include "process/modules.h"

/*
 * The rule to leave the frame of a signal, whose handler returns to right behind `svma`, or where one of the
 * instructions is that it returns to; NULL where that is something else. `row` is what the file says of it,
 * or NULL: it counts where it tells all. In
 * `*return_register` where return addresses are that are not stored.
 */
const struct cfi_row *known_code_signal_return(const struct module *module, uint64_t svma,
                                               const struct cfi_row *row, uint32_t *return_register);

/*
 * Whether `svma` is as above, in a file that may be of no process and is read by its blocks; in `*start`
 * where the code begins that the handler returns to.
 */
bool known_code_find_signal_return(const struct image *image, struct code_blocks *blocks, uint64_t svma,
                                   uint64_t *start);

/* Whether a thread ends right behind `svma`: the call there is its first. */
bool known_code_is_thread_exit(const struct module *module, uint64_t svma);

#endif

/*
 * Threads that wait when they are found, and so have left their processors before anybody took their stacks.
 * The system tells what they do in the kernel: as root all calls there (/proc/PID/task/TID/stack), else the
 * innermost (wchan), or nothing (proc_pid_stack(5), proc_pid_wchan(5)).
 */
#ifndef COLLECT_WAITS_EARLIER_H
#define COLLECT_WAITS_EARLIER_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/profile.h"

/* Zero-initialised is ready; of one profile. To be released with earlier_waits_done. */
struct earlier_waits {
    struct intern names;  /* of the kernel's functions, */
    VEC(uint32_t) places; /* and the location of each */
    bool has_root;
    uint32_t root; /* the stack of what is not known */
    uint32_t module;
};

void earlier_waits_done(struct earlier_waits *waits);

/* Whether the thread waits: it does not run, and is not about to. Sets its stack then. */
bool earlier_waits_find(struct earlier_waits *waits, struct profile *profile, uint32_t pid, uint32_t tid,
                        uint32_t *stack);

#endif

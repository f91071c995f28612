/*
 * The processes that came from those we started, also when their parents have ended: they become our children
 * then (PR_SET_CHILD_SUBREAPER, prctl(2)), so that none gets lost and their ids are not used again before we
 * have waited for them.
 */
#ifndef TARGET_DESCENDANTS_H
#define TARGET_DESCENDANTS_H

#include <stdint.h>

#include "process/pid_list.h"

/* To be released with descendants_done. */
struct descendants {
    struct pids strangers; /* children that we had before, which are none of ours to end */
};

struct descendant {
    pid_t pid;
    char name[16]; /* of its main thread, as the kernel has it: cut, any bytes */
};

/* Before anything is started. */
void descendants_adopt(struct descendants *out);

/* The oldest of them that goes on. False when there is none. */
bool descendants_find(const struct descendants *descendants, struct descendant *out);

/*
 * Adds the time that they, and what they have waited for, took of the processors so far, in ticks of the
 * system's clock. Nothing is added where /proc does not tell of us.
 */
void descendants_add_time(const struct descendants *descendants, uint64_t *cpu_ns, uint64_t *user_ns);

/* Sends the signal to all of them. Returns to how many: 0 when none is left. */
size_t descendants_signal(const struct descendants *descendants, int signal);

/* Ends all of them without asking, and waits for them. */
void descendants_end(const struct descendants *descendants);

void descendants_done(struct descendants *descendants);

#endif

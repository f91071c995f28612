/*
 * How soon we are given a processor when others want it, too. Being late means samples lost, so we go before
 * what we watch, where that is allowed: as root, or with CAP_SYS_NICE (sched(7)).
 */
#ifndef RECORD_PRIORITY_H
#define RECORD_PRIORITY_H

#include <stdbool.h>

struct priority {
    int nice;      /* to be restored, */
    int scheduler; /* and so is this: SCHED_OTHER and the like */
    bool is_highest;
};

struct priority priority_now(void);

/* Takes a larger part of the processors than others. What is started afterwards has it, too. */
void priority_raise(void);

/*
 * Waits for nobody who is no real-time program either (SCHED_RR): where as many threads want the processors
 * that even the largest part is too late. The system still leaves the others a twentieth of the time
 * (kernel.sched_rt_runtime_us). What is started meanwhile does not have it. Who started us as such a program
 * (chrt(1)) has chosen better.
 */
void priority_raise_most(struct priority *priority);

/* As it was when it was asked for. */
void priority_restore(const struct priority *priority);

#endif

/* What processes that ran before take of the processors while they are watched, by the system's own clocks.
 */
#ifndef TARGET_WATCHED_TIME_H
#define TARGET_WATCHED_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "process/pid_list.h"

/* Zero-initialised nothing is watched; to be released with watched_time_done. */
struct watched_time {
    const struct pids *pids;   /* borrowed */
    VEC(uint64_t) cpu_ns;      /* by process: at the beginning */
    uint64_t machine_delay_ns; /* run_delay_of_machine_ns, at the beginning */
};

/* Begins, or begins again, to watch the processes, which are borrowed. */
void watched_time_begin(struct watched_time *time, const struct pids *pids);

/*
 * The CPU time of all threads of the processes since the beginning, also of threads that have ended, added
 * up, and how long some thread of the machine waited for a processor meanwhile (UINT64_MAX: not known).
 * Returns false, and leaves both untouched, when nothing is watched or one of the processes has ended: nobody
 * tells what it took. Children are processes of their own.
 */
bool watched_time_end(const struct watched_time *time, uint64_t *cpu_ns, uint64_t *machine_delay_ns);

void watched_time_done(struct watched_time *time);

#endif

/* How long code that could have run waited for a processor: time that is neither computing nor idle. */
#ifndef TARGET_RUN_DELAY_H
#define TARGET_RUN_DELAY_H

#include <stdint.h>
#include <sys/types.h>

#include "base/slice.h"

/*
 * Of the main thread of a process, which may have ended but must not have been waited for: the second figure
 * of /proc/PID/schedstat, in ns (Documentation/scheduler/sched-stats.rst). 0 when the kernel does not tell.
 */
uint64_t run_delay_of_process_ns(pid_t pid);

/*
 * Since the machine started: how long some thread of any process was waiting, the total of "some" in
 * /proc/pressure/cpu (Documentation/accounting/psi.rst). 0 when the kernel does not tell.
 */
uint64_t run_delay_of_machine_ns(void);

/* The figures in the text of these files; 0 when it is of another form. */
uint64_t run_delay_read_schedstat(struct slice text);
uint64_t run_delay_read_pressure(struct slice text);

#endif

#include "record/priority.h"

#include <sched.h>
#include <sys/resource.h>

struct priority priority_now(void)
{
    return (struct priority){.nice = getpriority(PRIO_PROCESS, 0), .scheduler = sched_getscheduler(0)};
}

/* Whether real-time programs alone go before it. */
static bool is_ordinary(const struct priority *priority)
{
    return priority->scheduler == SCHED_OTHER || priority->scheduler == SCHED_BATCH ||
           priority->scheduler == SCHED_IDLE;
}

void priority_raise(void)
{
    enum { EARLIEST = -20 };

    (void)setpriority(PRIO_PROCESS, 0, EARLIEST);
}

void priority_raise_most(struct priority *priority)
{
    const struct sched_param lowest = {.sched_priority = 1};

    /* Where it is not allowed now it is not later either. */
    priority->is_highest = true;
    if (is_ordinary(priority))
        (void)sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &lowest);
}

void priority_restore(const struct priority *priority)
{
    const struct sched_param none = {0};

    /* Who may be such a program by a limit alone (RLIMIT_RTPRIO) may not take the flag away. */
    if (priority->is_highest && is_ordinary(priority) &&
        sched_setscheduler(0, priority->scheduler, &none) < 0)
        (void)sched_setscheduler(0, priority->scheduler | SCHED_RESET_ON_FORK, &none);
    (void)setpriority(PRIO_PROCESS, 0, priority->nice);
}

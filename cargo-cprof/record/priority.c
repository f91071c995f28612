#include "record/priority.h"

#include <sched.h>
#include <sys/resource.h>

struct priority priority_now(void)
{
    return (struct priority){.nice = getpriority(PRIO_PROCESS, 0)};
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
    (void)sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &lowest);
}

void priority_restore(const struct priority *priority)
{
    const struct sched_param none = {0};

    if (priority->is_highest)
        (void)sched_setscheduler(0, SCHED_OTHER, &none);
    (void)setpriority(PRIO_PROCESS, 0, priority->nice);
}

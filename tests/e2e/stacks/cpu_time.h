/* How long a program of these has run. */
#ifndef STACKS_CPU_TIME_H
#define STACKS_CPU_TIME_H

#include <time.h>

/* CPU time of all its threads, in seconds. */
static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

#endif

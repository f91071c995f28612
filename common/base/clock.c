#include "base/clock.h"

uint64_t clock_ns_of(struct timespec time)
{
    return (uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_nsec;
}

uint64_t clock_now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return clock_ns_of(now);
}

uint64_t clock_unix_ns(clockid_t clock, uint64_t then_ns)
{
    struct timespec now;
    struct timespec unix_now;

    clock_gettime(clock, &now);
    clock_gettime(CLOCK_REALTIME, &unix_now);
    return clock_ns_of(unix_now) - clock_ns_of(now) + then_ns;
}

uint64_t clock_cpu_ns_of_process(pid_t pid)
{
    clockid_t clock = 0;
    struct timespec used;

    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &used) != 0)
        return 0;
    return clock_ns_of(used);
}

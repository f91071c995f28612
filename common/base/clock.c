#include "base/clock.h"

uint64_t clock_ns_of(struct timespec time)
{
    return (uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_nsec;
}

struct timespec clock_time_of_us(int64_t time_us)
{
    enum { US_PER_S = 1000000, NS_PER_US = 1000 };

    return (struct timespec){.tv_sec = time_us / US_PER_S, .tv_nsec = time_us % US_PER_S * NS_PER_US};
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

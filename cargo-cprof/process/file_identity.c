#include "process/file_identity.h"

#include <time.h>

static uint64_t ns_of(struct timespec time)
{
    return (uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_nsec;
}

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return ns_of(now);
}

uint64_t file_clock_ns(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

bool file_is_later(const struct file_seen *seen, const struct stat *now)
{
    uint64_t seen_ns = clock_ns(CLOCK_REALTIME) - (file_clock_ns() - seen->time_ns);

    if (seen->inode == 0 || seen->time_ns == 0 || ns_of(now->st_ctim) <= seen_ns)
        return false;
    return now->st_ino != seen->inode || ns_of(now->st_mtim) > seen_ns;
}

bool file_differs(const struct stat *before, const struct stat *after)
{
    return before->st_dev != after->st_dev || before->st_ino != after->st_ino ||
           before->st_size != after->st_size || ns_of(before->st_mtim) != ns_of(after->st_mtim);
}

#include "process/file_identity.h"

#include <linux/magic.h>
#include <sys/vfs.h>

#include "base/clock.h"

/* How much earlier than it was a change may be told: as of the kernel's last tick. */
static uint64_t tick_ns(void)
{
    struct timespec tick = {0};

    return clock_getres(CLOCK_REALTIME_COARSE, &tick) == 0 ? clock_ns_of(tick) : 0;
}

bool file_is_later(const struct file_seen *seen, const struct stat *now)
{
    uint64_t seen_ns = clock_unix_ns(CLOCK_MONOTONIC, seen->time_ns);

    if (seen->inode == 0 || seen->time_ns == 0 || clock_ns_of(now->st_ctim) + tick_ns() <= seen_ns)
        return false;
    return now->st_ino != seen->inode || clock_ns_of(now->st_mtim) > seen_ns;
}

bool file_has_another_inode(const struct file_seen *seen, int descriptor, const struct stat *now)
{
    struct statfs system;

    return seen->inode != 0 && now->st_ino != seen->inode && fstatfs(descriptor, &system) == 0 &&
           system.f_type != OVERLAYFS_SUPER_MAGIC;
}

bool file_is_another(const struct stat *before, const struct stat *after)
{
    return before->st_dev != after->st_dev || before->st_ino != after->st_ino;
}

bool file_differs(const struct stat *before, const struct stat *after)
{
    return file_is_another(before, after) || before->st_size != after->st_size ||
           clock_ns_of(before->st_mtim) != clock_ns_of(after->st_mtim);
}

bool file_was_another(const char *path, uint64_t inode, uint64_t then_unix_ns)
{
    struct statfs system;
    struct stat now;

    return inode != 0 && stat(path, &now) == 0 && now.st_ino != inode &&
           clock_ns_of(now.st_ctim) < then_unix_ns && statfs(path, &system) == 0 &&
           system.f_type != OVERLAYFS_SUPER_MAGIC;
}

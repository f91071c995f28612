#include "process/own_root.h"

#include <stdio.h>
#include <sys/stat.h>

/* Whether the process and we have the same thing behind this link of /proc/PID. */
static bool is_shared(uint32_t pid, const char *link)
{
    struct stat ours;
    struct stat its;
    char path[64];

    snprintf(path, sizeof(path), "/proc/%u/%s", pid, link);
    if (stat(path, &its) < 0)
        return true;
    snprintf(path, sizeof(path), "/proc/self/%s", link);
    return stat(path, &ours) < 0 || (ours.st_dev == its.st_dev && ours.st_ino == its.st_ino);
}

bool process_is_elsewhere(uint32_t pid)
{
    return !is_shared(pid, "root/.") || !is_shared(pid, "ns/mnt");
}

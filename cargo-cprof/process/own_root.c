#include "process/own_root.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/file.h"

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

bool process_has_own_clock(uint32_t pid)
{
    return !is_shared(pid, "ns/time");
}

static int open_link(uint32_t pid, const char *link, int flags)
{
    char path[64];

    snprintf(path, sizeof(path), "/proc/%u/%s", pid, link);
    return open(path, flags | O_CLOEXEC);
}

void own_root_open(uint32_t pid, struct own_root *out)
{
    out->folder = open_link(pid, "root", O_PATH | O_DIRECTORY);
    out->mounts = open_link(pid, "ns/mnt", O_RDONLY);
}

/* Whether what is open is behind this link of /proc/PID. */
static bool is_behind(int descriptor, uint32_t pid, const char *link)
{
    struct stat ours;
    struct stat its;
    char path[64];

    snprintf(path, sizeof(path), "/proc/%u/%s", pid, link);
    return fstat(descriptor, &ours) == 0 && stat(path, &its) == 0 && ours.st_dev == its.st_dev &&
           ours.st_ino == its.st_ino;
}

bool own_root_is_of(const struct own_root *root, uint32_t pid)
{
    return is_behind(root->folder, pid, "root/.") && is_behind(root->mounts, pid, "ns/mnt");
}

void own_root_close(struct own_root *root)
{
    file_close_descriptor(&root->folder);
    file_close_descriptor(&root->mounts);
}

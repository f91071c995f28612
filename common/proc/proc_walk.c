#include "proc/proc_walk.h"

#include <stdio.h>

#include "base/folder.h"
#include "base/scan.h"

struct proc_walk proc_walk_processes(void)
{
    return (struct proc_walk){opendir("/proc")};
}

struct proc_walk proc_walk_threads(uint32_t pid)
{
    char path[64];

    snprintf(path, sizeof(path), "/proc/%u/task", pid);
    return (struct proc_walk){opendir(path)};
}

uint32_t proc_walk_next(struct proc_walk *walk)
{
    const struct dirent *entry = NULL;

    while (walk->folder && (entry = readdir(walk->folder))) {
        struct scan scan = scan_of(slice_of(entry->d_name));
        uint64_t number = 0;

        if (scan_decimal(&scan, &number) && scan_at_end(&scan) && number <= UINT32_MAX)
            return (uint32_t)number;
    }
    return 0;
}

void proc_walk_done(struct proc_walk *walk)
{
    folder_close(&walk->folder);
}

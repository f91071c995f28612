#include "process/living_thread.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/folder.h"
#include "process/thread_stat.h"

/* What cannot be read has ended. */
static bool has_ended(uint32_t pid, uint32_t tid)
{
    struct thread_stat stat;

    return !thread_stat_read(pid, tid, &stat) || stat.state == 'Z' || stat.state == 'X';
}

uint32_t living_thread(uint32_t pid)
{
    char path[64];
    SCOPED(folder_close) DIR *folder = NULL;
    const struct dirent *entry = NULL;

    if (!has_ended(pid, pid))
        return pid;
    snprintf(path, sizeof(path), "/proc/%u/task", pid);
    folder = opendir(path);
    while (folder && (entry = readdir(folder))) {
        uint32_t tid = (uint32_t)strtoul(entry->d_name, NULL, 10);

        if (tid > 0 && !has_ended(pid, tid))
            return tid;
    }
    return 0;
}

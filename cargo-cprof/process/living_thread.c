#include "process/living_thread.h"

#include "proc/proc_walk.h"
#include "process/thread_stat.h"

/* What cannot be read has ended. */
static bool has_ended(uint32_t pid, uint32_t tid)
{
    struct thread_stat stat;

    return !thread_stat_read(pid, tid, &stat) || stat.state == 'Z' || stat.state == 'X';
}

uint32_t living_thread(uint32_t pid)
{
    SCOPED(proc_walk_done) struct proc_walk threads = {0};
    uint32_t tid = 0;

    if (!has_ended(pid, pid))
        return pid;
    threads = proc_walk_threads(pid);
    do
        tid = proc_walk_next(&threads);
    while (tid && has_ended(pid, tid));
    return tid;
}

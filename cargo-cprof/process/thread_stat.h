/* What the kernel tells of a thread in /proc/PID/task/TID/stat (proc_pid_stat(5)). */
#ifndef PROCESS_THREAD_STAT_H
#define PROCESS_THREAD_STAT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

struct thread_stat {
    char state;             /* 'R', 'S', …; 'Z' and 'X' of one that has ended */
    uint64_t flags;         /* PF_* of the kernel's linux/sched.h */
    uint64_t start_unix_ns; /* to the hundredth of a second in which it began, or a little before */
};

/* False for one that is gone, and where /proc is that of another PID namespace. */
bool thread_stat_read(uint32_t pid, uint32_t tid, struct thread_stat *out);

/* Appends the thread's name, as /proc/PID/task/TID/comm has it. False for one that is gone. */
bool thread_name_read(uint32_t pid, uint32_t tid, struct text *name);

#endif

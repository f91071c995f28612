/* The numbers that /proc has folders for: processes, and the threads of one (proc(5)). */
#ifndef PROC_PROC_WALK_H
#define PROC_PROC_WALK_H

#include <dirent.h>
#include <stdint.h>

/* One walk; what comes or goes meanwhile may be told or not. To be released with proc_walk_done. */
struct proc_walk {
    DIR *folder; /* NULL: there is nothing to tell */
};

struct proc_walk proc_walk_processes(void);

/* None of a process that has ended or that we may not look into. */
struct proc_walk proc_walk_threads(uint32_t pid);

/* The next number; 0 when there are no more. */
uint32_t proc_walk_next(struct proc_walk *walk);

void proc_walk_done(struct proc_walk *walk);

#endif

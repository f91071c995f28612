/*
 * The file in which a process tells the names of the code that it makes, /tmp/perf-PID.map: PID is the number
 * that the process has in its own PID namespace (pid_namespaces(7)), /tmp is below its own root folder, among
 * its own mounts.
 */
#ifndef PROCESS_JIT_MAP_H
#define PROCESS_JIT_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "process/own_root.h"

/* To be released with jit_map_done. */
struct jit_map {
    uint32_t pid;         /* as the process knows itself */
    bool is_elsewhere;    /* its paths lead elsewhere than ours, */
    struct own_root root; /* below this folder */
};

/* To be asked while the process lives. Of one that has ended, or that /proc does not tell of, `pid` is its
 * number here. */
void jit_map_find(uint32_t pid, struct jit_map *out);

/*
 * Opens the file of a process that is elsewhere, also when it has ended meanwhile. No link in its folders
 * leads out of them. Returns a descriptor, or -1 when there is none or it may not be read.
 */
int jit_map_open(const struct jit_map *map);

void jit_map_done(struct jit_map *map);

#endif

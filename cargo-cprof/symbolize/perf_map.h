/*
 * Names of code that a process makes at run time, as it tells them to profilers: lines "START SIZE NAME" with
 * numbers in hexadecimal, in /tmp/perf-PID.map (linux/tools/perf/Documentation/jit-interface.txt). Written by
 * Node.js, Java agents, .NET, Python and others.
 *
 * The lines carry no time. Where code was replaced by other code at the same address, the one told of last
 * counts for all samples. So the lines are taken from the last to the first: an address has its name from the
 * first that covers it, and of millions of lines only the names of these addresses are kept.
 */
#ifndef SYMBOLIZE_PERF_MAP_H
#define SYMBOLIZE_PERF_MAP_H

#include <stdint.h>

#include "base/arena.h"

/* To be set up with perf_map_init and released with perf_map_done. */
struct perf_map {
    const uint64_t *avmas; /* borrowed; rising */
    size_t count;
    struct slice *names; /* borrowed, as many; empty: no line has covered the address yet */
    size_t named_count;
    size_t *next;        /* owned; from each address, and the end, towards the next one without a name */
    struct arena *arena; /* borrowed; what the names live in */
};

/* `names` get what is found, and are empty until then. */
void perf_map_init(struct perf_map *map, const uint64_t *avmas, size_t count, struct slice *names,
                   struct arena *arena);

void perf_map_done(struct perf_map *map);

/*
 * Takes lines that stand before all that were taken so far. Those of another form, and those with no size or
 * no name, are left out. O(lines * log count) for all calls together, whatever they say.
 */
void perf_map_take(struct perf_map *map, struct slice lines);

#endif

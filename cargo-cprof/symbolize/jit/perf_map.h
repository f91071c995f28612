/*
 * Names of code that a process makes at run time, as it tells them to profilers: lines "START SIZE NAME" with
 * numbers in hexadecimal, in /tmp/perf-PID.map (linux/tools/perf/Documentation/jit-interface.txt). Written by
 * Node.js, Java agents, .NET, Python and others.
 *
 * The lines carry no time. Where code was replaced by other code at the same address, the one told of last
 * counts for all samples, and that it was replaced is noted. So the lines are taken from the last to the
 * first: an address has its name from the first that covers it, and of millions of lines only the names of
 * these addresses are kept.
 */
#ifndef SYMBOLIZE_JIT_PERF_MAP_H
#define SYMBOLIZE_JIT_PERF_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

/* To be set up with perf_map_init and released with perf_map_done. */
struct perf_map {
    const uint64_t *avmas; /* borrowed; rising */
    size_t count;
    struct slice *names; /* borrowed, as many; empty: no line has covered the address yet */
    size_t named_count;
    size_t *next;      /* owned; from each address, and the end, towards the next one without a name */
    size_t open_count; /* addresses of which more lines are of interest */
    size_t *next_open; /* owned; as `next`, towards the next of these */
    uint8_t *looks;    /* owned; how many lines more have covered the address, or that one had another name */
    bool has_elders;   /* the lines that come are of who told before: names of their own are no other ones */
    struct arena *arena; /* borrowed; what the names live in */
};

/* `names` get what is found, and are empty until then. */
void perf_map_init(struct perf_map *map, const uint64_t *avmas, size_t count, struct slice *names,
                   struct arena *arena);

void perf_map_done(struct perf_map *map);

/* Whether lines that are not taken yet may tell something. */
bool perf_map_wants_more(const struct perf_map *map);

/* Whether the address had another name before the one that it has; of many lines the last few tell that. */
bool perf_map_is_reused(const struct perf_map *map, size_t index);

/*
 * Takes lines that stand before all that were taken so far. Those of another form, and those with no size or
 * no name, are left out. O(lines * log count) for all calls together, whatever they say.
 */
void perf_map_take(struct perf_map *map, struct slice lines);

#endif

/*
 * Names of code that a process makes at run time, as it tells them to profilers: lines "START SIZE NAME" with
 * numbers in hexadecimal, in /tmp/perf-PID.map (linux/tools/perf/Documentation/jit-interface.txt). Written by
 * Node.js, Java agents, .NET, Python and others.
 *
 * The lines carry no time. Where code was replaced by other code at the same address, the one told of last
 * counts for all samples.
 */
#ifndef SYMBOLIZE_PERF_MAP_H
#define SYMBOLIZE_PERF_MAP_H

#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

enum { PERF_MAP_MOST_BYTES = 128 << 20, PERF_MAP_MOST_LINES = 1 << 20 };

/* One line. */
struct perf_map_code {
    uint64_t start_avma;
    uint64_t end_avma;
    struct slice name;
};

/* Zero-initialised is empty; to be released with perf_map_done. */
struct perf_map {
    struct perf_map_code *codes; /* owned; in the order of the lines */
    uint64_t *bounds;            /* owned; rising; where what counts may change */
    uint32_t *owners;            /* owned; from each bound to the next: place in `codes`, or UINT32_MAX */
    size_t bound_count;
};

/*
 * Takes the lines apart. `content` is borrowed as long as the result lives. Lines of another form, those with
 * no size or no name, and those past PERF_MAP_MOST_LINES are left out. O(n log n) whatever they say.
 */
void perf_map_parse(struct slice content, struct perf_map *out);

void perf_map_done(struct perf_map *map);

/* The code at the address, or NULL. */
const struct perf_map_code *perf_map_find(const struct perf_map *map, uint64_t avma);

/*
 * Reads the file. Anyone may have put something of that name into /tmp, so it must be a regular file, no
 * link, and belong to us or to root; we being root it may be anyone's. Returns 0, or -1: ERROR_MISSING when
 * there is none, ERROR_DENIED for one that is not as it must be, ERROR_FORMAT for more than
 * PERF_MAP_MOST_BYTES, ERROR_IO.
 */
MUST_CHECK int perf_map_read(const char *path, struct text *content, struct error *err);

/* The same of a file that is open already, at "/proc/self/fd/N". */
MUST_CHECK int perf_map_read_open(const char *place, struct text *content, struct error *err);

#endif

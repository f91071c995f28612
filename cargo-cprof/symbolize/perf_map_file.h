/* The file in which a process tells names of the code that it makes: which one is taken, and how much of it.
 */
#ifndef SYMBOLIZE_PERF_MAP_FILE_H
#define SYMBOLIZE_PERF_MAP_FILE_H

#include "base/error.h"
#include "symbolize/perf_map.h"

/*
 * Reads no more than the last of these, so that a file with no end costs a second and not an hour, and in
 * steps of these, which is what a longer line is cut at.
 */
enum { PERF_MAP_MOST_BYTES = 512 << 20, PERF_MAP_STEP_BYTES = 16 << 10 };

struct perf_map_file {
    const char *path;  /* for messages */
    const char *place; /* where it is to be opened, a file that is open already ("/proc/self/fd/3"); NULL: at
                          the path */
    uint64_t begun_unix_ns;  /* when the process began that is to tell; 0: not known */
    uint64_t reused_unix_ns; /* when another one began that has its number now; 0: none is known */
};

/*
 * Finds names for the map's addresses, from the file's end on until all have one. Anyone may have put
 * something of that name into /tmp, so it must be a regular file, no link, and belong to us or to root; we
 * being root it may be anyone's. One that was last written before the process began is of an earlier process
 * of that number, and one that was written to since a later one began is of that. Returns 0, or -1:
 * ERROR_MISSING when there is none, ERROR_DENIED for one that is not as it must be, ERROR_IO, ERROR_FORMAT
 * when it goes on before its last PERF_MAP_MOST_BYTES and these did not name all. Of the latter two the names
 * that were found stand.
 */
MUST_CHECK int perf_map_read(const struct perf_map_file *file, struct perf_map *map, struct error *err);

#endif

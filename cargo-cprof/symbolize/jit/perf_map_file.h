/* The file in which a process tells names of the code that it makes: which one is taken, and how much of it.
 */
#ifndef SYMBOLIZE_JIT_PERF_MAP_FILE_H
#define SYMBOLIZE_JIT_PERF_MAP_FILE_H

#include "symbolize/jit/perf_map.h"
#include "symbolize/jit/told_file.h"

/*
 * Reads no more than the last of these, so that a file with no end costs a second and not an hour, and in
 * steps of these, which is what a longer line is cut at.
 */
enum { PERF_MAP_MOST_BYTES = 512 << 20, PERF_MAP_STEP_BYTES = 16 << 10 };

/*
 * Finds names for the map's addresses, from the file's end on until nothing more is of interest. Returns 0,
 * or -1 with the failures of told_file_open, and ERROR_FORMAT when it goes on before its last
 * PERF_MAP_MOST_BYTES and these did not name all. The names that were found by then stand.
 */
MUST_CHECK int perf_map_read(const struct told_file *file, struct perf_map *map, struct error *err);

#endif

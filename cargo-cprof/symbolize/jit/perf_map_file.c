#include "symbolize/jit/perf_map_file.h"

#include "base/file.h"

/*
 * The lines that end at `*end`, as many as are whole in a step, and moves that to where they begin. Of a line
 * that is longer there are none until its start comes. `bytes` has room for a step.
 */
static int read_lines(const struct told_file *file, int descriptor, uint64_t *end, char *bytes,
                      struct slice *lines, struct error *err)
{
    size_t length = *end < PERF_MAP_STEP_BYTES ? (size_t)*end : PERF_MAP_STEP_BYTES;
    size_t start = 0;

    if (file_read_at(descriptor, file->path, *end - length, bytes, length, err) < 0)
        return -1;
    /* What it begins with is the rest of a line; that the last line ends tells nothing of where one starts.
     */
    if (length < *end)
        start = slice_find_byte((struct slice){bytes, length - 1}, '\n') + 1;
    *lines = slice_range((struct slice){bytes, length}, start, length);
    *end -= lines->length > 0 ? lines->length : length;
    return 0;
}

int perf_map_read(const struct told_file *file, struct perf_map *map, struct error *err)
{
    SCOPED(file_close_descriptor) int descriptor = -1;
    char bytes[PERF_MAP_STEP_BYTES];
    struct slice lines = {0};
    uint64_t end = 0;
    uint64_t least = 0;

    if (told_file_open(file, &descriptor, &end, err) < 0)
        return -1;
    least = end < PERF_MAP_MOST_BYTES ? 0 : end - PERF_MAP_MOST_BYTES;
    while (end > least && perf_map_wants_more(map)) {
        if (read_lines(file, descriptor, &end, bytes, &lines, err) < 0)
            return -1;
        perf_map_take(map, lines);
    }
    if (end > 0 && map->named_count < map->count)
        return error_set(err, ERROR_FORMAT, "the last %d MiB of %s do not tell of it",
                         PERF_MAP_MOST_BYTES >> 20, file->path);
    return 0;
}

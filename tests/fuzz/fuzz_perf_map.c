/*
 * The names that a process tells of code it made: whatever they say, each address has the name of the last
 * line that covers it, also when the lines come in two parts.
 */
#include <stdint.h>
#include <stdlib.h>

#include "symbolize/jit/perf_map.h"

enum { COUNT = 64, STEP = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    SCOPED(arena_done) struct arena arena = {0};
    struct slice lines = {(const char *)data, size};
    size_t half = slice_find_byte(slice_range(lines, size / 2, size), '\n') + size / 2 + 1;
    struct slice whole[COUNT];
    struct slice parts[COUNT];
    uint64_t avmas[COUNT];
    struct perf_map map;

    for (uint64_t i = 0; i < COUNT; i++)
        avmas[i] = i < COUNT / 2 ? i * STEP : 0x1000 + i * STEP;
    perf_map_init(&map, avmas, COUNT, whole, &arena);
    perf_map_take(&map, lines);
    perf_map_done(&map);
    perf_map_init(&map, avmas, COUNT, parts, &arena);
    perf_map_take(&map, slice_range(lines, half, size));
    perf_map_take(&map, slice_range(lines, 0, half));
    perf_map_done(&map);
    for (size_t i = 0; i < COUNT; i++)
        if (!slice_equal(whole[i], parts[i]))
            abort();
    return 0;
}

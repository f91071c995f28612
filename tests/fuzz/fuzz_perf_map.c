/* The names that a process tells of code it made: whatever they say, each place has one owner that covers it.
 */
#include <stdint.h>
#include <stdlib.h>

#include "symbolize/perf_map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct perf_map map;

    perf_map_parse((struct slice){(const char *)data, size}, &map);
    for (size_t i = 0; i < map.bound_count; i++) {
        const struct perf_map_code *code = perf_map_find(&map, map.bounds[i]);

        if (i > 0 && map.bounds[i] <= map.bounds[i - 1])
            abort();
        if (code &&
            (code->start_avma > map.bounds[i] || code->end_avma <= map.bounds[i] || code->name.length == 0))
            abort();
    }
    perf_map_done(&map);
    return 0;
}

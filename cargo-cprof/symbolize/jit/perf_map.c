#include "symbolize/jit/perf_map.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/scan.h"
#include "base/search.h"

/* One line. */
struct told_code {
    uint64_t start_avma;
    uint64_t end_avma;
    struct slice name;
};

/* So that any number of lines for the same addresses takes time for each of both but once. */
enum { MOST_LOOKS = 8, LOOKS_OF_REUSED = UINT8_MAX };

void perf_map_init(struct perf_map *map, const uint64_t *avmas, size_t count, struct slice *names,
                   struct arena *arena)
{
    *map = (struct perf_map){.avmas = avmas, .count = count, .names = names, .arena = arena};
    map->next = memory_new(count + 1, sizeof(*map->next));
    map->next_open = memory_new(count + 1, sizeof(*map->next_open));
    map->looks = memory_new(count + 1, sizeof(*map->looks));
    map->open_count = count;
    for (size_t i = 0; i <= count; i++)
        map->next[i] = map->next_open[i] = i;
    for (size_t i = 0; i < count; i++)
        names[i] = (struct slice){0};
}

void perf_map_done(struct perf_map *map)
{
    free(map->next);
    free(map->next_open);
    free(map->looks);
    *map = (struct perf_map){0};
}

bool perf_map_wants_more(const struct perf_map *map)
{
    return map->named_count < map->count || (map->open_count > 0 && !map->has_elders);
}

bool perf_map_is_reused(const struct perf_map *map, size_t index)
{
    return map->looks[index] == LOOKS_OF_REUSED;
}

/* Some write the numbers as 0x1f00. */
static bool take_number(struct scan *scan, uint64_t *value)
{
    (void)scan_text(scan, "0x");
    return scan_hex(scan, value) && scan_byte(scan, ' ');
}

static bool parse_line(struct slice line, struct told_code *out)
{
    struct scan scan = scan_of(line);
    uint64_t size_bytes = 0;

    if (!take_number(&scan, &out->start_avma) || !take_number(&scan, &size_bytes) || size_bytes == 0 ||
        size_bytes > UINT64_MAX - out->start_avma)
        return false;
    out->end_avma = out->start_avma + size_bytes;
    out->name = slice_trim(scan.rest);
    return out->name.length > 0;
}

/* The first address that is not before this one. */
static size_t first_from(const struct perf_map *map, uint64_t avma)
{
    return search_number(map->avmas, map->count, SEARCH_PLAIN(map->avmas), avma, false);
}

/* The first from `at` on that is not passed over; the way there is shortened for those who ask next. */
static size_t first_left(size_t *next, size_t at)
{
    while (next[at] != at) {
        next[at] = next[next[at]];
        at = next[at];
    }
    return at;
}

static void give_name(struct perf_map *map, const struct told_code *code)
{
    struct slice name = {0};

    for (size_t i = first_left(map->next, first_from(map, code->start_avma));
         i < map->count && map->avmas[i] < code->end_avma; i = first_left(map->next, i)) {
        if (name.length == 0)
            name = arena_slice(map->arena, code->name);
        map->names[i] = name;
        map->next[i] = i + 1;
        map->named_count++;
    }
}

/* Notes which of the addresses that have a name from a later line had another one by this. */
static void compare_names(struct perf_map *map, const struct told_code *code)
{
    for (size_t i = first_left(map->next_open, first_from(map, code->start_avma));
         i < map->count && map->avmas[i] < code->end_avma; i = first_left(map->next_open, i + 1)) {
        bool is_other = map->names[i].length > 0 && !slice_equal(map->names[i], code->name);

        if (map->names[i].length == 0 || (!is_other && ++map->looks[i] < MOST_LOOKS))
            continue;
        if (is_other)
            map->looks[i] = LOOKS_OF_REUSED;
        map->next_open[i] = i + 1;
        map->open_count--;
    }
}

void perf_map_take(struct perf_map *map, struct slice lines)
{
    struct told_code code = {0};

    while (lines.length > 0 && perf_map_wants_more(map)) {
        struct slice line = slice_range(lines, 0, lines.length - (lines.data[lines.length - 1] == '\n'));
        size_t before = slice_find_last_byte(line, '\n');
        size_t start = before < line.length ? before + 1 : 0;

        if (parse_line(slice_range(line, start, line.length), &code)) {
            if (!map->has_elders)
                compare_names(map, &code);
            give_name(map, &code);
        }
        lines = slice_range(lines, 0, start);
    }
}

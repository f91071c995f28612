#include "symbolize/perf_map.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/scan.h"
#include "base/vec.h"

enum { NO_OWNER = UINT32_MAX };

void perf_map_done(struct perf_map *map)
{
    free(map->codes);
    free(map->bounds);
    free(map->owners);
    *map = (struct perf_map){0};
}

/* Some write the numbers as 0x1f00. */
static bool take_number(struct scan *scan, uint64_t *value)
{
    (void)scan_text(scan, "0x");
    return scan_hex(scan, value) && scan_byte(scan, ' ');
}

static bool parse_line(struct slice line, struct perf_map_code *out)
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

static int compare_bounds(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;

    return a < b ? -1 : a > b;
}

/* Where each code starts and ends, once. */
static void collect_bounds(struct perf_map *map, size_t code_count)
{
    size_t count = 0;

    map->bounds = memory_new(2 * code_count, sizeof(*map->bounds));
    for (size_t i = 0; i < code_count; i++) {
        map->bounds[2 * i] = map->codes[i].start_avma;
        map->bounds[2 * i + 1] = map->codes[i].end_avma;
    }
    qsort(map->bounds, 2 * code_count, sizeof(*map->bounds), compare_bounds);
    for (size_t i = 0; i < 2 * code_count; i++)
        if (count == 0 || map->bounds[count - 1] != map->bounds[i])
            map->bounds[count++] = map->bounds[i];
    map->bound_count = count;
}

/* How many bounds are at the address or before it. */
static size_t bounds_up_to(const struct perf_map *map, uint64_t avma)
{
    size_t low = 0;
    size_t high = map->bound_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (map->bounds[middle] <= avma)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first free place from `place` on; the way there is shortened for those who ask next. */
static uint32_t first_free(uint32_t *next, uint32_t place)
{
    while (next[place] != place) {
        next[place] = next[next[place]];
        place = next[place];
    }
    return place;
}

/* The last line first; those before it get what is still free. */
static void give_owners(struct perf_map *map, size_t code_count)
{
    SCOPED(memory_free_at) uint32_t *next = memory_new(map->bound_count, sizeof(*next));

    map->owners = memory_new(map->bound_count, sizeof(*map->owners));
    for (size_t i = 0; i < map->bound_count; i++) {
        next[i] = (uint32_t)i;
        map->owners[i] = NO_OWNER;
    }
    for (size_t i = code_count; i > 0; i--) {
        const struct perf_map_code *code = &map->codes[i - 1];
        uint32_t place = (uint32_t)bounds_up_to(map, code->start_avma) - 1;

        for (place = first_free(next, place); map->bounds[place] < code->end_avma;
             place = first_free(next, place)) {
            map->owners[place] = (uint32_t)i - 1;
            next[place] = place + 1;
        }
    }
}

void perf_map_parse(struct slice content, struct perf_map *out)
{
    struct scan scan = scan_of(content);
    struct slice line;
    VEC(struct perf_map_code) codes = {0};
    struct perf_map_code code = {0};

    *out = (struct perf_map){0};
    while (codes.count < PERF_MAP_MOST_LINES && scan_line(&scan, &line))
        if (parse_line(line, &code))
            *vec_add(&codes) = code;
    out->codes = codes.items;
    if (codes.count == 0)
        return;
    collect_bounds(out, codes.count);
    give_owners(out, codes.count);
}

const struct perf_map_code *perf_map_find(const struct perf_map *map, uint64_t avma)
{
    size_t count = bounds_up_to(map, avma);

    return count > 0 && map->owners[count - 1] != NO_OWNER ? &map->codes[map->owners[count - 1]] : NULL;
}

static bool is_trusted(const struct stat *about)
{
    return S_ISREG(about->st_mode) && (geteuid() == 0 || about->st_uid == 0 || about->st_uid == geteuid());
}

static int read_map(const char *path, int follow, struct text *content, struct error *err)
{
    /* A pipe that nobody writes to must not hold us up. */
    SCOPED(file_close_descriptor) int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | follow);
    struct stat about;

    if (descriptor < 0)
        return error_set(err,
                         errno == ENOENT  ? ERROR_MISSING
                         : errno == ELOOP ? ERROR_DENIED
                                          : ERROR_IO,
                         "open %s: %s", path, strerror(errno));
    if (fstat(descriptor, &about) < 0 || !is_trusted(&about))
        return error_set(err, ERROR_DENIED, "%s is not a regular file of ours", path);
    return file_read_descriptor(descriptor, path, PERF_MAP_MOST_BYTES, content, err);
}

int perf_map_read(const char *path, struct text *content, struct error *err)
{
    return read_map(path, O_NOFOLLOW, content, err);
}

int perf_map_read_open(const char *place, struct text *content, struct error *err)
{
    return read_map(place, 0, content, err);
}

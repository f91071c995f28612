#include "account/data_map.h"

#include "base/search.h"

/* --- Cutting ---------------------------------------------------------------------------- */

/* The index of the first start at or past the address. */
static size_t start_from(const struct references *references, uint64_t svma)
{
    return search_number(references->starts.items, references->starts.count,
                         SEARCH_PLAIN(references->starts.items), svma, false);
}

static void add_piece(struct data_map *map, const struct code_range *range, uint64_t start, uint64_t end)
{
    bool is_symbol = range->function < map->symbols.functions.count;

    if (start < end)
        *vec_add(&map->items) = (struct data_piece){.svma = start,
                                                    .size_bytes = end - start,
                                                    .section = range->section,
                                                    .symbol = is_symbol ? range->function : DATA_NO_SYMBOL,
                                                    .owner = OWNER_NONE};
}

/* What no symbol covers goes to pieces. */
static void cut(struct data_map *map, const struct references *references, const struct code_range *range)
{
    uint64_t end = range->svma + range->size_bytes;
    uint64_t at = range->svma;

    for (size_t i = start_from(references, at); i < references->starts.count; i++) {
        uint64_t start = references->starts.items[i];

        if (start - range->svma >= range->size_bytes)
            break;
        add_piece(map, range, at, start);
        at = start;
    }
    add_piece(map, range, at, end);
}

/* --- Finding by address ----------------------------------------------------------------- */

static void map_places(const struct code_map *code, struct data_map *map)
{
    VEC(struct interval) places = {0};
    uint32_t unnamed = (uint32_t)code->functions.count;

    for (size_t i = 0; i < code->ranges.count; i++) {
        const struct code_range *range = &code->ranges.items[i];

        if (range->function != CODE_PADDING)
            *vec_add(&places) = interval_of(range->svma, range->size_bytes,
                                            range->function == CODE_UNNAMED ? unnamed : range->function);
    }
    map->function_count = unnamed + 1;
    for (size_t i = 0; i < map->items.count; i++)
        *vec_add(&places) = interval_of(map->items.items[i].svma, map->items.items[i].size_bytes,
                                        map->function_count + (uint32_t)i);
    map->places = intervals_flatten(places.items, places.count);
    vec_done(&places);
}

int data_map_build(struct image *image, const struct symbols *symbols, const struct code_map *code,
                   const struct references *references, struct data_map *out, struct error *err)
{
    struct data_map map = {0};

    if (code_map_build_data(image, symbols, references_is_data, &map.symbols, err) < 0)
        return -1;
    for (size_t i = 0; i < map.symbols.ranges.count; i++) {
        const struct code_range *range = &map.symbols.ranges.items[i];

        if (range->function < map.symbols.functions.count)
            add_piece(&map, range, range->svma, range->svma + range->size_bytes);
        else
            cut(&map, references, range);
    }
    map_places(code, &map);
    *out = map;
    return 0;
}

uint32_t data_map_owner_at(const struct data_map *map, uint64_t svma)
{
    uint32_t id = intervals_find(&map->places, svma);

    if (id == INTERVAL_NONE || id < map->function_count)
        return id == INTERVAL_NONE ? OWNER_NONE : id;
    return map->items.items[id - map->function_count].owner;
}

void data_map_done(struct data_map *map)
{
    vec_done(&map->items);
    code_map_done(&map->symbols);
    intervals_done(&map->places);
    *map = (struct data_map){0};
}

/* Any bytes as an ELF file: symbols and the maps of its code and of all bytes, whose parts must sum to the
 * whole. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "account/file_map.h"
#include "elf/image.h"
#include "elf/symbols.h"
#include "size/code_map.h"

/* What is read for some addresses is part of all. */
static void read_around(struct image *image, const struct symbols *all)
{
    enum { PLACES = 3 };
    uint64_t svmas[PLACES] = {0};
    struct symbols some;
    struct error err = {0};

    for (size_t i = 0; i < PLACES && all->count > 0; i++)
        svmas[i] = all->items[i * (all->count - 1) / PLACES].svma;
    if (svmas[0] > svmas[1] || svmas[1] > svmas[2])
        svmas[1] = svmas[2] = svmas[0];
    if (symbols_read_around(image, &(struct places){svmas, PLACES}, &some, &err) < 0 ||
        some.count > all->count || some.source != all->source)
        abort();
    symbols_done(&some);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Says which promise was broken, then crashes. */
#define require(holds) ((holds) ? (void)0 : (fprintf(stderr, "broken: %s\n", #holds), abort()))

static void check_map(const struct code_map *map)
{
    uint64_t ranges_bytes = 0;
    uint64_t functions_bytes = map->padding_bytes + map->unnamed_bytes;

    for (size_t i = 0; i < map->ranges.count; i++) {
        const struct code_range *range = &map->ranges.items[i];

        require(range->size_bytes > 0);
        require(i == 0 || range[-1].section != range->section ||
                range[-1].svma + range[-1].size_bytes == range->svma);
        ranges_bytes += range->size_bytes;
    }
    for (size_t i = 0; i < map->functions.count; i++)
        functions_bytes += map->functions.items[i].size_bytes;
    require(ranges_bytes == map->total_bytes);
    require(functions_bytes == map->total_bytes);
}

static void check_file_map(const struct image *image)
{
    struct file_map map;
    uint64_t bytes = 0;

    file_map_build(image, &map);
    for (size_t i = 0; i < map.parts.count; i++)
        bytes += map.parts.items[i].file_bytes;
    require(bytes == image->size_bytes);
    file_map_done(&map);
}

static void map_sections(struct image *image, const struct symbols *symbols)
{
    enum { MOST_SECTIONS = 8 };

    for (size_t i = 0; i < image->sections.count && i < MOST_SECTIONS; i++) {
        struct code_map map;
        struct error err = {0};

        if (code_map_build(image, symbols, image->sections.items[i].name, &map, &err) < 0)
            continue;
        check_map(&map);
        code_map_done(&map);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct image image;
    struct symbols symbols;
    struct error err = {0};

    if (image_open_bytes((struct slice){(const char *)data, size}, "input", &image, &err) < 0)
        return 0;
    check_file_map(&image);
    if (symbols_read(&image, &symbols, &err) == 0) {
        map_sections(&image, &symbols);
        read_around(&image, &symbols);
        symbols_done(&symbols);
    }
    image_close(&image);
    return 0;
}

/* Any bytes as a linked file: whose its code is, and from which lines; the pieces must sum to the code. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "size/lines.h"
#include "size/used/used.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Says which promise was broken, then crashes. */
#define require(holds) ((holds) ? (void)0 : (fprintf(stderr, "broken: %s\n", #holds), abort()))

static void add_piece(void *context, const struct code_piece *piece)
{
    uint64_t *total = context;

    require(piece->size_bytes > 0);
    *total += piece->size_bytes;
}

static void attribute(const struct code_map *map, const struct symbols *symbols, struct debug_info *debug)
{
    struct size_crates crates = {0};
    struct used *used = memory_new(map->functions.count, sizeof(*used));
    struct used_request request = {.map = map, .symbols = symbols, .debug = debug};
    uint64_t total = 0;

    used_find(&request, &crates, used);
    for (size_t i = 0; i < map->functions.count; i++)
        require(used[i].crate == SIZE_NO_CRATE || used[i].crate < crates.items.count);
    lines_walk(debug, map, add_piece, &total);
    require(total == map->total_bytes);
    free(used);
    size_crates_done(&crates);
}

static void measure(struct image *image)
{
    struct symbols symbols = {0};
    struct code_map map = {0};
    struct debug_info debug;
    struct error err = {0};

    if (symbols_read(image, &symbols, &err) < 0)
        return;
    if (code_map_build(image, &symbols, (struct slice){".text", 5}, &map, &err) == 0 &&
        debug_info_open(image, DEBUG_WHOLE, &debug, &err) == 0) {
        attribute(&map, &symbols, &debug);
        debug_info_close(&debug);
    }
    code_map_done(&map);
    symbols_done(&symbols);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct image image;
    struct error err = {0};

    if (image_open_bytes((struct slice){(const char *)data, size}, "input", &image, &err) < 0)
        return 0;
    measure(&image);
    image_close(&image);
    return 0;
}

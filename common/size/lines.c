#include "size/lines.h"

/* What the next change after an address is: the start of the first row past it. */
static uint64_t next_interval(const struct interval_rows *rows, uint64_t svma, uint64_t end)
{
    size_t next = intervals_after(rows, svma);

    return next < rows->count && rows->items[next].start < end ? rows->items[next].start : end;
}

/* What stands at the address, and where it ends: at `end` at the latest. */
static uint64_t fill_source(const struct unit_details *details, uint64_t svma, uint64_t end,
                            struct code_piece *piece)
{
    const struct line_row *row = line_table_find(&details->lines, svma);
    const struct line_row *rows = details->lines.rows.items;
    size_t next = line_table_after(&details->lines, svma);
    uint32_t frame = functions_find(&details->functions, svma);

    if (row) {
        piece->file = row->file;
        piece->line = row->line;
    }
    if (frame != FRAME_NONE)
        piece->name = details->functions.frames.items[frame].name;
    if (next < details->lines.rows.count && rows[next].svma < end)
        end = rows[next].svma;
    return next_interval(&details->functions.rows, svma, end);
}

static void walk_range(struct debug_info *info, const struct code_range *range, lines_visit *visit,
                       void *context)
{
    uint64_t svma = range->svma;
    uint64_t range_end = range->svma + range->size_bytes;

    while (svma < range_end) {
        struct code_piece piece = {
            .svma = svma,
            .function = range->function,
            .unit = units_find(&info->units, svma),
            .name = FRAME_NONE,
            .file = LINE_NO_FILE,
        };
        uint64_t end = next_interval(&info->units.rows, svma, range_end);

        if (piece.unit != UNIT_NONE)
            end = fill_source(&info->details[piece.unit], svma, end, &piece);
        piece.size_bytes = end - svma;
        visit(context, &piece);
        svma = end;
    }
}

void lines_walk(struct debug_info *info, const struct code_map *map, lines_visit *visit, void *context)
{
    debug_info_read_all(info, 0);
    for (size_t i = 0; i < map->ranges.count; i++) {
        const struct code_range *range = &map->ranges.items[i];

        if (range->function < map->functions.count)
            walk_range(info, range, visit, context);
        else
            visit(context, &(struct code_piece){.svma = range->svma,
                                                .size_bytes = range->size_bytes,
                                                .function = range->function,
                                                .unit = UNIT_NONE,
                                                .name = FRAME_NONE,
                                                .file = LINE_NO_FILE});
    }
}

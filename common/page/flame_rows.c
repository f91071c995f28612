#include "page/flame_rows.h"

#include "page/flame_least_weight.h"

void flame_rows_begin(struct flame_rows *rows, uint64_t whole, unsigned width_px)
{
    *rows = (struct flame_rows){
        .least = flame_weight_of_width(FLAME_LEAST_PX, whole, width_px),
        .lone = flame_weight_of_width(FLAME_LONE_PX, whole, width_px),
    };
}

void flame_rows_done(struct flame_rows *rows)
{
    vec_done(&rows->items);
}

bool flame_rows_place(struct flame_rows *rows, const struct flame_frame *frame, uint64_t *start)
{
    uint64_t end = frame->start + frame->weight;
    bool is_first = rows->items.count <= frame->depth;
    struct flame_row *row = NULL;
    bool is_lone = false;

    while (rows->items.count <= frame->depth)
        *vec_add(&rows->items) = (struct flame_row){0};
    row = &rows->items.items[frame->depth];
    is_lone = is_first || frame->start - row->end >= rows->least;
    if (is_lone || frame->weight >= rows->least)
        row->edge = frame->start;
    row->end = end;
    if (end - row->edge < rows->least && !(is_lone && frame->weight >= rows->lone))
        return false;
    *start = row->edge;
    row->edge = end;
    return true;
}

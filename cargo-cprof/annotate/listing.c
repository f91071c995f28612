#include "annotate/listing.h"

#include <stdlib.h>

#include "base/memory.h"

enum { SELF, TOTAL, PLACE, LINE };

void listing_add_columns(struct rows *rows, const char *place_title, const char *line_title)
{
    rows_add_column(rows, (struct column){COLUMN_AMOUNT, "Self", NULL, 0, 0});
    rows_add_column(rows, (struct column){COLUMN_AMOUNT, "Total", NULL, 0, 0});
    rows_add_column(rows, (struct column){COLUMN_AMOUNT, place_title, NULL, 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, line_title, NULL, 0, 0});
    rows->are_lines = true;
}

void listing_rows_done(struct listing_rows *rows)
{
    rows_done(&rows->people);
    rows_done(&rows->programs);
}

static struct slice share_of(struct rows *rows, uint64_t weight, uint64_t whole)
{
    if (weight == 0 || whole == 0)
        return SLICE("");
    return slice_of(arena_format(&rows->arena, "%.1f%%", 100 * (double)weight / (double)whole));
}

void listing_add(struct rows *rows, const struct weights *weights, uint64_t whole, const char *place,
                 struct slice line)
{
    union cell *cells = rows_add(rows);

    cells[SELF].text = weights ? share_of(rows, weights->self, whole) : SLICE("");
    cells[TOTAL].text = weights ? share_of(rows, weights->total, whole) : SLICE("");
    cells[PLACE].text = place ? slice_of(arena_copy(&rows->arena, slice_of(place))) : SLICE("");
    cells[LINE].text = arena_slice(&rows->arena, line);
}

void listing_mark_hot(struct rows *rows, const struct weights *weights, const struct weights *of_piece)
{
    static const double hot_share = 0.1;

    if (listing_is_heavy(weights, of_piece, hot_share))
        rows_set_look(rows, ROW_HOT);
}

void listing_add_gap(struct rows *rows)
{
    listing_add(rows, NULL, 0, NULL, SLICE("..."));
    rows_set_look(rows, ROW_FAINT);
}

void listing_add_heading(struct rows *rows, const struct weights *weights, uint64_t whole,
                         struct slice heading)
{
    if (rows_count(rows) > 0)
        listing_add(rows, NULL, whole, NULL, SLICE(""));
    listing_add(rows, weights, whole, NULL, heading);
    rows_set_look(rows, ROW_HEADING);
}

bool listing_is_heavy(const struct weights *weights, const struct weights *of_piece, double least_share)
{
    return weights->total > 0 && (double)weights->total >= least_share * (double)of_piece->total;
}

struct ordered_group {
    struct weights weights;
    uint32_t group;
};

static int compare_groups(const void *left, const void *right)
{
    const struct ordered_group *a = left;
    const struct ordered_group *b = right;

    if (a->weights.self != b->weights.self)
        return a->weights.self < b->weights.self ? 1 : -1;
    if (a->weights.total != b->weights.total)
        return a->weights.total < b->weights.total ? 1 : -1;
    return (a->group > b->group) - (a->group < b->group);
}

size_t listing_order(const struct marks *marks, double least_share, uint32_t **out)
{
    SCOPED(memory_free_at) struct ordered_group *groups = memory_new(marks->group_count + 1, sizeof(*groups));
    size_t count = 0;

    for (uint32_t i = 0; i < marks->group_count; i++)
        groups[i] = (struct ordered_group){marks->group_weights[i], i};
    if (marks->group_count > 1)
        qsort(groups, marks->group_count, sizeof(*groups), compare_groups);
    *out = memory_new(marks->group_count + 1, sizeof(uint32_t));
    for (size_t i = 0; i < marks->group_count; i++)
        if (listing_is_heavy(&groups[i].weights, &groups[0].weights, least_share))
            (*out)[count++] = groups[i].group;
    return count;
}

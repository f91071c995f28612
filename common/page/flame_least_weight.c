#include "page/flame_least_weight.h"

#include "base/compiler.h"
#include "base/memory.h"
#include "base/pair_index.h"
#include "base/vec.h"
#include "page/flame_rows.h"
#include "page/flame_titles.h"

/* Boxes of one weight: one of them, or some that stand side by side. */
struct box_size {
    uint64_t weight; /* of each */
    uint64_t self;   /* of all, as the next */
    size_t bytes;    /* in the file */
};

/* Boxes as candidates to go, the widest first, and what all boxes that are left take. */
struct box_sizes {
    VEC(struct box_size) items;
    size_t bytes;
    const uint32_t *of_frames; /* what each takes, by frame */
};

static int compare_weights(const void *left, const void *right)
{
    const struct box_size *a = left;
    const struct box_size *b = right;

    return a->weight == b->weight ? 0 : a->weight > b->weight ? -1 : 1;
}

/* What text takes as XML: "&lt;" for a "<". */
static size_t xml_bytes(struct slice text)
{
    size_t bytes = text.length;

    for (size_t i = 0; i < text.length; i++)
        bytes += text.data[i] == '<' || text.data[i] == '>' ? 3 : text.data[i] == '&' ? 4 : 0;
    return bytes;
}

/* The least weights of boxes that are in the file, that are elements there, that have a title of their own.
 */
struct box_weights {
    uint64_t least;
    uint64_t seen;
    uint64_t titled;
};

/*
 * About what each box takes in the file: figures; an element, of which those that are too narrow to be seen
 * have one together; label and title where it has some, and else those lines of titles that are its first:
 * as good as always frames with one name have the very same bytes. To be freed.
 */
static uint32_t *find_bytes(const struct flame_frame *frames, size_t count, struct box_weights weights)
{
    enum { ELEMENT_BYTES = 66, TITLE_BYTES = 50 };
    SCOPED(pair_index_done) struct pair_index known = {0};
    uint32_t *bytes = memory_new(count + 1, sizeof(*bytes));

    for (size_t i = 0; i < count; i++) {
        const struct flame_frame *frame = &frames[i];
        size_t before = known.pairs.count;

        if (frame->weight < weights.least)
            continue;
        bytes[i] = FLAME_BOX_LEAST_BYTES +
                   (uint32_t)(ELEMENT_BYTES * lesser(frame->weight, weights.seen) / weights.seen);
        if (frame->weight >= weights.titled ||
            pair_index_add(&known, (uintptr_t)frame->name.data, 0) == before)
            bytes[i] += (uint32_t)(TITLE_BYTES + xml_bytes(frame->name) + frame->detail.length +
                                   frame->figures.length);
    }
    return bytes;
}

static size_t sum_of(const uint32_t *bytes, size_t count)
{
    size_t sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += bytes[i];
    return sum;
}

/* Calls that call one another alone have one weight, and so have most boxes that nobody sees. */
static void add_size(struct box_sizes *sizes, const struct flame_frame *frames, size_t index)
{
    const struct flame_frame *frame = &frames[index];
    size_t count = sizes->items.count;

    if (count == 0 || sizes->items.items[count - 1].weight != frame->weight)
        *vec_add(&sizes->items) = (struct box_size){.weight = frame->weight};
    count = sizes->items.count;
    sizes->items.items[count - 1].self += frame->self;
    sizes->items.items[count - 1].bytes += sizes->of_frames[index];
}

/* The boxes of these weights, `end` not among them. */
static void find_between(const struct flame_frame *frames, size_t count, uint64_t least, uint64_t end,
                         struct box_sizes *out)
{
    out->items.count = 0;
    for (size_t i = 0; i < count; i++)
        if (frames[i].weight >= least && frames[i].weight < end)
            add_size(out, frames, i);
    vec_sort(&out->items, compare_weights);
}

/*
 * Leaves out boxes that nobody sees, which are the candidates, of a large file, as long as little is spent in
 * them. The least weight then.
 */
static uint64_t leave_out_unseen(struct box_sizes *sizes, uint64_t whole, uint64_t least)
{
    enum { LARGE_BYTES = 1000000, LITTLE = 200 /* one in so many */ };
    uint64_t self = 0;

    while (sizes->bytes > LARGE_BYTES && sizes->items.count > 0) {
        size_t count = sizes->items.count;
        uint64_t weight = sizes->items.items[count - 1].weight;

        /* Boxes of one width go together. */
        for (; count > 0 && sizes->items.items[count - 1].weight == weight; count--)
            self += sizes->items.items[count - 1].self;
        if (self > whole / LITTLE)
            break;
        for (; sizes->items.count > count; sizes->items.count--)
            sizes->bytes -= sizes->items.items[sizes->items.count - 1].bytes;
        least = weight + 1;
    }
    return least;
}

/* How many rows from the root on have room in so many bytes for their boxes of this weight; 0 if no box has.
 */
static uint32_t rows_with_room(const struct box_sizes *sizes, const struct flame_frame *frames, size_t count,
                               uint64_t weight, size_t room)
{
    VEC(size_t) rows = {0}; /* what the boxes of each take */
    uint32_t fitting = 0;

    for (size_t i = 0; i < count; i++) {
        if (frames[i].weight != weight)
            continue;
        while (rows.count <= frames[i].depth)
            *vec_add(&rows) = 0;
        rows.items[frames[i].depth] += sizes->of_frames[i];
    }
    for (uint32_t row = 0; row < rows.count && rows.items[row] <= room; row++) {
        room -= rows.items[row];
        if (rows.items[row] > 0)
            fitting = row + 1;
    }
    vec_done(&rows);
    return fitting;
}

/* Leaves the widest of all boxes, as many as there is room for; in charts most have one weight. */
static struct flame_least leave_out_narrowest(const struct box_sizes *sizes, const struct flame_frame *frames,
                                              size_t count)
{
    const struct box_size *items = sizes->items.items;
    size_t wider_bytes = 0;
    size_t bytes = 0;

    for (size_t i = 0; i < sizes->items.count; i++) {
        if (i > 0 && items[i].weight != items[i - 1].weight)
            wider_bytes = bytes;
        bytes += items[i].bytes;
        if (bytes > FLAME_MOST_BYTES)
            return (struct flame_least){
                .weight = items[i].weight,
                .rows = rows_with_room(sizes, frames, count, items[i].weight, FLAME_MOST_BYTES - wider_bytes),
            };
    }
    return (struct flame_least){.weight = 1, .rows = UINT32_MAX};
}

/* The same, where the root stays, and no row means that all boxes are wider. */
static struct flame_least with_root(struct flame_least least, uint64_t whole)
{
    if (whole == 0 || least.weight < whole)
        return least.rows == 0 ? (struct flame_least){.weight = least.weight + 1, .rows = UINT32_MAX} : least;
    return (struct flame_least){.weight = whole, .rows = least.rows == 0 ? 1 : least.rows};
}

uint64_t flame_weight_of_width(double width_px, uint64_t whole, unsigned picture_px)
{
    double weight = width_px * (double)whole / picture_px;
    uint64_t least = weight <= 1 ? 1 : weight < (double)whole ? (uint64_t)weight : whole;

    return (double)least < weight ? least + 1 : least;
}

struct flame_least flame_least_weight(const struct flame_frame *frames, size_t count, double min_width_px,
                                      unsigned width_px)
{
    uint64_t whole = count ? frames[0].weight : 0;
    struct flame_least least = {.weight = flame_weight_of_width(min_width_px, whole, width_px),
                                .rows = UINT32_MAX};
    struct box_weights weights = {.least = least.weight,
                                  .seen = flame_weight_of_width(FLAME_LEAST_PX, whole, width_px),
                                  .titled = flame_titles_least_weight(whole, width_px)};
    SCOPED(memory_free_at) uint32_t *of_frames = find_bytes(frames, count, weights);
    struct box_sizes sizes = {.bytes = sum_of(of_frames, count), .of_frames = of_frames};

    if (min_width_px == 0) {
        find_between(frames, count, least.weight, flame_weight_of_width(FLAME_LONE_PX, whole, width_px),
                     &sizes);
        least.weight = leave_out_unseen(&sizes, whole, least.weight);
    }
    if (sizes.bytes > FLAME_MOST_BYTES) {
        find_between(frames, count, least.weight, UINT64_MAX, &sizes);
        least = leave_out_narrowest(&sizes, frames, count);
    }
    vec_done(&sizes.items);
    least = with_root(least, whole);
    least.bytes = sizes.bytes < FLAME_MOST_BYTES ? sizes.bytes : FLAME_MOST_BYTES;
    return least;
}

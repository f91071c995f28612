#include "page/flame_least_weight.h"

#include "base/vec.h"

struct box_size {
    uint64_t weight;
    uint64_t self;
    size_t bytes; /* in the file */
};

/* Of the boxes that are left. */
struct box_sizes {
    VEC(struct box_size) items; /* the widest first */
    size_t bytes;
};

static int compare_weights(const void *left, const void *right)
{
    const struct box_size *a = left;
    const struct box_size *b = right;

    return a->weight == b->weight ? 0 : a->weight > b->weight ? -1 : 1;
}

/* About what a box takes in the file: its name in title and label, its figures twice. */
static size_t bytes_of(const struct flame_frame *frame)
{
    enum { AROUND_BYTES = 140 };

    return AROUND_BYTES + frame->name.length + frame->detail.length + frame->figures.length;
}

static void read_sizes(const struct flame_frame *frames, size_t count, uint64_t least, struct box_sizes *out)
{
    for (size_t i = 0; i < count; i++) {
        if (frames[i].weight < least)
            continue;
        *vec_add(&out->items) = (struct box_size){frames[i].weight, frames[i].self, bytes_of(&frames[i])};
        out->bytes += bytes_of(&frames[i]);
    }
    vec_sort(&out->items, compare_weights);
}

/* Leaves out what nobody sees of a large file, as long as little is spent in it. The least weight then. */
static uint64_t leave_out_unseen(struct box_sizes *sizes, uint64_t whole, unsigned width_px, uint64_t least)
{
    enum { LARGE_BYTES = 1000000, LITTLE = 200 /* one in so many */ };
    static const double seen_px = 0.1;
    uint64_t self = 0;

    while (sizes->bytes > LARGE_BYTES) {
        size_t count = sizes->items.count;
        uint64_t weight = sizes->items.items[count - 1].weight;

        /* Boxes of one width go together. */
        for (; count > 0 && sizes->items.items[count - 1].weight == weight; count--)
            self += sizes->items.items[count - 1].self;
        if ((double)weight * width_px >= seen_px * (double)whole || self > whole / LITTLE)
            break;
        for (; sizes->items.count > count; sizes->items.count--)
            sizes->bytes -= sizes->items.items[sizes->items.count - 1].bytes;
        least = weight + 1;
    }
    return least;
}

/* The least weight where the widest boxes are left, as many as there is room for. */
static uint64_t leave_out_narrowest(const struct box_sizes *sizes)
{
    size_t bytes = 0;
    size_t kept = 0;

    while (bytes <= FLAME_MOST_BYTES)
        bytes += sizes->items.items[kept++].bytes;
    /* Of boxes as wide as the first that has no room none stays. */
    return sizes->items.items[kept - 1].weight + 1;
}

uint64_t flame_least_weight(const struct flame_frame *frames, size_t count, double min_width_px,
                            unsigned width_px)
{
    struct box_sizes sizes = {0};
    uint64_t whole = count ? frames[0].weight : 0;
    double wanted = min_width_px * (double)whole / width_px;
    uint64_t least = wanted <= 1 ? 1 : wanted < (double)whole ? (uint64_t)wanted : whole;

    if ((double)least < wanted)
        least++;
    read_sizes(frames, count, least, &sizes);
    if (min_width_px == 0)
        least = leave_out_unseen(&sizes, whole, width_px, least);
    if (sizes.bytes > FLAME_MOST_BYTES)
        least = leave_out_narrowest(&sizes);
    vec_done(&sizes.items);
    return least < whole || whole == 0 ? least : whole;
}

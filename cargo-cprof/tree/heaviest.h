/* Which nodes of a tree are the heaviest, asked while it is made. */
#ifndef TREE_HEAVIEST_H
#define TREE_HEAVIEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct heavy_node {
    uint64_t weight;
    uint32_t depth; /* of one weight the one nearer to the root counts as the heavier */
};

/* Zero-initialised but for `most` is ready; to be released with heaviest_done. */
struct heaviest {
    size_t most; /* how many; 0: all are */
    /* At least the `most` heaviest of those that were asked about, in no order, as numbers that rise by
     * weight. */
    VEC(uint64_t) kept;
    bool has_least;
    uint64_t least; /* `most` are as heavy, or heavier */
};

/*
 * Whether a node may be among the `most` heaviest of those that were asked about so far, this one among them:
 * it may not be later if it is now. False only where at least `most` before it are heavier; true of some
 * where as many are, as those are looked for once for every half of `most` that it is true of. O(1) on
 * average.
 */
bool heaviest_take(struct heaviest *heaviest, struct heavy_node node);

/* To be called when all were asked about, before heaviest_has. O(most). */
void heaviest_settle(struct heaviest *heaviest);

/* Whether fewer than `most` of all are heavier than this one. */
bool heaviest_has(const struct heaviest *heaviest, struct heavy_node node);

void heaviest_done(struct heaviest *heaviest);

#endif

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
    /* As soon as there are so many a heap: each is no heavier than the two at twice its place and behind. */
    VEC(struct heavy_node) kept;
};

/*
 * Whether a node is among the `most` heaviest of those that were asked about so far, this one among them: it
 * may be later if it is now. O(log most).
 */
bool heaviest_take(struct heaviest *heaviest, struct heavy_node node);

void heaviest_done(struct heaviest *heaviest);

#endif

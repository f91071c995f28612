/* The shortest ways from the user's own functions to all that they lead to. */
#ifndef GRAPH_WAYS_H
#define GRAPH_WAYS_H

#include "graph/program.h"

/* Zero-initialised but for `program` and `is_meant` is ready for ways_find. */
struct ways {
    const struct program *program; /* borrowed */
    const bool *is_meant;          /* by group: no way begins at these; NULL: at none of them */
    uint32_t *before; /* by node: the one before it on the way; itself where a way begins; NO_NODE: no way */
    VEC(uint32_t) queue;
    size_t next; /* in the queue */
};

void ways_done(struct ways *ways);

/*
 * From the user's own functions; then, for what these do not lead to, from those of the crate that it was
 * compiled in. Linear in nodes and uses.
 */
void ways_find(struct ways *ways);

/* Whether the node is a function of a group that is meant. */
bool ways_is_meant(const struct ways *ways, uint32_t node);

/* Where the way to the node begins, NO_NODE when there is none. */
uint32_t ways_start(const struct ways *ways, uint32_t node);

#endif

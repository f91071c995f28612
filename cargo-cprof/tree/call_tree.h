/* A profile as one tree of calls: samples with the same functions above each other, wherever in them, are one
 * path. */
#ifndef TREE_CALL_TREE_H
#define TREE_CALL_TREE_H

#include "profile/totals.h"

enum call_kind {
    CALL_ROOT,     /* everything */
    CALL_THREAD,   /* all threads of one name */
    CALL_FUNCTION, /* a call of a function from its parent */
    CALL_UNKNOWN,  /* in place of the calls of samples without a stack */
    CALL_GAP,      /* of a chart of waits: time between two of them */
};

struct call_node {
    uint32_t parent;   /* always a smaller index; PROFILE_NONE for the root */
    uint32_t name;     /* string of the profile */
    uint32_t function; /* PROFILE_NONE unless a function */
    enum call_kind kind;
    uint32_t depth;          /* of the root: 0 */
    uint32_t file;           /* string: where the function is; */
    uint32_t first_line;     /* the lines in it that samples and calls were in, from the first to the last; */
    uint32_t last_line;      /* 0 when unknown */
    uint64_t inlined_weight; /* part of the total whose calls were inlined into their parent */
    uint64_t start;          /* of a chart, or if has_starts: the weight of all samples left of it */
    struct weights weights;
};

/* Whether each of the calls was inlined into its parent. */
static inline bool call_node_is_inlined(const struct call_node *node)
{
    return node->inlined_weight > 0 && node->inlined_weight >= node->weights.total;
}

/* Sets the totals of nodes, of which parents stand first, to what they and all below have of their own. */
void call_nodes_add_up(struct call_node *nodes, size_t count);

enum call_order {
    CALLS_BY_NAME,  /* a picture's: the same calls stand at the same place in the next one */
    CALLS_BY_TOTAL, /* a text's: the heaviest first, those of one weight by name */
};

/* To be released with call_tree_done. */
struct call_tree {
    VEC(struct call_node) nodes; /* the root first, a parent before its calls and theirs */
    bool is_chart;         /* in the order of time: calls have a start, and their callers' own time between */
    bool has_starts;       /* calls have a start, beside which some may be left out */
    size_t left_out_count; /* nodes that were too light to be kept, which the totals of others still hold */
    uint64_t left_out_weights[CATEGORY_COUNT]; /* what such nodes have of their own, by whose code they are */
};

/*
 * Makes the tree of one series, all of whose locations are symbolized. The root is always there, its name
 * that of the profile's command or "all".
 */
void call_tree_make(struct profile *profile, uint32_t series, enum weight weight, enum call_order order,
                    struct call_tree *out);

void call_tree_done(struct call_tree *tree);

#endif

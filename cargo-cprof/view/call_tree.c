#include "view/call_tree.h"

#include "base/memory.h"
#include "view/tree_builder.h"

/* A tree, and where in it stacks are that have been met. */
struct growing_tree {
    struct tree_builder builder;
    struct pair_index paths; /* the thread's node and a stack, to an index of path_nodes */
    VEC(uint32_t) path_nodes;
    VEC(uint32_t) pending; /* stacks whose parents are to be added first; scratch */
};

static void growing_tree_done(struct growing_tree *tree)
{
    tree_builder_done(&tree->builder);
    pair_index_done(&tree->paths);
    vec_done(&tree->path_nodes);
    vec_done(&tree->pending);
}

/* The node for the innermost call of `stack`, whose caller's node is `parent`; adds the calls at its
 * location. */
static uint32_t add_location(struct growing_tree *tree, uint32_t parent, uint32_t stack)
{
    const struct profile *profile = tree->builder.profile;
    const struct profile_location *location =
        &profile->locations.items[profile->stacks.items[stack].location];

    for (uint32_t i = location->frame_count; i-- > 0;)
        parent = tree_builder_call(&tree->builder, parent, &profile->frames.items[location->first_frame + i]);
    return parent;
}

/* The node of a stack of a thread, known or added with all its callers. */
static uint32_t node_of(struct growing_tree *tree, uint32_t thread, uint32_t stack)
{
    uint32_t node = thread;

    tree->pending.count = 0;
    for (; stack != PROFILE_NONE; stack = tree->builder.profile->stacks.items[stack].parent) {
        uint32_t path = pair_index_add(&tree->paths, thread, stack);

        if (path < tree->path_nodes.count) {
            node = tree->path_nodes.items[path];
            break;
        }
        *vec_add(&tree->path_nodes) = PROFILE_NONE; /* until its callers are there */
        *vec_add(&tree->pending) = stack;
    }
    while (tree->pending.count > 0) {
        uint32_t next = tree->pending.items[--tree->pending.count];

        node = add_location(tree, node, next);
        tree->path_nodes.items[pair_index_add(&tree->paths, thread, next)] = node;
    }
    return node;
}

/* Adds the weight of samples with this stack to the calls that were inlined. */
static void count_inlined(struct growing_tree *tree, uint32_t node, uint32_t stack, uint64_t weight)
{
    const struct profile *profile = tree->builder.profile;

    for (; stack != PROFILE_NONE; stack = profile->stacks.items[stack].parent) {
        const struct profile_location *location =
            &profile->locations.items[profile->stacks.items[stack].location];

        for (uint32_t i = 0; i < location->frame_count; i++) {
            if (profile->frames.items[location->first_frame + i].is_inlined)
                weight_add(&tree->builder.nodes.items[node].inlined_weight, weight);
            node = tree->builder.nodes.items[node].parent;
        }
    }
}

static void grow(struct growing_tree *tree, uint32_t series, enum weight weight)
{
    struct sums_cursor cursor = sums_cursor_of(&tree->builder.profile->series.items[series].samples.sums);
    struct sample_sum sum;

    while (sums_cursor_next(&cursor, &sum)) {
        uint32_t thread = tree_builder_thread(&tree->builder, sum.thread);
        uint32_t node = node_of(tree, thread, sum.stack);
        uint64_t added = weight_of_sum(&sum, weight);

        if (sum.stack == PROFILE_NONE)
            node = tree_builder_unknown(&tree->builder, thread);
        weight_add(&tree->builder.nodes.items[node].weights.self, added);
        count_inlined(tree, node, sum.stack, added);
    }
}

void call_tree_make(struct profile *profile, uint32_t series, enum weight weight, enum call_order order,
                    struct call_tree *out)
{
    SCOPED(growing_tree_done) struct growing_tree tree = {0};

    tree_builder_init(&tree.builder, profile, order);
    grow(&tree, series, weight);
    tree_builder_finish(&tree.builder, out);
}

void call_tree_done(struct call_tree *tree)
{
    vec_done(&tree->nodes);
}

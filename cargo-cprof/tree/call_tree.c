#include "tree/call_tree.h"

#include "tree/tree_builder.h"

/* A stack of a thread that has been met. */
struct path {
    uint32_t stack;
    uint32_t caller; /* the path less its innermost place, PROFILE_NONE for the outermost */
    uint32_t node;   /* of the innermost call */
    uint64_t weight; /* of its own samples, in the end of those of the paths through it, too */
};

/* A tree, and where in it stacks are that have been met. */
struct growing_tree {
    struct tree_builder builder;
    struct pair_index ids;  /* the thread's node and a stack, to the path */
    VEC(struct path) paths; /* a path comes behind its caller */
    VEC(uint32_t) pending;  /* stacks whose callers are to be added first; scratch */
};

static void growing_tree_done(struct growing_tree *tree)
{
    tree_builder_done(&tree->builder);
    pair_index_done(&tree->ids);
    vec_done(&tree->paths);
    vec_done(&tree->pending);
}

static const struct profile_location *location_of(const struct growing_tree *tree, uint32_t stack)
{
    const struct profile *profile = tree->builder.profile;

    return &profile->locations.items[profile->stacks.items[stack].location];
}

/* The node for the innermost call of `stack`, whose caller's node is `parent`; adds the calls at its
 * location. */
static uint32_t add_location(struct growing_tree *tree, uint32_t parent, uint32_t stack)
{
    const struct profile *profile = tree->builder.profile;
    const struct profile_location *location = location_of(tree, stack);

    for (uint32_t i = location->frame_count; i-- > 0;)
        parent = tree_builder_call(&tree->builder, parent, &profile->frames.items[location->first_frame + i]);
    return parent;
}

/* The path of a stack of a thread, known or added behind those of all its callers. */
static uint32_t path_of(struct growing_tree *tree, uint32_t thread, uint32_t stack)
{
    uint32_t path = PROFILE_NONE;

    tree->pending.count = 0;
    for (; stack != PROFILE_NONE; stack = tree->builder.profile->stacks.items[stack].parent) {
        path = pair_index_find(&tree->ids, thread, stack);
        if (path != PROFILE_NONE)
            break;
        *vec_add(&tree->pending) = stack;
    }
    while (tree->pending.count > 0) {
        uint32_t next = tree->pending.items[--tree->pending.count];
        uint32_t parent = path == PROFILE_NONE ? thread : tree->paths.items[path].node;
        struct path added = {.stack = next, .caller = path, .node = add_location(tree, parent, next)};

        path = pair_index_add(&tree->ids, thread, next);
        *vec_add(&tree->paths) = added;
    }
    return path;
}

/* Adds the weight of the paths to those they go through, and to the calls there that were inlined. */
static void count_inlined(struct growing_tree *tree)
{
    const struct profile_frame *frames = tree->builder.profile->frames.items;

    for (size_t i = tree->paths.count; i-- > 0;) {
        const struct path *path = &tree->paths.items[i];
        const struct profile_location *location = location_of(tree, path->stack);
        uint32_t node = path->node;

        for (uint32_t k = 0; k < location->frame_count; k++) {
            if (frames[location->first_frame + k].is_inlined)
                weight_add(&tree->builder.nodes.items[node].inlined_weight, path->weight);
            node = tree->builder.nodes.items[node].parent;
        }
        if (path->caller != PROFILE_NONE)
            weight_add(&tree->paths.items[path->caller].weight, path->weight);
    }
}

static void grow(struct growing_tree *tree, uint32_t series, enum weight weight)
{
    struct sums_cursor cursor = sums_cursor_of(&tree->builder.profile->series.items[series].samples.sums);
    struct sample_sum sum;

    while (sums_cursor_next(&cursor, &sum)) {
        uint32_t thread = tree_builder_thread(&tree->builder, sum.thread);
        uint64_t added = weight_of_sum(&sum, weight);
        uint32_t node = 0;

        if (sum.stack == PROFILE_NONE) {
            node = tree_builder_unknown(&tree->builder, thread);
        } else {
            uint32_t path = path_of(tree, thread, sum.stack);

            node = tree->paths.items[path].node;
            weight_add(&tree->paths.items[path].weight, added);
        }
        weight_add(&tree->builder.nodes.items[node].weights.self, added);
    }
}

void call_nodes_add_up(struct call_node *nodes, size_t count)
{
    for (size_t i = count; i-- > 0;) {
        struct call_node *node = &nodes[i];

        weight_add(&node->weights.total, node->weights.self);
        if (node->parent != PROFILE_NONE)
            weight_add(&nodes[node->parent].weights.total, node->weights.total);
    }
}

void call_tree_make(struct profile *profile, uint32_t series, enum weight weight, enum call_order order,
                    struct call_tree *out)
{
    SCOPED(growing_tree_done) struct growing_tree tree = {0};

    tree_builder_init(&tree.builder, profile, order);
    grow(&tree, series, weight);
    count_inlined(&tree);
    tree_builder_finish(&tree.builder, 0, out);
}

void call_tree_done(struct call_tree *tree)
{
    vec_done(&tree->nodes);
}

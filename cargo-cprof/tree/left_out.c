#include "tree/left_out.h"

#include "base/memory.h"

void left_out_add_self(struct call_tree *tree, const struct profile *profile, uint32_t function,
                       uint64_t self)
{
    enum category category =
        function == PROFILE_NONE ? CATEGORY_UNKNOWN : profile->functions.items[function].category;

    weight_add(&tree->left_out_weights[category], self);
}

/* A parent weighs as much or more and is nearer to the root: that of a node that stays does, too. */
void left_out_drop_lighter(struct call_tree *tree, const struct profile *profile, struct heaviest *heaviest)
{
    struct call_node *nodes = tree->nodes.items;
    SCOPED(memory_free_at) uint32_t *places = memory_new(tree->nodes.count, sizeof(*places));
    size_t kept = 0;

    heaviest_settle(heaviest);
    for (size_t i = 0; i < tree->nodes.count; i++) {
        struct heavy_node heavy = {nodes[i].weights.total, nodes[i].depth};

        if (heavy.depth > 1 && !heaviest_has(heaviest, heavy)) {
            tree->left_out_count++;
            left_out_add_self(tree, profile, nodes[i].function, nodes[i].weights.self);
            continue;
        }
        if (nodes[i].parent != PROFILE_NONE)
            nodes[i].parent = places[nodes[i].parent];
        places[i] = (uint32_t)kept;
        nodes[kept++] = nodes[i];
    }
    tree->nodes.count = kept;
}

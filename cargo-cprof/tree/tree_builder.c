#include "tree/tree_builder.h"

#include <stdlib.h>

#include "base/memory.h"
#include "tree/call_node.h"

/* Which child of a node: what it is, and its function or thread name. */
static uint64_t child_key(enum call_kind kind, uint32_t id)
{
    return (uint64_t)kind << 32 | id;
}

void tree_builder_init(struct tree_builder *tree, struct profile *profile, enum call_order order)
{
    *tree = (struct tree_builder){.profile = profile, .order = order};
    *vec_add(&tree->nodes) = call_node_of_root(profile);
}

void tree_builder_done(struct tree_builder *tree)
{
    pair_index_done(&tree->children);
    vec_done(&tree->nodes);
}

/* The child of `parent` that is of like's kind and has this id among them, new, as `like` is, or known. */
static uint32_t child_of(struct tree_builder *tree, uint32_t parent, uint32_t id, struct call_node like)
{
    uint32_t node = pair_index_add(&tree->children, parent, child_key(like.kind, id)) + 1;

    if (node < tree->nodes.count)
        return node;
    like.parent = parent;
    like.depth = tree->nodes.items[parent].depth + 1;
    *vec_add(&tree->nodes) = like;
    return node;
}

uint32_t tree_builder_thread(struct tree_builder *tree, uint32_t thread)
{
    uint32_t name = tree->profile->threads.items[thread].name;

    if (name == PROFILE_NO_STRING)
        return 0;
    return child_of(tree, 0, name,
                    (struct call_node){.name = name, .function = PROFILE_NONE, .kind = CALL_THREAD});
}

uint32_t tree_builder_one_thread(struct tree_builder *tree, uint32_t thread)
{
    return child_of(tree, 0, thread, call_node_of_one_thread(tree->profile, thread));
}

uint32_t tree_builder_unknown(struct tree_builder *tree, uint32_t parent)
{
    return child_of(tree, parent, 0, call_node_unknown(tree->profile));
}

uint32_t tree_builder_call(struct tree_builder *tree, uint32_t parent, const struct profile_frame *frame)
{
    uint32_t node =
        child_of(tree, parent, frame->function, call_node_of_function(tree->profile, frame->function));

    call_node_add_line(&tree->nodes.items[node], frame);
    return node;
}

/* --- Putting the nodes in order ------------------------------------------------------------------ */

static int compare_siblings(const void *left, const void *right, void *context)
{
    const struct tree_builder *tree = context;

    return call_node_compare(tree->profile, tree->order, &tree->nodes.items[*(const uint32_t *)left],
                             &tree->nodes.items[*(const uint32_t *)right]);
}

/* The nodes by their parents: those of node i are children[first[i]] up to children[first[i + 1]]. */
struct families {
    uint32_t *first;    /* owned */
    uint32_t *children; /* owned */
};

static void families_done(struct families *families)
{
    free(families->first);
    free(families->children);
}

static struct families find_families(struct tree_builder *tree)
{
    size_t count = tree->nodes.count;
    struct families out = {memory_new(count + 2, sizeof(uint32_t)), memory_new(count, sizeof(uint32_t))};
    uint32_t *next =
        out.first + 1; /* where the next child of each goes, and in the end where its last went */

    for (size_t i = 1; i < count; i++)
        next[tree->nodes.items[i].parent + 1]++;
    for (size_t i = 1; i <= count; i++)
        next[i] += next[i - 1];
    for (uint32_t i = 1; i < count; i++)
        out.children[next[tree->nodes.items[i].parent]++] = i;
    for (size_t i = 0; i < count; i++)
        if (out.first[i + 1] - out.first[i] > 1)
            qsort_r(out.children + out.first[i], out.first[i + 1] - out.first[i], sizeof(uint32_t),
                    compare_siblings, tree);
    return out;
}

/* Copies the nodes in the order of a walk from the root, but none below `least`. */
static void copy_in_order(const struct tree_builder *tree, const struct families *families, double least,
                          struct call_tree *out)
{
    VEC(struct pair) walk = {0}; /* a node, and its parent's new index */

    *vec_add(&walk) = (struct pair){0, PROFILE_NONE};
    while (walk.count > 0) {
        struct pair next = walk.items[--walk.count];
        uint32_t place = (uint32_t)out->nodes.count;

        *vec_add(&out->nodes) = tree->nodes.items[next.first];
        out->nodes.items[place].parent = (uint32_t)next.second;
        /* The last put down is the first taken up. */
        for (uint32_t i = families->first[next.first + 1]; i > families->first[next.first]; i--) {
            uint32_t child = families->children[i - 1];

            if ((double)tree->nodes.items[child].weights.total >= least)
                *vec_add(&walk) = (struct pair){child, place};
        }
    }
    vec_done(&walk);
}

void tree_builder_finish(struct tree_builder *tree, double least_share, struct call_tree *out)
{
    SCOPED(families_done) struct families families = {0};

    *out = (struct call_tree){0};
    pair_index_done(&tree->children);
    call_nodes_add_up(tree->nodes.items, tree->nodes.count);
    families = find_families(tree);
    copy_in_order(tree, &families, least_share * (double)tree->nodes.items[0].weights.total, out);
    out->left_out_count = tree->nodes.count - out->nodes.count;
}

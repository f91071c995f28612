#include "view/call_tree.h"

#include "base/memory.h"

/* Which child of a node: what it is, and its function or thread name. */
static uint64_t child_key(enum call_kind kind, uint32_t id)
{
    return (uint64_t)kind << 32 | id;
}

/* A tree in the order in which its nodes are met. */
struct growing_tree {
    struct profile *profile;
    enum call_order order;
    struct pair_index children; /* parent and child_key to the node, less one for the root */
    VEC(struct call_node) nodes;
    struct pair_index paths; /* the thread's node and a stack, to an index of path_nodes */
    VEC(uint32_t) path_nodes;
    VEC(uint32_t) pending; /* stacks whose parents are to be added first; scratch */
};

static void growing_tree_done(struct growing_tree *tree)
{
    pair_index_done(&tree->children);
    vec_done(&tree->nodes);
    pair_index_done(&tree->paths);
    vec_done(&tree->path_nodes);
    vec_done(&tree->pending);
}

/* The child of `parent` that is like `like`, new or known. */
static uint32_t child_of(struct growing_tree *tree, uint32_t parent, uint32_t id, struct call_node like)
{
    uint32_t node = pair_index_add(&tree->children, parent, child_key(like.kind, id)) + 1;

    if (node < tree->nodes.count)
        return node;
    like.parent = parent;
    like.depth = tree->nodes.items[parent].depth + 1;
    *vec_add(&tree->nodes) = like;
    return node;
}

/* The root for a thread without a name. */
static uint32_t thread_of(struct growing_tree *tree, uint32_t thread)
{
    uint32_t name = tree->profile->threads.items[thread].name;

    if (name == PROFILE_NO_STRING)
        return 0;
    return child_of(tree, 0, name,
                    (struct call_node){.name = name, .function = PROFILE_NONE, .kind = CALL_THREAD});
}

/* Widens what is known of where in its function the call was. */
static void add_line(struct call_node *node, const struct profile_frame *frame)
{
    if (node->file == PROFILE_NO_STRING)
        node->file = frame->file;
    /* A macro's lines may be another file's. */
    if (frame->line == 0 || frame->file != node->file)
        return;
    if (node->first_line == 0 || frame->line < node->first_line)
        node->first_line = frame->line;
    if (frame->line > node->last_line)
        node->last_line = frame->line;
}

/* The node for the innermost call of `stack`, whose caller's node is `parent`; adds the calls at its
 * location. */
static uint32_t add_location(struct growing_tree *tree, uint32_t parent, uint32_t stack)
{
    const struct profile *profile = tree->profile;
    const struct profile_location *location =
        &profile->locations.items[profile->stacks.items[stack].location];

    for (uint32_t i = location->frame_count; i-- > 0;) {
        const struct profile_frame *frame = &profile->frames.items[location->first_frame + i];

        parent = child_of(tree, parent, frame->function,
                          (struct call_node){.name = profile->functions.items[frame->function].name,
                                             .function = frame->function,
                                             .kind = CALL_FUNCTION});
        add_line(&tree->nodes.items[parent], frame);
    }
    return parent;
}

/* The node of a stack of a thread, known or added with all its callers. */
static uint32_t node_of(struct growing_tree *tree, uint32_t thread, uint32_t stack)
{
    uint32_t node = thread;

    tree->pending.count = 0;
    for (; stack != PROFILE_NONE; stack = tree->profile->stacks.items[stack].parent) {
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
    const struct profile *profile = tree->profile;

    for (; stack != PROFILE_NONE; stack = profile->stacks.items[stack].parent) {
        const struct profile_location *location =
            &profile->locations.items[profile->stacks.items[stack].location];

        for (uint32_t i = 0; i < location->frame_count; i++) {
            if (profile->frames.items[location->first_frame + i].is_inlined)
                weight_add(&tree->nodes.items[node].inlined_weight, weight);
            node = tree->nodes.items[node].parent;
        }
    }
}

static void grow(struct growing_tree *tree, uint32_t series, enum weight weight)
{
    const struct sample_store *samples = &tree->profile->series.items[series].samples;
    uint32_t no_stack = profile_string(tree->profile, SLICE("[no stack]"));

    for (size_t i = 0; i < samples->sums.count; i++) {
        const struct sample_sum *sum = &samples->sums.items[i];
        uint32_t thread = thread_of(tree, sum->thread);
        uint32_t node = node_of(tree, thread, sum->stack);
        uint64_t added = weight_of_sum(sum, weight);

        if (sum->stack == PROFILE_NONE)
            node = child_of(
                tree, thread, 0,
                (struct call_node){.name = no_stack, .function = PROFILE_NONE, .kind = CALL_UNKNOWN});
        weight_add(&tree->nodes.items[node].weights.self, added);
        count_inlined(tree, node, sum->stack, added);
    }
}

static void add_up(struct growing_tree *tree)
{
    for (size_t i = tree->nodes.count; i-- > 0;) {
        struct call_node *node = &tree->nodes.items[i];

        weight_add(&node->weights.total, node->weights.self);
        if (node->parent != PROFILE_NONE)
            weight_add(&tree->nodes.items[node->parent].weights.total, node->weights.total);
    }
}

/* --- Putting the nodes in order ------------------------------------------------------------------ */

/* Siblings in the order wanted; those alike by name, kind and crate, so that it is the same on every run. */
static int compare_siblings(const void *left, const void *right, void *context)
{
    const struct growing_tree *tree = context;
    const struct profile *profile = tree->profile;
    const struct call_node *a = &tree->nodes.items[*(const uint32_t *)left];
    const struct call_node *b = &tree->nodes.items[*(const uint32_t *)right];
    int by_name = 0;

    if (a->parent != b->parent)
        return a->parent < b->parent ? -1 : 1;
    if (tree->order == CALLS_BY_TOTAL && a->weights.total != b->weights.total)
        return a->weights.total > b->weights.total ? -1 : 1;
    by_name = slice_compare(profile_text(profile, a->name), profile_text(profile, b->name));
    if (by_name || a->kind != CALL_FUNCTION || b->kind != CALL_FUNCTION)
        return by_name ? by_name : (int)a->kind - (int)b->kind;
    return slice_compare(profile_text(profile, profile->functions.items[a->function].crate),
                         profile_text(profile, profile->functions.items[b->function].crate));
}

/* Copies the nodes in the order of a walk from the root; `siblings` are grouped by parent. */
static void copy_in_order(const struct growing_tree *tree, const uint32_t *siblings, struct call_tree *out)
{
    size_t count = tree->nodes.count;
    SCOPED(memory_free_at) uint32_t *first = memory_new(count + 1, sizeof(uint32_t));
    VEC(struct pair) walk = {0}; /* a node, and its parent's new index */

    for (size_t i = count; i-- > 1;)
        first[tree->nodes.items[siblings[i - 1]].parent] = (uint32_t)i;
    *vec_add(&walk) = (struct pair){0, PROFILE_NONE};
    while (walk.count > 0) {
        struct pair next = walk.items[--walk.count];
        uint32_t place = (uint32_t)out->nodes.count;
        size_t child = first[next.first];
        size_t end = child;

        *vec_add(&out->nodes) = tree->nodes.items[next.first];
        out->nodes.items[place].parent = (uint32_t)next.second;
        while (child > 0 && end < count && tree->nodes.items[siblings[end - 1]].parent == next.first)
            end++;
        /* The last put down is the first taken up. */
        for (; end > child; end--)
            *vec_add(&walk) = (struct pair){siblings[end - 2], place};
    }
    vec_done(&walk);
}

void call_tree_make(struct profile *profile, uint32_t series, enum weight weight, enum call_order order,
                    struct call_tree *out)
{
    SCOPED(growing_tree_done) struct growing_tree tree = {.profile = profile, .order = order};
    SCOPED(memory_free_at) uint32_t *siblings = NULL;
    uint32_t name = profile->command ? profile->command : profile_string(profile, SLICE("all"));

    *out = (struct call_tree){0};
    *vec_add(&tree.nodes) =
        (struct call_node){.parent = PROFILE_NONE, .name = name, .function = PROFILE_NONE, .kind = CALL_ROOT};
    grow(&tree, series, weight);
    add_up(&tree);
    siblings = memory_new(tree.nodes.count, sizeof(uint32_t));
    for (uint32_t i = 1; i < tree.nodes.count; i++)
        siblings[i - 1] = i;
    qsort_r(siblings, tree.nodes.count - 1, sizeof(uint32_t), compare_siblings, &tree);
    copy_in_order(&tree, siblings, out);
}

void call_tree_done(struct call_tree *tree)
{
    vec_done(&tree->nodes);
}

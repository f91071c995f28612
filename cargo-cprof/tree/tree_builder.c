#include "tree/tree_builder.h"

#include <stdlib.h>

#include "base/memory.h"

/* Which child of a node: what it is, and its function or thread name. */
static uint64_t child_key(enum call_kind kind, uint32_t id)
{
    return (uint64_t)kind << 32 | id;
}

uint32_t tree_builder_root_name(struct profile *profile)
{
    return profile->command ? profile->command : profile_string(profile, SLICE("all"));
}

uint32_t tree_builder_thread_name(struct profile *profile, uint32_t thread)
{
    SCOPED(text_done) struct text text = {0};
    const struct profile_thread *of = &profile->threads.items[thread];

    if (of->name == PROFILE_NO_STRING && of->tid == 0)
        return profile_string(profile, SLICE("all threads"));
    text_add(&text, profile_text(profile, of->name));
    if (of->tid != 0)
        text_format(&text, " (%u)", of->tid);
    return profile_string(profile, text_slice(&text));
}

void tree_builder_init(struct tree_builder *tree, struct profile *profile, enum call_order order)
{
    *tree = (struct tree_builder){.profile = profile, .order = order};
    *vec_add(&tree->nodes) = (struct call_node){.parent = PROFILE_NONE,
                                                .name = tree_builder_root_name(profile),
                                                .function = PROFILE_NONE,
                                                .kind = CALL_ROOT};
}

void tree_builder_done(struct tree_builder *tree)
{
    pair_index_done(&tree->children);
    vec_done(&tree->nodes);
}

uint32_t tree_builder_child(struct tree_builder *tree, uint32_t parent, uint32_t id, struct call_node like)
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
    return tree_builder_child(
        tree, 0, name, (struct call_node){.name = name, .function = PROFILE_NONE, .kind = CALL_THREAD});
}

uint32_t tree_builder_one_thread(struct tree_builder *tree, uint32_t thread)
{
    return tree_builder_child(tree, 0, thread,
                              (struct call_node){.name = tree_builder_thread_name(tree->profile, thread),
                                                 .function = PROFILE_NONE,
                                                 .kind = CALL_THREAD});
}

uint32_t tree_builder_unknown(struct tree_builder *tree, uint32_t parent)
{
    return tree_builder_child(tree, parent, 0,
                              (struct call_node){.name = profile_string(tree->profile, SLICE("[no stack]")),
                                                 .function = PROFILE_NONE,
                                                 .kind = CALL_UNKNOWN});
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

uint32_t tree_builder_call(struct tree_builder *tree, uint32_t parent, const struct profile_frame *frame)
{
    uint32_t node =
        tree_builder_child(tree, parent, frame->function,
                           (struct call_node){.name = tree->profile->functions.items[frame->function].name,
                                              .function = frame->function,
                                              .kind = CALL_FUNCTION});

    add_line(&tree->nodes.items[node], frame);
    return node;
}

/* --- Putting the nodes in order ------------------------------------------------------------------ */

/* Siblings in the order wanted; those alike by name, kind and crate, so that it is the same on every run. */
static int compare_siblings(const void *left, const void *right, void *context)
{
    const struct tree_builder *tree = context;
    const struct profile *profile = tree->profile;
    const struct call_node *a = &tree->nodes.items[*(const uint32_t *)left];
    const struct call_node *b = &tree->nodes.items[*(const uint32_t *)right];
    int by_name = 0;

    if (tree->order == CALLS_BY_TOTAL && a->weights.total != b->weights.total)
        return a->weights.total > b->weights.total ? -1 : 1;
    by_name = slice_compare(profile_text(profile, a->name), profile_text(profile, b->name));
    if (by_name || a->kind != CALL_FUNCTION || b->kind != CALL_FUNCTION)
        return by_name ? by_name : (int)a->kind - (int)b->kind;
    return slice_compare(profile_text(profile, profile->functions.items[a->function].crate),
                         profile_text(profile, profile->functions.items[b->function].crate));
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

/* Copies the nodes in the order of a walk from the root. */
static void copy_in_order(const struct tree_builder *tree, const struct families *families,
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
        for (uint32_t i = families->first[next.first + 1]; i > families->first[next.first]; i--)
            *vec_add(&walk) = (struct pair){families->children[i - 1], place};
    }
    vec_done(&walk);
}

void tree_builder_finish(struct tree_builder *tree, struct call_tree *out)
{
    SCOPED(families_done) struct families families = {0};

    *out = (struct call_tree){0};
    call_nodes_add_up(tree->nodes.items, tree->nodes.count);
    families = find_families(tree);
    copy_in_order(tree, &families, out);
}

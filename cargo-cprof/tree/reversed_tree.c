#include "tree/reversed_tree.h"

#include <stdlib.h>

#include "tree/call_node.h"
#include "tree/heaviest.h"
#include "tree/left_out.h"

/*
 * Turned round, stacks have little in common: a tree of all their calls is as large as they are together. So
 * it is made from the root on, one branch after the other: a branch is the ways that go through it, and what
 * is too light to be kept is walked through, without any memory, to be counted.
 */

/* The ways' next steps, by which they part: an end, then threads or calls by their ids. */
enum { STEP_END, STEP_UNKNOWN, STEP_FIRST_ID };

/* How far the calls of samples with one stack have been followed outward. */
struct way {
    uint32_t stack;  /* where the next call is; PROFILE_NONE: the calls are not known */
    uint32_t call;   /* which of its location's, the innermost is 0 */
    size_t left;     /* calls, the next one among them */
    uint64_t weight; /* of the samples */
    uint64_t step;
    uint32_t thread;
    uint32_t index; /* in the order of the series */
};

/* A node that is still to be added, and the ways that go on behind it. */
struct branch {
    struct call_node node;
    size_t first;
    size_t end;
    bool is_left_out;
};

struct reversal {
    struct profile *profile;
    const struct path_choice *choice;
    enum call_order order;
    double least; /* nodes of less are left out */
    struct heaviest heaviest;
    VEC(struct way) ways;   /* those of a branch stand side by side */
    VEC(struct branch) due; /* the next one last */
    struct call_tree *tree;
};

static void reversal_done(struct reversal *reversal)
{
    vec_done(&reversal->ways);
    vec_done(&reversal->due);
    heaviest_done(&reversal->heaviest);
}

/* --- The ways ------------------------------------------------------------------------------------ */

static const struct profile_location *location_of(const struct profile *profile, const struct way *way)
{
    return &profile->locations.items[profile->stacks.items[way->stack].location];
}

static const struct profile_frame *frame_of(const struct profile *profile, const struct way *way)
{
    return &profile->frames.items[location_of(profile, way)->first_frame + way->call];
}

static bool is_in(const struct profile *profile, const bool *functions, const struct way *way)
{
    return functions && functions[frame_of(profile, way)->function];
}

/* Goes on, if it is on none, to a call that is not left out; past the last, `stack` is PROFILE_NONE. */
static void find_call(const struct reversal *reversal, struct way *way)
{
    const struct profile *profile = reversal->profile;

    while (way->stack != PROFILE_NONE) {
        if (way->call >= location_of(profile, way)->frame_count) {
            way->stack = profile->stacks.items[way->stack].parent;
            way->call = 0;
        } else if (is_in(profile, reversal->choice->left_out, way)) {
            way->call++;
        } else {
            return;
        }
    }
}

static void next_call(const struct reversal *reversal, struct way *way)
{
    way->call++;
    find_call(reversal, way);
}

static void find_step(const struct reversal *reversal, struct way *way)
{
    way->step = way->left == 0 ? STEP_END
                : way->stack == PROFILE_NONE
                    ? STEP_UNKNOWN
                    : (uint64_t)STEP_FIRST_ID + frame_of(reversal->profile, way)->function;
}

/* How many calls there are from there up to the outermost one of `skip_after`, or to the last. */
static size_t count_calls(const struct reversal *reversal, struct way way)
{
    const bool *skip_after = reversal->choice->shape == PATHS_REVERSED ? reversal->choice->skip_after : NULL;
    size_t count = 0;
    size_t up_to_skipped = 0;

    for (; way.stack != PROFILE_NONE; next_call(reversal, &way)) {
        count++;
        if (is_in(reversal->profile, skip_after, &way))
            up_to_skipped = count;
    }
    return up_to_skipped > 0 ? up_to_skipped : count;
}

static void add_way(struct reversal *reversal, const struct sample_sum *sum, enum weight weight)
{
    const struct path_choice *choice = reversal->choice;
    struct way way = {.stack = sum->stack,
                      .weight = weight_of_sum(sum, weight),
                      .thread = sum->thread,
                      .index = (uint32_t)reversal->ways.count};

    find_call(reversal, &way);
    while (choice->shape == PATHS_CALLERS && way.stack != PROFILE_NONE &&
           !is_in(reversal->profile, choice->chosen, &way))
        next_call(reversal, &way);
    if (choice->shape == PATHS_CALLERS && way.stack == PROFILE_NONE)
        return;
    way.left = sum->stack == PROFILE_NONE ? 1 : count_calls(reversal, way);
    if (choice->per_thread)
        way.step = (uint64_t)STEP_FIRST_ID + way.thread;
    else
        find_step(reversal, &way);
    *vec_add(&reversal->ways) = way;
}

/* --- The branches -------------------------------------------------------------------------------- */

static int compare_ways(const void *left, const void *right)
{
    const struct way *a = left;
    const struct way *b = right;

    if (a->step != b->step)
        return a->step < b->step ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

/* Puts ways with the same next step side by side, in the order of the series. */
static void part_ways(struct way *ways, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (ways[i].step == ways[0].step)
            continue;
        qsort(ways, count, sizeof(*ways), compare_ways);
        return;
    }
}

/* What a way's next step leads to below this node. */
static struct call_node node_of(const struct reversal *reversal, const struct call_node *parent,
                                const struct way *way)
{
    if (reversal->choice->per_thread && parent->kind == CALL_ROOT)
        return call_node_of_one_thread(reversal->profile, way->thread);
    if (way->stack == PROFILE_NONE)
        return call_node_unknown(reversal->profile);
    return call_node_of_function(reversal->profile, frame_of(reversal->profile, way)->function);
}

/* Takes the way's next step, which is into this node. */
static void take_step(const struct reversal *reversal, struct call_node *node, struct way *way)
{
    weight_add(&node->weights.total, way->weight);
    if (node->kind == CALL_FUNCTION) {
        const struct profile_frame *frame = frame_of(reversal->profile, way);

        call_node_add_line(node, frame);
        if (frame->is_inlined)
            weight_add(&node->inlined_weight, way->weight);
        next_call(reversal, way);
    }
    if (node->kind != CALL_THREAD)
        way->left--;
    find_step(reversal, way);
    if (way->step == STEP_END)
        weight_add(&node->weights.self, way->weight);
}

/* The branch of the ways there that take the next step together; they take it. */
static struct branch enter(const struct reversal *reversal, const struct branch *from, uint32_t parent,
                           size_t first)
{
    struct way *ways = reversal->ways.items;
    const uint64_t step = ways[first].step;
    struct branch out = {.node = node_of(reversal, &from->node, &ways[first]), .first = first, .end = first};

    out.node.parent = parent;
    out.node.depth = from->node.depth + 1;
    for (; out.end < from->end && ways[out.end].step == step; out.end++)
        take_step(reversal, &out.node, &ways[out.end]);
    out.is_left_out = from->is_left_out || (double)out.node.weights.total < reversal->least;
    return out;
}

/* The last is the first taken up. */
static int compare_branches(const void *left, const void *right, void *context)
{
    const struct reversal *reversal = context;
    const struct branch *a = left;
    const struct branch *b = right;
    int order = call_node_compare(reversal->profile, reversal->order, &b->node, &a->node);

    if (order)
        return order;
    return reversal->ways.items[a->first].index > reversal->ways.items[b->first].index ? -1 : 1;
}

/* Side by side, from where their caller begins. */
static void set_starts(struct branch *branches, size_t count, uint64_t start)
{
    for (size_t i = count; i-- > 0;) {
        branches[i].node.start = start;
        weight_add(&start, branches[i].node.weights.total);
    }
}

/* Makes branches of what goes on behind this one's node, which is at this place in the tree. */
static void split(struct reversal *reversal, const struct branch *branch, uint32_t place)
{
    struct way *ways = reversal->ways.items;
    size_t before = reversal->due.count;

    if (branch->first == branch->end)
        return;
    part_ways(&ways[branch->first], branch->end - branch->first);
    for (size_t i = branch->first; i < branch->end;) {
        if (ways[i].step == STEP_END) {
            i++;
            continue;
        }
        *vec_add(&reversal->due) = enter(reversal, branch, place, i);
        i = reversal->due.items[reversal->due.count - 1].end;
    }
    if (branch->is_left_out)
        return;
    if (reversal->due.count - before > 1)
        qsort_r(&reversal->due.items[before], reversal->due.count - before, sizeof(struct branch),
                compare_branches, reversal);
    set_starts(&reversal->due.items[before], reversal->due.count - before, branch->node.start);
}

static bool is_too_light(struct reversal *reversal, const struct call_node *node)
{
    struct heavy_node heavy = {node->weights.total, node->depth};

    return !heaviest_take(&reversal->heaviest, heavy) && node->depth > 1;
}

/* Adds the next branch's node to the tree, or counts it. */
static void add_next(struct reversal *reversal)
{
    struct call_tree *tree = reversal->tree;
    struct branch branch = reversal->due.items[--reversal->due.count];
    uint32_t place = (uint32_t)tree->nodes.count;

    branch.is_left_out = branch.is_left_out || is_too_light(reversal, &branch.node);
    if (!branch.is_left_out) {
        *vec_add(&tree->nodes) = branch.node;
    } else {
        tree->left_out_count++;
        if (branch.end - branch.first == 1) {
            tree->left_out_count += reversal->ways.items[branch.first].left;
            return;
        }
    }
    split(reversal, &branch, place);
}

/* The root, with all ways behind it. */
static struct branch make_root(const struct reversal *reversal)
{
    struct branch root = {.node = call_node_of_root(reversal->profile), .end = reversal->ways.count};

    for (size_t i = 0; i < reversal->ways.count; i++) {
        const struct way *way = &reversal->ways.items[i];

        weight_add(&root.node.weights.total, way->weight);
        if (way->step == STEP_END)
            weight_add(&root.node.weights.self, way->weight);
    }
    return root;
}

void reversed_tree_make(struct profile *profile, uint32_t series, enum call_order order,
                        const struct path_choice *choice, struct call_tree *out)
{
    SCOPED(reversal_done)
    struct reversal reversal = {.profile = profile,
                                .choice = choice,
                                .order = order,
                                .heaviest = {.most = choice->most_nodes},
                                .tree = out};
    struct sums_cursor cursor = sums_cursor_of(&profile->series.items[series].samples.sums);
    enum weight weight = weight_of_series(profile, series);
    struct sample_sum sum;
    struct branch root;

    *out = (struct call_tree){.has_starts = true};
    while (sums_cursor_next(&cursor, &sum))
        add_way(&reversal, &sum, weight);
    root = make_root(&reversal);
    reversal.least = choice->least_share * (double)root.node.weights.total;
    *vec_add(&reversal.due) = root;
    while (reversal.due.count > 0)
        add_next(&reversal);
    left_out_drop_lighter(out, profile, &reversal.heaviest);
}

#include "tree/heavy_tree.h"

#include <stdlib.h>

#include "base/memory.h"
#include "tree/call_node.h"
#include "tree/heaviest.h"
#include "tree/left_out.h"

/*
 * Stacks are a tree by themselves, in which calls of a function from other places, or inlined otherwise,
 * stand apart. From the root on their branches are put together that are of the same functions; what is too
 * light to be kept is walked through in the stacks themselves, without any memory.
 */

/* A call in a stack: of its location's frames, of which the innermost is 0. */
struct place {
    uint32_t stack;
    uint32_t frame;
};

/* What is called from a place; of one function it is one call. */
struct step {
    uint32_t function;
    struct place place;
};

/* A node that is still to be added, and where in the stacks it is called. */
struct branch {
    struct call_node node;
    struct place place;   /* the first, mostly the only one; of no call: `count` is 0 */
    struct place *others; /* owned; NULL: there is none */
    size_t count;
};

/* All samples of the threads of one name. */
struct thread_group {
    struct call_node node; /* theirs; of threads without a name the root */
    size_t first;
    size_t end;
};

struct growth {
    struct profile *profile;
    uint32_t series;
    enum call_order order;
    const struct heavy_tree_walk *walk; /* who gets the nodes; NULL: the tree */
    VEC(struct sample_sum) sums;        /* those of one group side by side, their values being weights */
    VEC(struct thread_group) groups;
    uint32_t *first_call; /* owned, by stack: those with it as parent, by id */
    uint32_t *next_call;  /* owned */
    uint64_t *weights;    /* owned, by stack: of the samples of the group in it and what it calls */
    VEC(uint32_t) roots;  /* stacks of one location */
    struct heaviest heaviest;
    VEC(struct branch) due; /* the next one last */
    VEC(struct step) steps; /* scratch */
    struct call_tree *tree;
};

static void growth_done(struct growth *growth)
{
    vec_done(&growth->sums);
    vec_done(&growth->groups);
    free(growth->first_call);
    free(growth->next_call);
    free(growth->weights);
    vec_done(&growth->roots);
    heaviest_done(&growth->heaviest);
    vec_done(&growth->due);
    vec_done(&growth->steps);
}

/* --- Stacks -------------------------------------------------------------------------------------- */

static const struct profile_location *location_of(const struct growth *growth, uint32_t stack)
{
    const struct profile *profile = growth->profile;

    return &profile->locations.items[profile->stacks.items[stack].location];
}

static const struct profile_frame *frame_of(const struct growth *growth, struct place place)
{
    const struct profile_location *location = location_of(growth, place.stack);

    return &growth->profile->frames.items[location->first_frame + place.frame];
}

static struct place outermost_of(const struct growth *growth, uint32_t stack)
{
    return (struct place){stack, location_of(growth, stack)->frame_count - 1};
}

static void link_calls(struct growth *growth)
{
    size_t count = growth->profile->stacks.count;

    growth->first_call = memory_new_unset((count + 1) * sizeof(uint32_t));
    growth->next_call = memory_new_unset((count + 1) * sizeof(uint32_t));
    growth->weights = memory_new(count + 1, sizeof(uint64_t));
    for (size_t i = 0; i < count; i++)
        growth->first_call[i] = PROFILE_NONE;
    for (uint32_t i = (uint32_t)count; i-- > 0;) {
        uint32_t parent = growth->profile->stacks.items[i].parent;

        growth->next_call[i] = PROFILE_NONE;
        if (parent == PROFILE_NONE) {
            *vec_add(&growth->roots) = i;
            continue;
        }
        growth->next_call[i] = growth->first_call[parent];
        growth->first_call[parent] = i;
    }
}

/* Of the samples that were taken with just this stack. */
static uint64_t self_of(const struct growth *growth, uint32_t stack)
{
    uint64_t self = growth->weights[stack];

    for (uint32_t call = growth->first_call[stack]; call != PROFILE_NONE; call = growth->next_call[call])
        self -= growth->weights[call];
    return self;
}

static void count_left_out(struct growth *growth, uint32_t stack)
{
    const struct place innermost = {stack, 0};

    growth->tree->left_out_count += location_of(growth, stack)->frame_count;
    left_out_add_self(growth->tree, growth->profile, frame_of(growth, innermost)->function,
                      self_of(growth, stack));
}

/* The samples of the stack and all that go on from it. */
static void leave_out_from(struct growth *growth, uint32_t root)
{
    uint32_t at = root;

    while (true) {
        uint32_t next = PROFILE_NONE;

        if (growth->weights[at] > 0) {
            count_left_out(growth, at);
            next = growth->first_call[at];
        }
        while (next == PROFILE_NONE) {
            if (at == root)
                return;
            next = growth->next_call[at];
            if (next == PROFILE_NONE)
                at = growth->profile->stacks.items[at].parent;
        }
        at = next;
    }
}

/* --- Branches ------------------------------------------------------------------------------------ */

static void add_step(struct growth *growth, struct place place)
{
    *vec_add(&growth->steps) = (struct step){frame_of(growth, place)->function, place};
}

static void add_steps_from(struct growth *growth, struct place place)
{
    if (place.frame > 0) {
        add_step(growth, (struct place){place.stack, place.frame - 1});
        return;
    }
    for (uint32_t call = growth->first_call[place.stack]; call != PROFILE_NONE;
         call = growth->next_call[call])
        if (growth->weights[call] > 0)
            add_step(growth, outermost_of(growth, call));
}

static int compare_steps(const void *left, const void *right)
{
    const struct step *a = left;
    const struct step *b = right;

    if (a->function != b->function)
        return a->function < b->function ? -1 : 1;
    return a->place.stack < b->place.stack ? -1 : a->place.stack > b->place.stack;
}

static struct place place_of(const struct branch *branch, size_t index)
{
    return index == 0 ? branch->place : branch->others[index - 1];
}

/* The node of so many steps, all of one function. */
static struct branch branch_of(const struct growth *growth, const struct step *steps, size_t count)
{
    struct branch out = {.node = call_node_of_function(growth->profile, steps[0].function),
                         .place = steps[0].place,
                         .others = count > 1 ? memory_new(count - 1, sizeof(struct place)) : NULL,
                         .count = count};

    for (size_t i = 0; i < count; i++) {
        struct place place = steps[i].place;
        const struct profile_frame *frame = frame_of(growth, place);
        uint64_t weight = growth->weights[place.stack];

        if (i > 0)
            out.others[i - 1] = place;
        call_node_add_line(&out.node, frame);
        weight_add(&out.node.weights.total, weight);
        if (frame->is_inlined)
            weight_add(&out.node.inlined_weight, weight);
        if (place.frame == 0)
            weight_add(&out.node.weights.self, self_of(growth, place.stack));
    }
    return out;
}

/* The last is the first taken up. */
static int compare_branches(const void *left, const void *right, void *context)
{
    const struct growth *growth = context;

    return call_node_compare(growth->profile, growth->order, &((const struct branch *)right)->node,
                             &((const struct branch *)left)->node);
}

/* Makes branches of the steps, which begin at this node, `parent` in the tree, and of samples without a
 * stack.
 */
static void part(struct growth *growth, uint32_t parent, const struct call_node *node, uint64_t unknown)
{
    size_t before = growth->due.count;
    uint64_t start = node->start;

    if (growth->steps.count > 1)
        qsort(growth->steps.items, growth->steps.count, sizeof(struct step), compare_steps);
    for (size_t i = 0, end = 0; i < growth->steps.count; i = end) {
        while (end < growth->steps.count &&
               growth->steps.items[end].function == growth->steps.items[i].function)
            end++;
        *vec_add(&growth->due) = branch_of(growth, &growth->steps.items[i], end - i);
    }
    if (unknown > 0) {
        struct branch branch = {.node = call_node_unknown(growth->profile)};

        branch.node.weights = (struct weights){unknown, unknown};
        *vec_add(&growth->due) = branch;
    }
    if (growth->due.count - before > 1)
        qsort_r(&growth->due.items[before], growth->due.count - before, sizeof(struct branch),
                compare_branches, growth);
    for (size_t i = growth->due.count; i-- > before;) {
        struct call_node *call = &growth->due.items[i].node;

        call->parent = parent;
        call->depth = node->depth + 1;
        call->start = start;
        weight_add(&start, call->weights.total);
    }
}

static bool is_too_light(struct growth *growth, const struct call_node *node)
{
    struct heavy_node heavy = {node->weights.total, node->depth};

    if (growth->walk)
        return node->weights.total < growth->walk->least;
    return !heaviest_take(&growth->heaviest, heavy) && node->depth > 1;
}

static void leave_out(struct growth *growth, const struct branch *branch)
{
    struct call_tree *tree = growth->tree;

    if (growth->walk)
        return;
    for (size_t i = 0; i < branch->count; i++)
        leave_out_from(growth, place_of(branch, i).stack);
    if (branch->count > 0)
        return;
    tree->left_out_count++;
    left_out_add_self(tree, growth->profile, PROFILE_NONE, branch->node.weights.self);
}

/* Hands it on, or adds it to the tree, where it has this index. */
static uint32_t keep(struct growth *growth, const struct call_node *node)
{
    if (growth->walk)
        growth->walk->visit(growth->walk->context, node);
    else
        *vec_add(&growth->tree->nodes) = *node;
    return growth->walk ? PROFILE_NONE : (uint32_t)growth->tree->nodes.count - 1;
}

/* Keeps the next branch's node, or counts what is in it. */
static void add_next(struct growth *growth)
{
    struct branch branch = growth->due.items[--growth->due.count];

    if (is_too_light(growth, &branch.node)) {
        leave_out(growth, &branch);
    } else {
        uint32_t index = keep(growth, &branch.node);

        growth->steps.count = 0;
        for (size_t i = 0; i < branch.count; i++)
            add_steps_from(growth, place_of(&branch, i));
        part(growth, index, &branch.node, 0);
    }
    free(branch.others);
}

/* --- Threads ------------------------------------------------------------------------------------- */

static uint32_t name_of(const struct profile *profile, uint32_t thread)
{
    return profile->threads.items[thread].name;
}

static int compare_sums(const void *left, const void *right, void *context)
{
    const struct sample_sum *a = left;
    const struct sample_sum *b = right;
    uint32_t first = name_of(context, a->thread);
    uint32_t second = name_of(context, b->thread);

    return first < second ? -1 : first > second;
}

static int compare_groups(const void *left, const void *right, void *context)
{
    const struct growth *growth = context;

    return call_node_compare(growth->profile, growth->order, &((const struct thread_group *)left)->node,
                             &((const struct thread_group *)right)->node);
}

static void find_groups(struct growth *growth)
{
    struct profile *profile = growth->profile;
    struct sums_cursor cursor = sums_cursor_of(&profile->series.items[growth->series].samples.sums);
    enum weight weight = weight_of_series(profile, growth->series);
    struct sample_sum sum;

    while (sums_cursor_next(&cursor, &sum)) {
        sum.value = weight_of_sum(&sum, weight);
        *vec_add(&growth->sums) = sum;
    }
    if (growth->sums.count > 1)
        qsort_r(growth->sums.items, growth->sums.count, sizeof(sum), compare_sums, profile);
    for (size_t i = 0; i < growth->sums.count; i++) {
        uint32_t name = name_of(profile, growth->sums.items[i].thread);
        struct thread_group *last = NULL;

        if (i == 0 || name_of(profile, growth->sums.items[i - 1].thread) != name)
            *vec_add(&growth->groups) = (struct thread_group){
                .node = {.name = name, .function = PROFILE_NONE, .kind = CALL_THREAD, .depth = 1},
                .first = i};
        last = &growth->groups.items[growth->groups.count - 1];
        last->end = i + 1;
        weight_add(&last->node.weights.total, growth->sums.items[i].value);
    }
    if (growth->groups.count > 1)
        qsort_r(growth->groups.items, growth->groups.count, sizeof(struct thread_group), compare_groups,
                growth);
}

/* Gives the weight of the group's samples to their stacks; how much is of samples without one. */
static uint64_t weigh_stacks(struct growth *growth, const struct thread_group *group)
{
    uint64_t unknown = 0;

    for (size_t i = group->first; i < group->end; i++) {
        const struct sample_sum *sum = &growth->sums.items[i];

        if (sum->stack == PROFILE_NONE)
            weight_add(&unknown, sum->value);
        for (uint32_t at = sum->stack; at != PROFILE_NONE; at = growth->profile->stacks.items[at].parent)
            weight_add(&growth->weights[at], sum->value);
    }
    return unknown;
}

/* For the next one; what is above a stack without a weight has none. */
static void forget_weights(struct growth *growth, const struct thread_group *group)
{
    for (size_t i = group->first; i < group->end; i++)
        for (uint32_t at = growth->sums.items[i].stack; at != PROFILE_NONE && growth->weights[at] > 0;
             at = growth->profile->stacks.items[at].parent)
            growth->weights[at] = 0;
}

/* The outermost calls of the group's samples. */
static void add_roots(struct growth *growth)
{
    growth->steps.count = 0;
    for (size_t i = 0; i < growth->roots.count; i++)
        if (growth->weights[growth->roots.items[i]] > 0)
            add_step(growth, outermost_of(growth, growth->roots.items[i]));
}

static void grow_group(struct growth *growth, const struct thread_group *group, const struct call_node *root,
                       uint64_t *start)
{
    struct call_node node = *root;
    uint32_t index = 0;
    uint64_t unknown = 0;

    if (group->node.name != PROFILE_NO_STRING) {
        node = group->node;
        node.start = *start;
        weight_add(start, node.weights.total);
        if (growth->walk && node.weights.total < growth->walk->least)
            return;
        index = keep(growth, &node);
    }
    unknown = weigh_stacks(growth, group);
    add_roots(growth);
    part(growth, index, &node, unknown);
    while (growth->due.count > 0)
        add_next(growth);
    forget_weights(growth, group);
}

/* --- All of it ----------------------------------------------------------------------------------- */

bool heavy_tree_is_for(const struct profile *profile, uint32_t series)
{
    enum { MANY_STACKS = 20000 }; /* from about there on it is the quicker one, too */
    bool has_named = false;
    bool has_nameless = false;

    for (uint32_t i = 0; i < profile->threads.count; i++) {
        has_named = has_named || name_of(profile, i) != PROFILE_NO_STRING;
        has_nameless = has_nameless || name_of(profile, i) == PROFILE_NO_STRING;
    }
    return profile->stacks.count >= MANY_STACKS && profile->series.items[series].heap == HEAP_EVENT_NONE &&
           !(has_named && has_nameless);
}

static void grow(struct growth *growth)
{
    struct call_node root = call_node_of_root(growth->profile);
    uint64_t start = 0;

    link_calls(growth);
    find_groups(growth);
    for (size_t i = 0; i < growth->groups.count; i++)
        weight_add(&root.weights.total, growth->groups.items[i].node.weights.total);
    (void)keep(growth, &root);
    for (size_t i = 0; i < growth->groups.count; i++)
        grow_group(growth, &growth->groups.items[i], &root, &start);
}

void heavy_tree_make(struct profile *profile, uint32_t series, size_t most_nodes, struct call_tree *out)
{
    SCOPED(growth_done)
    struct growth growth = {.profile = profile,
                            .series = series,
                            .order = CALLS_BY_NAME,
                            .heaviest = {.most = most_nodes},
                            .tree = out};

    *out = (struct call_tree){.has_starts = true};
    grow(&growth);
    left_out_drop_lighter(out, profile, &growth.heaviest);
}

void heavy_tree_walk(struct profile *profile, uint32_t series, const struct heavy_tree_walk *walk)
{
    SCOPED(growth_done)
    struct growth growth = {.profile = profile, .series = series, .order = walk->order, .walk = walk};

    grow(&growth);
}

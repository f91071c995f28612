#include "changes/change_tree.h"

#include <stdlib.h>

#include "base/memory.h"

void change_tree_done(struct change_tree *tree)
{
    call_tree_done(&tree->calls);
    free(tree->nodes);
    tree->nodes = NULL;
}

/* --- What calls take ----------------------------------------------------------------------------- */

static bool is_same_call(const struct call_node *a, const struct call_node *b)
{
    return a->depth == b->depth && a->kind == b->kind && a->function == b->function && a->name == b->name;
}

/*
 * Gives each node of the whole tree the weights of one side. That side's tree is a part of it, in the same
 * order: so a node's place is the next one below its parent's that is the same call.
 */
static void set_weights(const struct call_tree *of_side, enum joined_side side, struct change_tree *tree)
{
    size_t count = of_side->nodes.count;
    SCOPED(memory_free_at) uint32_t *places = memory_new(count + 1, sizeof(uint32_t));
    size_t next = 0;

    for (uint32_t i = 0; i < tree->calls.nodes.count && next < count; i++) {
        const struct call_node *node = &tree->calls.nodes.items[i];
        const struct call_node *found = &of_side->nodes.items[next];

        if (!is_same_call(node, found) || (i > 0 && places[found->parent] != node->parent))
            continue;
        places[next++] = i;
        tree->nodes[i].self.weights[side] = found->weights.self;
        tree->nodes[i].total.weights[side] = found->weights.total;
    }
}

static void set_amounts(const struct measure *measure, enum joined_side side, struct change_tree *tree)
{
    struct measure_parts parts = {.side = &measure->sides[side]};
    size_t count = tree->calls.nodes.count;

    for (size_t i = 0; i < count; i++) {
        struct change_node *node = &tree->nodes[i];

        node->self.amounts[side] = measure_next(&parts, node->self.weights[side]);
    }
    for (size_t i = count; i-- > 0;) {
        uint32_t parent = tree->calls.nodes.items[i].parent;
        struct change_node *node = &tree->nodes[i];

        node->total.amounts[side] += node->self.amounts[side];
        if (parent != PROFILE_NONE)
            tree->nodes[parent].total.amounts[side] += node->total.amounts[side];
    }
}

/* --- What of it is told -------------------------------------------------------------------------- */

/* What is told of each function. */
struct functions {
    const struct change **changes; /* owned; NULL: it is as it was */
    const struct change *unknown;  /* the same of samples without a stack */
};

static void functions_done(struct functions *functions)
{
    free(functions->changes);
}

static void read_functions(const struct changes *changes, struct functions *out)
{
    out->changes = memory_new(changes->joined.functions.count + 1, sizeof(const struct change *));
    for (size_t i = 0; i < changes->items.count; i++) {
        const struct change *change = &changes->items.items[i];

        *(change->function == PROFILE_NONE ? &out->unknown : &out->changes[change->function]) = change;
    }
}

static const struct change *change_at(const struct functions *functions, const struct call_node *call)
{
    if (call->kind == CALL_UNKNOWN)
        return functions->unknown;
    return call->function == PROFILE_NONE ? NULL : functions->changes[call->function];
}

/* Which way its own time went, beyond noise: -1, 0 or 1. */
static int direction_of(const struct change *function)
{
    int64_t difference = function && !function->self.is_noise ? change_of(&function->self) : 0;

    return (difference > 0) - (difference < 0);
}

static double weight_of(const struct change_figure *figure)
{
    return (double)figure->weights[JOINED_BEFORE] + (double)figure->weights[JOINED_AFTER];
}

/* A part of a function's samples varies as much as it is large. */
static double variance_of(const struct change_figure *function, const struct change_figure *part)
{
    double whole = weight_of(function);

    return whole > 0 ? function->run_variance * weight_of(part) / whole : 0;
}

/* What is no function's, as a thread, varies as its calls do together. */
static void set_variances(const struct functions *functions, struct change_tree *tree)
{
    for (size_t i = tree->calls.nodes.count; i-- > 0;) {
        const struct call_node *call = &tree->calls.nodes.items[i];
        const struct change *function = change_at(functions, call);
        struct change_node *node = &tree->nodes[i];

        if (function) {
            node->self.run_variance = variance_of(&function->self, &node->self);
            node->total.run_variance = variance_of(&function->total, &node->total);
        }
        if (call->parent != PROFILE_NONE && tree->calls.nodes.items[call->parent].function == PROFILE_NONE)
            tree->nodes[call->parent].total.run_variance += node->total.run_variance;
    }
}

static void judge(const struct changes *changes, const struct change *function, struct change_node *node)
{
    int64_t difference = change_of(&node->self);
    int direction = (difference > 0) - (difference < 0);

    node->total.is_noise = change_is_noise(changes, &node->total);
    node->self.is_noise = change_is_noise(changes, &node->self) &&
                          (!function || direction == 0 || direction_of(function) != direction);
}

static bool is_gone(const struct functions *functions, const struct call_node *call,
                    const struct change_node *node)
{
    const struct change *function = NULL;

    if (node->total.weights[JOINED_AFTER] > 0 || node->total.weights[JOINED_BEFORE] == 0)
        return false;
    function = change_at(functions, call);
    return !node->total.is_noise ||
           (function && function->total.weights[JOINED_AFTER] == 0 && !function->total.is_noise);
}

static void find_gone(const struct functions *functions, struct change_tree *tree)
{
    size_t count = tree->calls.nodes.count;
    SCOPED(memory_free_at) bool *are_gone = memory_new(count + 1, sizeof(bool));

    for (size_t i = 0; i < count; i++) {
        const struct call_node *call = &tree->calls.nodes.items[i];

        are_gone[i] = (call->parent != PROFILE_NONE && are_gone[call->parent]) ||
                      is_gone(functions, call, &tree->nodes[i]);
        if (are_gone[i])
            tree->nodes[i].gone = tree->nodes[i].total.amounts[JOINED_BEFORE];
    }
    /* Other callers have the sum of their calls that are gone. */
    for (size_t i = count; i-- > 1;) {
        uint32_t caller = tree->calls.nodes.items[i].parent;

        if (!are_gone[caller])
            tree->nodes[caller].gone += tree->nodes[i].gone;
    }
}

int change_tree_make(struct changes *changes, change_tree_fn *make, void *context, struct change_tree *out,
                     struct error *err)
{
    SCOPED(functions_done) struct functions functions = {0};
    struct change_tree tree = {0};

    if (make(context, &changes->joined, JOINED_BOTH, &tree.calls, err) < 0)
        return -1;
    tree.nodes = memory_new(tree.calls.nodes.count, sizeof(*tree.nodes));
    for (uint32_t side = 0; side < JOINED_SIDES; side++) {
        SCOPED(call_tree_done) struct call_tree calls = {0};

        if (make(context, &changes->joined, side, &calls, err) < 0) {
            change_tree_done(&tree);
            return -1;
        }
        set_weights(&calls, side, &tree);
        set_amounts(&changes->measure, side, &tree);
    }
    read_functions(changes, &functions);
    set_variances(&functions, &tree);
    for (size_t i = 0; i < tree.calls.nodes.count; i++)
        judge(changes, change_at(&functions, &tree.calls.nodes.items[i]), &tree.nodes[i]);
    find_gone(&functions, &tree);
    *out = tree;
    return 0;
}

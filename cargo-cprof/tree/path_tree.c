#include "tree/path_tree.h"

#include "tree/reversed_tree.h"
#include "tree/tree_builder.h"

/* One stack as its calls, the outermost first. */
struct path {
    VEC(uint32_t) calls; /* indices of the profile's frames */
    size_t start;        /* those from here on count */
};

struct arranger {
    struct tree_builder builder;
    const struct path_choice *choice;
    bool gives_to_own;
    struct path path; /* scratch */
};

static void arranger_done(struct arranger *arranger)
{
    tree_builder_done(&arranger->builder);
    vec_done(&arranger->path.calls);
}

static bool is_in(const struct profile *profile, const bool *functions, uint32_t frame)
{
    return functions && functions[profile->frames.items[frame].function];
}

static void add_calls(const struct profile *profile, uint32_t stack, const bool *left_out, struct path *out)
{
    out->calls.count = 0;
    out->start = 0;
    for (; stack != PROFILE_NONE; stack = profile->stacks.items[stack].parent) {
        const struct profile_location *location =
            &profile->locations.items[profile->stacks.items[stack].location];

        for (uint32_t i = 0; i < location->frame_count; i++) {
            if (!is_in(profile, left_out, location->first_frame + i))
                *vec_add(&out->calls) = location->first_frame + i;
        }
    }
}

/* They were gathered from the innermost out. */
static void turn_round(struct path *path)
{
    for (size_t i = 0, j = path->calls.count; i + 1 < j; i++) {
        uint32_t call = path->calls.items[i];

        path->calls.items[i] = path->calls.items[--j];
        path->calls.items[j] = call;
    }
}

/* The first call from `start` on of one of the functions; the number of calls when there is none. */
static size_t find_call(const struct arranger *arranger, size_t start, const bool *functions)
{
    const struct path *path = &arranger->path;

    while (start < path->calls.count &&
           !is_in(arranger->builder.profile, functions, path->calls.items[start]))
        start++;
    return start;
}

/* Puts the stack's calls in the order in which the tree has them; false when the sample is left out. */
static bool arrange(struct arranger *arranger, uint32_t stack)
{
    const struct path_choice *choice = arranger->choice;
    struct path *path = &arranger->path;

    add_calls(arranger->builder.profile, stack, choice->left_out, path);
    turn_round(path);
    if (choice->skip_after && find_call(arranger, 0, choice->skip_after) < path->calls.count)
        path->start = find_call(arranger, 0, choice->skip_after);
    if (choice->shape == PATHS_CALLEES)
        path->start = find_call(arranger, path->start, choice->chosen);
    return choice->shape != PATHS_CALLEES || path->start < path->calls.count;
}

/* Whose samples are at the end of a path that goes through `call`: totals_own_frame's, as far as it is there.
 */
static bool is_own(const struct arranger *arranger, uint32_t call)
{
    return !arranger->gives_to_own || !totals_is_stds(arranger->builder.profile, call);
}

static void add_path(struct arranger *arranger, uint32_t node, uint32_t stack, uint64_t weight)
{
    struct tree_builder *builder = &arranger->builder;
    const struct path *path = &arranger->path;
    uint32_t own = PROFILE_NONE;

    if (stack == PROFILE_NONE)
        node = tree_builder_unknown(builder, node);
    for (size_t i = path->start; i < path->calls.count; i++) {
        const struct profile_frame *call = &builder->profile->frames.items[path->calls.items[i]];

        node = tree_builder_call(builder, node, call);
        if (call->is_inlined)
            weight_add(&builder->nodes.items[node].inlined_weight, weight);
        own = is_own(arranger, path->calls.items[i]) ? node : own;
    }
    weight_add(&builder->nodes.items[own == PROFILE_NONE ? node : own].weights.self, weight);
}

static void add_sum(struct arranger *arranger, const struct sample_sum *sum, enum weight weight)
{
    const struct path_choice *choice = arranger->choice;
    uint32_t node = 0;

    if (!arrange(arranger, sum->stack))
        return;
    if (choice->per_thread)
        node = tree_builder_one_thread(&arranger->builder, sum->thread);
    else if (choice->shape == PATHS_DOWN)
        node = tree_builder_thread(&arranger->builder, sum->thread);
    add_path(arranger, node, sum->stack, weight_of_sum(sum, weight));
}

void path_tree_make(struct profile *profile, uint32_t series, enum call_order order,
                    const struct path_choice *choice, struct call_tree *out)
{
    SCOPED(arranger_done)
    struct arranger arranger = {.choice = choice,
                                .gives_to_own = choice->gives_to_own && profile->series.items[series].heap};
    struct sums_cursor cursor = sums_cursor_of(&profile->series.items[series].samples.sums);
    struct sample_sum sum;
    enum weight weight = weight_of_series(profile, series);

    if (choice->shape == PATHS_REVERSED || choice->shape == PATHS_CALLERS) {
        reversed_tree_make(profile, series, order, choice, out);
        return;
    }
    tree_builder_init(&arranger.builder, profile, order);
    while (sums_cursor_next(&cursor, &sum))
        add_sum(&arranger, &sum, weight);
    tree_builder_finish(&arranger.builder, choice->least_share, out);
}

#include "changes/changes.h"

#include <math.h>

#include "base/memory.h"
#include "changes/alike.h"
#include "changes/chance.h"
#include "changes/run_variances.h"
#include "changes/sample_variances.h"
#include "changes/unlike.h"
#include "delta/statistics.h"

#define LEVEL 0.05

void changes_done(struct changes *changes)
{
    vec_done(&changes->items);
    profile_done(&changes->joined);
}

int64_t change_of(const struct change_figure *figure)
{
    return (int64_t)(figure->amounts[JOINED_AFTER] - figure->amounts[JOINED_BEFORE]);
}

struct change_figure changes_whole(const struct changes *changes)
{
    struct change_figure whole = {0};

    for (size_t side = 0; side < JOINED_SIDES; side++)
        whole.amounts[side] = measure_all(&changes->measure.sides[side]);
    return whole;
}

size_t changes_beyond_noise(const struct changes *changes)
{
    return changes->measure.is_of_waits ? changes->told_count : changes->itself_count;
}

struct slice change_name(const struct changes *changes, const struct change *change)
{
    return change->function == PROFILE_NONE
               ? SLICE("[no stack]")
               : profile_text(&changes->joined, changes->joined.functions.items[change->function].name);
}

bool change_is_kernels(const struct changes *changes, const struct change *change)
{
    return change->function != PROFILE_NONE &&
           changes->joined.functions.items[change->function].category == CATEGORY_KERNEL;
}

/* --- Figures ------------------------------------------------------------------------------------- */

static int compare_names(const struct changes *changes, const struct change *a, const struct change *b)
{
    const struct profile *joined = &changes->joined;
    int by_name = slice_compare(change_name(changes, a), change_name(changes, b));

    if (by_name || a->function == PROFILE_NONE || b->function == PROFILE_NONE)
        return by_name;
    return slice_compare(profile_text(joined, joined->functions.items[a->function].crate),
                         profile_text(joined, joined->functions.items[b->function].crate));
}

static int compare_by_name(const void *left, const void *right, void *context)
{
    return compare_names(context, left, right);
}

static void add_items(const struct totals totals[JOINED_SIDES], struct changes *out)
{
    struct change without_stack = {.function = PROFILE_NONE};

    for (size_t side = 0; side < JOINED_SIDES; side++)
        without_stack.self.weights[side] = without_stack.total.weights[side] = totals[side].without_stack;
    *vec_add(&out->items) = without_stack;
    for (uint32_t i = 0; i < out->joined.functions.count; i++) {
        struct change *change = vec_add(&out->items);

        *change = (struct change){.function = i};
        for (size_t side = 0; side < JOINED_SIDES; side++) {
            change->self.weights[side] = totals[side].functions[i].self;
            change->total.weights[side] = totals[side].functions[i].total;
        }
    }
}

/* CPU time less what samples stand for. So chance moves it as far as all samples together. */
static void add_apart(struct changes *out)
{
    struct profile *joined = &out->joined;
    const char *called = measure_apart_name(&out->measure);
    struct change apart = {.function = (uint32_t)joined->functions.count, .is_apart = true};
    uint32_t name = 0;

    if (!called)
        return;
    name = profile_string(joined, slice_of(called));
    *vec_add(&joined->functions) = (struct profile_function){
        .name = name,
        .crate = name,
        .category = out->measure.has_missed ? CATEGORY_UNKNOWN : CATEGORY_KERNEL,
    };
    for (size_t side = 0; side < JOINED_SIDES; side++) {
        apart.self.weights[side] = out->measure.sides[side].weight;
        apart.self.amounts[side] = out->measure.sides[side].apart;
    }
    apart.total = apart.self;
    *vec_add(&out->items) = apart;
}

/*
 * In the order of names, so that what rounding gives to each does not depend on what the other side has, nor
 * on which side is which.
 */
static void set_amounts(struct changes *changes)
{
    qsort_r(changes->items.items, changes->items.count, sizeof(struct change), compare_by_name, changes);
    for (size_t side = 0; side < JOINED_SIDES; side++) {
        struct measure_parts parts = {.side = &changes->measure.sides[side]};

        for (size_t i = 0; i < changes->items.count; i++) {
            struct change *change = &changes->items.items[i];
            uint64_t self = 0;
            uint64_t total = 0;

            if (change->is_apart)
                continue;
            self = measure_next(&parts, change->self.weights[side]);
            total = measure_amount(parts.side, change->total.weights[side]);
            change->self.amounts[side] = self;
            /* Both are rounded, but each on its own. */
            if (total < self || change->total.weights[side] == change->self.weights[side])
                total = self;
            change->total.amounts[side] = total;
        }
    }
}

/* --- Runs ---------------------------------------------------------------------------------------- */

static void add_variance(const struct measure_side *side, double variance, struct change_figure *figure)
{
    double unit = side->weight > 0 ? (double)side->whole / (double)side->weight : 0;

    figure->run_variance += variance * unit * unit;
}

static void add_variances(struct changes *changes, enum joined_side which,
                          const struct run_variances *variances)
{
    const struct measure_side *side = &changes->measure.sides[which];

    for (size_t i = 0; i < changes->items.count; i++) {
        struct change *change = &changes->items.items[i];
        bool has_function = change->function != PROFILE_NONE;

        add_variance(side, has_function ? variances->self[change->function] : variances->without_stack,
                     &change->self);
        add_variance(side, has_function ? variances->total[change->function] : variances->without_stack,
                     &change->total);
    }
}

/* Of what samples stand for, which are not alike, and not how many there are. */
static bool has_variances(const struct changes *changes)
{
    return (changes->measure.is_of_waits && changes->measure.kind != MEASURE_WAITS) ||
           changes->measure.is_of_heap;
}

/* CPU time, too, is a share of a whole that was measured without a profiler. */
static void find_variances(const struct joined_part parts[JOINED_SIDES], enum joined_side which,
                           const struct totals *totals, struct changes *changes)
{
    const struct measure *measure = &changes->measure;
    const struct measure_side *side = &measure->sides[which];
    bool is_share = measure->kind == MEASURE_CPU || measure->kind == MEASURE_SHARE;
    const struct run_series of = {which, measure->weights[which], side->runs, is_share};
    SCOPED(run_variances_done) struct run_variances variances = {0};

    if (measure_tells_runs(measure))
        run_variances_find(&changes->joined, of, totals, &variances);
    else if (has_variances(changes))
        sample_variances_find(parts, which, &changes->joined, &variances);
    else
        return;
    add_variances(changes, which, &variances);
}

/* --- Chance -------------------------------------------------------------------------------------- */

/* How many samples the weight is of. */
static uint64_t samples_of(const struct measure_side *side, uint64_t weight)
{
    return side->weight ? (uint64_t)llround((double)weight / (double)side->weight * side->samples) : 0;
}

uint64_t change_samples(const struct changes *changes, const struct change_figure *figure,
                        enum joined_side side)
{
    return samples_of(&changes->measure.sides[side], figure->weights[side]);
}

static uint64_t samples_together(const struct changes *changes, const struct change_figure *figure)
{
    return change_samples(changes, figure, JOINED_BEFORE) + change_samples(changes, figure, JOINED_AFTER);
}

static double find_limit(const struct changes *changes, double share_after)
{
    SCOPED(memory_free_at) double *least = memory_new(2 * changes->items.count, sizeof(double));
    size_t count = 0;

    for (size_t i = 0; i < changes->items.count; i++) {
        const struct change *change = &changes->items.items[i];

        least[count++] = chance_least(samples_together(changes, &change->self), share_after);
        least[count++] = chance_least(samples_together(changes, &change->total), share_after);
    }
    return chance_limit(least, count, LEVEL);
}

/*
 * A sample of a side stands for whole / samples. Of n samples of both sides together the difference has the
 * variance n * (a sample before) * (a sample after), were both the same.
 */
static uint64_t error_of(const struct changes *changes, const struct change_figure *figure, double deviations)
{
    double variance = (double)samples_together(changes, figure);

    for (size_t side = 0; side < JOINED_SIDES; side++) {
        const struct measure_side *of = &changes->measure.sides[side];

        if (of->samples == 0)
            return 0;
        variance *= (double)of->whole / of->samples;
    }
    return (uint64_t)llround(deviations * sqrt(variance));
}

uint64_t change_distance(const struct change_figure *figure)
{
    int64_t difference = change_of(figure);

    return difference > 0 ? (uint64_t)difference : 0 - (uint64_t)difference;
}

/* How far runs of one program, so many as there were, rarely differ. */
static uint64_t run_error_of(const struct changes *changes, const struct change_figure *figure)
{
    return (uint64_t)llround(changes->run_deviations * sqrt(figure->run_variance));
}

bool change_is_noise(const struct changes *changes, const struct change_figure *figure)
{
    uint64_t before = change_samples(changes, figure, JOINED_BEFORE);
    uint64_t after = change_samples(changes, figure, JOINED_AFTER);

    if (has_variances(changes))
        return change_distance(figure) <= run_error_of(changes, figure);
    return change_distance(figure) <= run_error_of(changes, figure) ||
           chance_of_counts(before, after, measure_share_after(&changes->measure)) > changes->chance;
}

static void judge(const struct changes *changes, double deviations, bool is_apart,
                  struct change_figure *figure)
{
    uint64_t run_error = run_error_of(changes, figure);

    figure->error = has_variances(changes) ? 0 : error_of(changes, figure, deviations);
    if (run_error > figure->error)
        figure->error = run_error;
    figure->is_noise = is_apart ? change_distance(figure) <= figure->error : change_is_noise(changes, figure);
}

/* How far waits, memory and runs of one side differ is known of each function, and not of these together. */
static void judge_kernel(struct changes *changes, double deviations)
{
    struct change_figure *kernel = &changes->kernel;
    bool is_apart = false;

    for (size_t i = 0; i < changes->items.count; i++) {
        const struct change *change = &changes->items.items[i];

        if (!change_is_kernels(changes, change))
            continue;
        is_apart = is_apart || change->is_apart;
        for (size_t side = 0; side < JOINED_SIDES; side++) {
            kernel->amounts[side] += change->self.amounts[side];
            kernel->weights[side] += change->self.weights[side];
        }
    }
    judge(changes, deviations, is_apart, kernel);
}

/* Were both the same, runs of one would differ as those of the other do. */
static double run_degrees(const struct measure *measure)
{
    return (double)measure->sides[JOINED_BEFORE].runs + (double)measure->sides[JOINED_AFTER].runs - 2;
}

static void judge_all(struct changes *changes)
{
    double deviations = 0;

    changes->chance = find_limit(changes, measure_share_after(&changes->measure));
    deviations = chance_deviations(changes->chance);
    changes->run_deviations = deviations;
    if (measure_tells_runs(&changes->measure))
        changes->run_deviations = student_quantile(1 - changes->chance / 2, run_degrees(&changes->measure));
    for (size_t i = 0; i < changes->items.count; i++) {
        struct change *change = &changes->items.items[i];

        judge(changes, deviations, change->is_apart, &change->self);
        judge(changes, deviations, change->is_apart, &change->total);
    }
    judge_kernel(changes, deviations);
}

/* --- Which, and in what order -------------------------------------------------------------------- */

/* Threads wait in the kernel, which is told of every change of that, and of none the cause. */
static bool is_where_all_wait(const struct changes *changes, const struct change *change)
{
    return changes->measure.is_of_waits && change_is_kernels(changes, change);
}

/* Of programs in which nothing is known to be the user's all that is not the kernel's may be. */
static bool has_own(const struct changes *changes)
{
    for (size_t i = 0; i < changes->joined.functions.count; i++)
        if (changes->joined.functions.items[i].category == CATEGORY_OWN)
            return true;
    return false;
}

static bool is_own(const struct changes *changes, const struct change *change, bool any_own)
{
    const struct profile_function *functions = changes->joined.functions.items;

    if (change->function == PROFILE_NONE)
        return false;
    return functions[change->function].category == CATEGORY_OWN || (changes->measure.is_of_waits && !any_own);
}

static enum change_rank rank_of(const struct changes *changes, const struct change *change, bool any_own)
{
    if (is_where_all_wait(changes, change))
        return change->total.is_noise ? CHANGE_NOISE : CHANGE_CALLER;
    if (!change->self.is_noise)
        return CHANGE_ITSELF;
    if (change->total.is_noise || (changes->itself_count == 0 && !changes->measure.is_of_waits &&
                                   alike_by_share(changes, &change->total)))
        return CHANGE_NOISE;
    return is_own(changes, change, any_own) ? CHANGE_OWN_CALLER : CHANGE_CALLER;
}

static bool is_different(const struct change *change)
{
    return change_of(&change->self) != 0 || change_of(&change->total) != 0;
}

static int compare_distances(const struct change_figure *a, const struct change_figure *b)
{
    uint64_t x = change_distance(a);
    uint64_t y = change_distance(b);

    return x == y ? 0 : x > y ? -1 : 1;
}

static int compare_changes(const void *left, const void *right, void *context)
{
    const struct change *a = left;
    const struct change *b = right;
    const struct changes *changes = context;
    bool are_callers =
        a->rank == CHANGE_OWN_CALLER || a->rank == CHANGE_CALLER || changes->measure.is_of_waits;
    int by_self = compare_distances(&a->self, &b->self);
    int by_total = compare_distances(&a->total, &b->total);
    int order = are_callers ? by_total : by_self;

    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    order = order ? order : are_callers ? by_self : by_total;
    return order ? order : compare_names(context, a, b);
}

static void count_itself(struct changes *changes)
{
    for (size_t i = 0; i < changes->items.count; i++) {
        const struct change *change = &changes->items.items[i];

        changes->itself_count += !change->self.is_noise && !is_where_all_wait(changes, change);
    }
}

static void leave_what_differs(struct changes *changes)
{
    bool any_own = has_own(changes);
    size_t kept = 0;

    for (size_t i = 0; i < changes->items.count; i++) {
        struct change change = changes->items.items[i];

        if (!is_different(&change))
            continue;
        change.rank = rank_of(changes, &change, any_own);
        changes->told_count += change.rank <= CHANGE_OWN_CALLER;
        changes->items.items[kept++] = change;
    }
    changes->items.count = kept;
    qsort_r(changes->items.items, kept, sizeof(struct change), compare_changes, changes);
}

/* What is alike then is what functions take themselves: callers would be gone, or new, that the program has.
 */
static void leave_out_callees(struct changes *changes)
{
    for (size_t i = 0; i < changes->items.count; i++)
        changes->items.items[i].total = changes->items.items[i].self;
}

static void compare(const struct joined_part parts[JOINED_SIDES], enum joined_by by,
                    const struct measure *measure, struct changes *out)
{
    struct totals totals[JOINED_SIDES];

    *out = (struct changes){.measure = *measure};
    joined_make(parts, by, &out->joined);
    for (uint32_t side = 0; side < JOINED_SIDES; side++)
        totals_compute(&out->joined, side, measure->weights[side], &totals[side]);
    add_items(totals, out);
    for (size_t side = 0; side < JOINED_SIDES; side++) {
        find_variances(parts, (enum joined_side)side, &totals[side], out);
        totals_done(&totals[side]);
    }
    out->lacks_callers = unlike_is_without_callers(parts);
    if (out->lacks_callers)
        leave_out_callees(out);
    add_apart(out);
    set_amounts(out);
    judge_all(out);
    count_itself(out);
    alike_find(out);
    leave_what_differs(out);
}

/* A crate that nearly all of the time goes to has the same share whatever changes in it: its functions tell.
 */
static void ask_functions(const struct joined_part parts[JOINED_SIDES], struct changes *changes)
{
    SCOPED(changes_done) struct changes functions = {0};

    compare(parts, JOINED_BY_FUNCTION, &changes->measure, &functions);
    if (functions.itself_count == 0)
        return;
    changes->moved_alike = functions.moved_alike;
    changes->moved_alone = functions.moved_alone;
}

void changes_make(const struct joined_part parts[JOINED_SIDES], enum joined_by by,
                  const struct measure *measure, struct changes *out)
{
    compare(parts, by, measure, out);
    if (by != JOINED_BY_FUNCTION && (out->moved_alike || out->moved_alone))
        ask_functions(parts, out);
}

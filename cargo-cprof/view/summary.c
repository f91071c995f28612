#include "view/summary.h"

#include "base/units.h"
#include "facts/cpu_time.h"
#include "facts/folded_sample.h"
#include "facts/innermost_call.h"
#include "facts/missed.h"
#include "facts/quality.h"
#include "facts/sampled_threads.h"
#include "facts/series_unit.h"
#include "view/function_rows.h"
#include "view/wait_rows.h"

/* How many there are, where one may stand for many. */
static uint64_t weight_sum(const struct profile *profile, uint32_t series)
{
    const struct profile_series *of = &profile->series.items[series];

    return weight_of_series(profile, series) == WEIGHT_VALUE ? series_sum_of_values(of) : of->samples.count;
}

/* "some 642 samples of folded stacks (643,931,778 in all)", where their numbers are no samples. False
 * elsewhere. */
static bool add_folded(struct text *text, const struct profile *profile, uint32_t series_id)
{
    const struct profile_series *series = &profile->series.items[series_id];
    uint64_t all = series_sum_of_values(series);
    uint64_t weight = 1;

    if (!slice_is(profile_text(profile, series->unit), "samples"))
        return false;
    weight = folded_sample_weight(&series->samples.sums);
    if (weight == 1)
        return false;
    text_add_string(text, "some ");
    units_add_things(text, all / weight, "sample");
    text_add_string(text, " of ");
    text_add_terminal(text, profile_text(profile, series->event));
    text_add_string(text, " (");
    units_add_count(text, all);
    text_add_string(text, " in all)");
    return true;
}

/* "12.8 MiB at the peak", "1,234 allocations in all" */
static void add_heap(struct text *text, const struct profile *profile, uint32_t series)
{
    static const char *const words[] = {
        [HEAP_EVENT_PEAK] = " at the peak",
        [HEAP_EVENT_END] = " at the end",
        [HEAP_EVENT_BYTES] = " allocated",
        [HEAP_EVENT_COUNT] = "",
    };

    /* What is left of it when only some threads, or some of the time, are asked for. */
    static const char *const of_a_part[] = {
        [HEAP_EVENT_PEAK] = " of what the whole recording has at its peak",
        [HEAP_EVENT_END] = " of what the whole recording has at its end",
        [HEAP_EVENT_BYTES] = " allocated",
        [HEAP_EVENT_COUNT] = "",
    };
    const struct profile_series *of = &profile->series.items[series];

    series_unit_add_count(text, profile, series, weight_sum(profile, series));
    text_add_string(text, (series_is_part(of) ? of_a_part : words)[of->heap]);
    if (heap_event_is_of_moment(profile->series.items[series].heap) && profile->run_count > 1)
        text_format(text, " of a run, the mean of %u,", profile->run_count);
}

/* " in 112 samples", where it is known how many they are. */
static void add_sample_count(struct text *text, const struct profile_series *series, const char *noun)
{
    if (series->is_summed)
        return;
    text_add_string(text, " in ");
    units_add_things(text, series->samples.count, noun);
}

/* "1,234 samples of cpu-clock", "1,120 page-faults in 112 samples", "560 of 1,120 page-faults in 56 samples",
 * "245 events of sched:sched_switch in 245 samples"
 */
static void add_what(struct text *text, const struct profile *profile, uint32_t series_id)
{
    const struct profile_series *series = &profile->series.items[series_id];
    bool is_count = series_counts_things(profile, series_id);
    uint64_t kept = weight_sum(profile, series_id);
    uint64_t all = is_count ? missed_all(series, kept) : kept;

    if (add_folded(text, profile, series_id))
        return;
    if (series_is_of_heap(profile, series_id)) {
        add_heap(text, profile, series_id);
        add_sample_count(text, series, "sampled allocation");
        return;
    }
    if (series_is_of_folded_waits(profile, series_id)) {
        series_unit_add_count(text, profile, series_id, kept);
        text_add_string(text, " in " SERIES_FOLDED);
        return;
    }
    if (is_count && missed_from_part(profile, series_id))
        text_add_string(text, "at least ");
    if (all > kept) {
        units_add_count(text, kept);
        text_add_string(text, " of ");
    }
    series_unit_add_count(text, profile, series_id, all);
    if (is_count ? !series_unit_tells_event(profile, series_id)
                 : !slice_is(profile_text(profile, series->event), "samples")) {
        text_add_string(text, " of ");
        text_add_terminal(text, profile_text(profile, series->event));
    }
    if (is_count)
        add_sample_count(text, series, series_is_of_waits(profile, series_id) ? "wait" : "sample");
}

/* What each sample stands for where all stand for as much, as with -c; 0 where they do not, or for
 * themselves.
 */
static uint64_t period_of(const struct profile *profile, uint32_t series_id)
{
    const struct profile_series *series = &profile->series.items[series_id];
    struct sums_cursor cursor = sums_cursor_of(&series->samples.sums);
    struct sample_sum sum;
    uint64_t period = 0;

    if (series->frequency_hz > 0 || series->is_summed ||
        slice_is(profile_text(profile, series->unit), "samples"))
        return 0;
    while (sums_cursor_next(&cursor, &sum)) {
        if (period == 0)
            period = sum.value / sum.count;
        if (sum.value != period * sum.count)
            return 0;
    }
    return period > 1 ? period : 0;
}

/* ", 5.0 ms each", ", 1,000 each" */
static void add_period(struct text *text, const struct profile *profile, uint32_t series_id)
{
    uint64_t period = period_of(profile, series_id);

    if (period == 0 || series_is_of_waits(profile, series_id) || series_is_of_heap(profile, series_id))
        return;
    text_add_string(text, ", ");
    if (slice_is(profile_text(profile, profile->series.items[series_id].unit), "ns"))
        units_add_time(text, period);
    else
        units_add_count(text, period);
    text_add_string(text, " each");
}

/* "1.24 s", "0.09 s", and where that would say 0.00 or lose half of it "2.0 ms". */
static void add_time_taken(struct text *text, uint64_t ns)
{
    const uint64_t least_in_seconds_ns = 10000000;

    if (ns < least_in_seconds_ns)
        units_add_time(text, ns);
    else
        units_add_seconds(text, ns, 2);
}

void summary_add_sampled(struct text *text, const struct profile *profile, uint32_t series_id)
{
    const struct profile_series *series = &profile->series.items[series_id];
    uint64_t cpu = cpu_time_ns(profile, series);

    add_what(text, profile, series_id);
    if (series->frequency_hz)
        text_format(text, " at %u Hz", series->frequency_hz);
    add_period(text, profile, series_id);
    if (cpu > 0) {
        text_add_string(text, missed_from_part(profile, series_id) ? ": at least " : ": ");
        add_time_taken(text, cpu);
        text_add_string(text, " of CPU time");
    }
    if (profile->wall_ns > 0) {
        text_add_string(text, " in ");
        add_time_taken(text, profile->wall_ns);
    }
    sampled_threads_add(text, profile, series_id);
    if (series->is_user_only)
        text_add_string(text, ", without the kernel's part");
    if (series_is_kernel_only(profile, series))
        text_add_string(text, ", without the program's own part");
}

/* What code without a name of its own weighs, by where it is and why. */
struct unnamed {
    struct pair_index reasons; /* crate and why, as strings */
    VEC(uint64_t) weights;
};

static void unnamed_done(struct unnamed *unnamed)
{
    pair_index_done(&unnamed->reasons);
    vec_done(&unnamed->weights);
}

static void collect_unnamed(const struct profile *profile, const struct totals *totals, struct unnamed *out)
{
    for (size_t i = 0; i < profile->functions.count; i++) {
        const struct profile_function *function = &profile->functions.items[i];
        uint32_t id = 0;

        if (function->why_unnamed == PROFILE_NO_STRING || totals->functions[i].self == 0)
            continue;
        id = pair_index_add(&out->reasons, function->crate, function->why_unnamed);
        if (id == out->weights.count)
            *vec_add(&out->weights) = 0;
        weight_add(&out->weights.items[id], totals->functions[i].self);
    }
}

static void add_reason(struct text *text, const struct profile *profile, const struct pair *reason,
                       uint64_t weight, uint64_t whole)
{
    text_add_string(text, "  no name: ");
    units_add_percent(text, weight, whole);
    if (reason->first != PROFILE_NO_STRING) {
        text_add_string(text, " in ");
        text_add_terminal(text, profile_text(profile, (uint32_t)reason->first));
    }
    text_add_string(text, ", because ");
    text_add_terminal(text, profile_text(profile, (uint32_t)reason->second));
    text_add_byte(text, '\n');
}

/* A short program in a language of many libraries has a sample or two in each: they take one line. */
static void add_unnamed(struct text *text, const struct profile *profile, const struct totals *totals)
{
    static const uint64_t least_part = 1000;
    SCOPED(unnamed_done) struct unnamed unnamed = {0};
    uint64_t rest = 0;
    size_t rest_count = 0;

    collect_unnamed(profile, totals, &unnamed);
    for (size_t i = 0; i < unnamed.weights.count; i++) {
        uint64_t weight = unnamed.weights.items[i];

        if (weight >= totals->whole / least_part) {
            add_reason(text, profile, &unnamed.reasons.pairs.items[i], weight, totals->whole);
            continue;
        }
        rest += weight;
        rest_count++;
    }
    if (rest_count == 0)
        return;
    text_add_string(text, "  no name: ");
    units_add_percent(text, rest, totals->whole);
    text_format(text, " in %zu more file%s, less than 0.1%% in each\n", rest_count,
                rest_count == 1 ? "" : "s");
}

/*
 * What no sample of the heap stands for has no stack, however whole those of the samples are. Where some had
 * none to be read, nobody knows how much that is.
 */
static void add_rest_of_heap(struct text *text, const struct profile *profile, uint32_t series,
                             uint64_t whole)
{
    enum { LEAST_PERCENT = 1 };
    const struct profile_series *of = &profile->series.items[series];
    struct sums_cursor cursor = sums_cursor_of(&of->samples.sums);
    struct sample_sum sum;
    uint64_t rest = 0;

    if (!series_is_of_heap(profile, series) || !quality_is_known(of) || of->ended_counts[STACK_NO_USER] > 0)
        return;
    while (sums_cursor_next(&cursor, &sum))
        if (sum.stack == PROFILE_NONE)
            weight_add(&rest, sum.value);
    if (rest == 0 || rest < whole / (100 / LEAST_PERCENT))
        return;
    text_add_string(text, "  no stack: ");
    units_add_percent(text, rest, whole);
    text_add_string(text,
                    ", as too few allocations were sampled to tell who asked for it, or it is from before "
                    "the recording\n");
}

/* Beside so much time on a processor and so much waiting it is what is left of the threads' time. */
static void add_ready(struct text *text, const struct profile *profile, uint32_t series)
{
    enum { LEAST_PERCENT = 1 };

    if (!series_is_of_waits(profile, series) || series_is_part(&profile->series.items[series]) ||
        profile->ready_ns == 0 || profile->ready_ns < profile->wall_ns / (100 / LEAST_PERCENT))
        return;
    text_add_string(text, "  no processor: ");
    units_add_time(text, profile->ready_ns);
    text_add_string(text, " more, in which threads could have gone on and others ran in their place\n");
}

/* Of a wait without its callers the place alone is known where the kernel changes threads: the same for all.
 */
static bool waits_lack_callers(const struct profile *profile, uint32_t series)
{
    struct sums_cursor cursor = sums_cursor_of(&profile->series.items[series].samples.sums);
    struct sample_sum sum;
    bool any = false;

    if (!series_is_of_waits(profile, series))
        return false;
    while (sums_cursor_next(&cursor, &sum)) {
        if (sum.stack == PROFILE_NONE)
            continue;
        if (profile->stacks.items[sum.stack].parent != PROFILE_NONE ||
            !innermost_call_is_kernels(profile, sum.stack))
            return false;
        any = true;
    }
    return any;
}

static void add_facts(struct text *text, const struct profile *profile, uint32_t series,
                      const struct totals *totals)
{
    const struct profile_series *of = &profile->series.items[series];

    quality_add_loss(text, of, series_is_of_waits(profile, series));
    missed_add(text, profile, series);
    summary_add_sampled(text, profile, series);
    text_add_byte(text, '\n');
    if (of->samples.count + of->lost_count > 0)
        quality_add(text, of);
    add_ready(text, profile, series);
    if (of->samples.count + of->lost_count == 0)
        return;
    add_rest_of_heap(text, profile, series, totals->whole);
    if (waits_lack_callers(profile, series))
        text_add_string(text, "  callers were not recorded (--call-graph none), so that nobody knows where "
                              "threads waited, and what for\n");
    add_unnamed(text, profile, totals);
    if (profile->why_no_calls) {
        text_add_string(
            text, "  no inlined calls or lines: of some code, whose lines may be those of other functions: ");
        text_add_terminal(text, profile_text(profile, profile->why_no_calls));
        text_add_byte(text, '\n');
    }
}

void summary_add_facts(struct text *text, const struct profile *profile, uint32_t series)
{
    SCOPED(totals_done) struct totals totals = {0};

    totals_compute(profile, series, weight_of_series(profile, series), &totals);
    add_facts(text, profile, series, &totals);
}

static bool has_own_code(const struct profile *profile, const struct totals *totals)
{
    for (size_t i = 0; i < profile->functions.count; i++)
        if (profile->functions.items[i].category == CATEGORY_OWN && totals->functions[i].total > 0)
            return true;
    return false;
}

/* `heading` has the place of what functions are ordered by, if it tells that. */
static void add_functions(struct text *text, const char *heading, struct slice by, struct rows *rows,
                          struct render_look look)
{
    struct slice all = slice_of(heading);
    size_t place = slice_find_byte(all, '*');

    if (rows_count(rows) == 0)
        return;
    text_add_byte(text, '\n');
    text_add(text, slice_range(all, 0, place));
    if (place < all.length)
        text_add_terminal(text, by);
    text_add(text, slice_range(all, place + 1, all.length));
    text_add_byte(text, '\n');
    render_table(text, rows, look);
}

/* A summary while it is written. */
struct summary {
    struct text *text;
    const struct profile *profile;
    const struct totals *totals;
    struct slice by; /* "time" */
    size_t limit;
    struct render_look look;
};

/* Functions that call others and do nothing themselves are below, in the table by what they call. */
static void add_by_self(const struct summary *summary, uint32_t series)
{
    bool is_of_heap = series_is_of_heap(summary->profile, series);
    size_t self_count = 0;

    SCOPED(rows_done) struct rows rows = {0};

    function_rows_fill(summary->profile, summary->totals, FUNCTIONS_BY_SELF, FUNCTIONS_ALL, &rows);
    rows.limit = summary->limit;
    self_count = function_rows_count_self(&rows);
    if (self_count > 0 && self_count < rows.limit)
        rows.limit = self_count;
    add_functions(summary->text,
                  is_of_heap ? "By * that the function asks for, by itself or through std"
                             : "By * in the function itself",
                  summary->by, &rows, summary->look);
}

/* Threads wait in the kernel's scheduler, all of them: what for is what tells them apart. */
static void add_by_call(const struct summary *summary, uint32_t series)
{
    SCOPED(rows_done) struct rows rows = {0};

    wait_rows_fill(summary->profile, series, &rows);
    rows.limit = summary->limit;
    add_functions(summary->text, "By what they waited for", summary->by, &rows, summary->look);
}

/*
 * A short list would show nothing but how the program and its threads are started; of the user's own
 * functions it shows where the time goes.
 */
static void add_by_total(const struct summary *summary)
{
    SCOPED(rows_done) struct rows rows = {0};
    bool is_own = summary->limit > 0 && has_own_code(summary->profile, summary->totals);

    function_rows_fill(summary->profile, summary->totals, FUNCTIONS_BY_TOTAL,
                       is_own ? FUNCTIONS_OWN : FUNCTIONS_ALL, &rows);
    rows.limit = summary->limit;
    add_functions(summary->text,
                  is_own ? "Own functions by * in them and what they call"
                         : "By * in the function and what it calls",
                  summary->by, &rows, summary->look);
}

void summary_add(struct text *text, const struct profile *profile, uint32_t series, size_t limit,
                 struct render_look look)
{
    SCOPED(totals_done) struct totals totals = {0};
    struct summary summary = {text, profile, &totals, SLICE("time"), limit, look};

    if (series_counts_things(profile, series))
        summary.by = series_units(profile, series);
    totals_compute(profile, series, weight_of_series(profile, series), &totals);
    add_facts(text, profile, series, &totals);
    if (series_is_of_waits(profile, series)) {
        summary.by = SLICE("time waited");
        add_by_call(&summary, series);
    } else {
        add_by_self(&summary, series);
    }
    add_by_total(&summary);
}

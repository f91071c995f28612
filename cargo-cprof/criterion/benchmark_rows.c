#include "criterion/benchmark_rows.h"

#include <math.h>

#include "base/units.h"
#include "report/render.h"
#include "timing/figures.h"
#include "timing/ratio_words.h"

enum {
    BEFORE_SHOWN,
    AFTER_SHOWN,
    CHANGE_SHOWN,
    INTERVAL_SHOWN,
    VERDICT,
    NAME_SHOWN,
    BENCHMARK,
    FUNCTION,
    BEFORE,
    AFTER,
    TOTAL_BEFORE,
    TOTAL_AFTER,
    RATIO,
    RATIO_LOW,
    RATIO_HIGH,
};

void benchmark_rows_begin(struct rows *out)
{
    static const struct column columns[] = {
        {COLUMN_AMOUNT, "Before", NULL, 0, 0},         {COLUMN_AMOUNT, "After", NULL, 0, 0},
        {COLUMN_AMOUNT, "Change", NULL, 0, 0},         {COLUMN_AMOUNT, "Interval", NULL, 0, 0},
        {COLUMN_WORD, "Verdict", "verdict", 0, 0},     {COLUMN_TEXT, "Benchmark", NULL, 0, 0},
        {COLUMN_TEXT, NULL, "benchmark", 0, 0},        {COLUMN_TEXT, NULL, "function", 0, 0},
        {COLUMN_COUNT, NULL, "before-ps", 0, 0},       {COLUMN_COUNT, NULL, "after-ps", 0, 0},
        {COLUMN_COUNT, NULL, "total-before-ps", 0, 0}, {COLUMN_COUNT, NULL, "total-after-ps", 0, 0},
        {COLUMN_DECIMAL, NULL, "ratio", 0, 0},         {COLUMN_DECIMAL, NULL, "ratio-low", 0, 0},
        {COLUMN_DECIMAL, NULL, "ratio-high", 0, 0},
    };

    out->list_key = "benchmarks";
    out->noun = "row";
    for (size_t i = 0; i < ARRAY_COUNT(columns); i++)
        rows_add_column(out, columns[i]);
}

/* The text as a cell; it is emptied. */
static struct slice keep(struct rows *rows, struct text *text)
{
    struct slice kept = arena_slice(&rows->arena, text_slice(text));

    text_clear(text);
    return kept;
}

static struct slice time_cell(struct rows *rows, double ns)
{
    SCOPED(text_done) struct text text = {0};

    units_add_measured_time(&text, ns / 1e9);
    return keep(rows, &text);
}

static struct slice number_cell(struct rows *rows, double number)
{
    SCOPED(text_done) struct text text = {0};

    text_format(&text, "%.6f", number);
    return keep(rows, &text);
}

static uint64_t picoseconds(double ns)
{
    return ns > 0 && ns < 1e15 ? (uint64_t)llround(ns * 1e3) : 0;
}

static const char *const verdicts[CRITERION_VERDICT_COUNT] = {
    [CRITERION_SAME_RUN] = "same run", [CRITERION_UNKNOWN] = "unknown", [CRITERION_NOISE] = "noise",
    [CRITERION_MAYBE] = "maybe",       [CRITERION_SLOWER] = "slower",   [CRITERION_FASTER] = "faster",
};

void benchmark_rows_add(const struct criterion_benchmark *benchmark, struct rows *out)
{
    SCOPED(text_done) struct text text = {0};
    union cell *cells = rows_add(out);
    double before = benchmark->times[CRITERION_BEFORE].value;
    double after = benchmark->times[CRITERION_AFTER].value;

    cells[BEFORE_SHOWN].text = time_cell(out, before);
    cells[AFTER_SHOWN].text = time_cell(out, after);
    cells[VERDICT].text = slice_of(verdicts[benchmark->verdict]);
    cells[NAME_SHOWN].text = cells[BENCHMARK].text = slice_of(benchmark->id);
    cells[BEFORE].number = cells[TOTAL_BEFORE].number = picoseconds(before);
    cells[AFTER].number = cells[TOTAL_AFTER].number = picoseconds(after);
    if (benchmark->verdict == CRITERION_SAME_RUN)
        return;
    ratio_add_change(&text, benchmark->ratio.estimate);
    cells[CHANGE_SHOWN].text = keep(out, &text);
    ratio_add_interval(&text, benchmark->ratio);
    cells[INTERVAL_SHOWN].text = keep(out, &text);
    cells[RATIO].text = number_cell(out, benchmark->ratio.estimate);
    if (!benchmark->ratio.is_bounded)
        return;
    cells[RATIO_LOW].text = number_cell(out, benchmark->ratio.low);
    cells[RATIO_HIGH].text = number_cell(out, benchmark->ratio.high);
}

/* --- Functions ------------------------------------------------------------------------- */

/*
 * Whether a share rose or fell by more than noise, and what that is of an iteration's time does so, too,
 * wherever in its interval the benchmark's ratio is. A slower benchmark alone makes no function slower: the
 * two sides were measured at different times, and what the machine did then is in no sample.
 */
static bool is_told(const struct criterion_benchmark *benchmark, const struct changes *changes,
                    const struct change_figure *share)
{
    bool is_more = change_of(share) > 0;
    double least = is_more ? benchmark->ratio.low : 1 / benchmark->ratio.high;
    enum joined_side scaled = is_more ? JOINED_AFTER : JOINED_BEFORE;
    struct change_figure time = *share;
    struct changes scale = *changes;

    if (share->is_noise || !benchmark->ratio.is_bounded || !(least > 0))
        return false;
    if (least >= 1)
        return true;
    time.amounts[scaled] = (uint64_t)llround((double)time.amounts[scaled] * least);
    scale.measure.sides[scaled].whole = (uint64_t)llround((double)scale.measure.sides[scaled].whole * least);
    return (change_of(&time) > 0) == is_more && !change_is_noise(&scale, &time);
}

/* The picoseconds that a share of the side is of an iteration. */
static uint64_t time_of(const struct criterion_benchmark *benchmark, const struct changes *changes,
                        const struct change_figure *share, enum joined_side side)
{
    double whole = (double)changes->measure.sides[side].whole;

    return whole > 0 ? picoseconds(benchmark->times[side].value * ((double)share->amounts[side] / whole)) : 0;
}

/* Whether it is a function of the user's own that moved with what it calls, or what is inlined into it. */
static bool is_own_caller(const struct criterion_benchmark *benchmark, const struct changes *changes,
                          const struct change *change)
{
    return change->function != PROFILE_NONE &&
           changes->joined.functions.items[change->function].category == CATEGORY_OWN &&
           is_told(benchmark, changes, &change->total);
}

static struct slice verdict_of_times(uint64_t before, uint64_t after)
{
    return before == 0      ? SLICE("new")
           : after == 0     ? SLICE("gone")
           : after > before ? SLICE("slower")
                            : SLICE("faster");
}

/* What is shown of a function is its own time; of one that moved with what it calls, with that. */
static void add_function(const struct criterion_benchmark *benchmark, const struct changes *changes,
                         const struct change *change, bool is_caller, struct rows *out)
{
    SCOPED(text_done) struct text text = {0};
    struct slice name = {arena_copy(&out->arena, change_name(changes, change)),
                         change_name(changes, change).length};
    const struct change_figure *shown = is_caller ? &change->total : &change->self;
    union cell *cells = rows_add(out);
    uint64_t before = time_of(benchmark, changes, shown, JOINED_BEFORE);
    uint64_t after = time_of(benchmark, changes, shown, JOINED_AFTER);

    cells[BEFORE_SHOWN].text = time_cell(out, (double)before / 1e3);
    cells[AFTER_SHOWN].text = time_cell(out, (double)after / 1e3);
    if (before > 0)
        ratio_add_change(&text, (double)after / (double)before);
    cells[CHANGE_SHOWN].text = keep(out, &text);
    cells[VERDICT].text = is_caller ? SLICE("calls") : verdict_of_times(before, after);
    text_format(&text, "  %.*s", SLICE_ARGUMENTS(name));
    cells[NAME_SHOWN].text = keep(out, &text);
    cells[BENCHMARK].text = slice_of(benchmark->id);
    cells[FUNCTION].text = name;
    cells[BEFORE].number = time_of(benchmark, changes, &change->self, JOINED_BEFORE);
    cells[AFTER].number = time_of(benchmark, changes, &change->self, JOINED_AFTER);
    cells[TOTAL_BEFORE].number = time_of(benchmark, changes, &change->total, JOINED_BEFORE);
    cells[TOTAL_AFTER].number = time_of(benchmark, changes, &change->total, JOINED_AFTER);
}

size_t benchmark_rows_add_functions(const struct criterion_benchmark *benchmark,
                                    const struct changes *changes, size_t most, struct rows *out)
{
    size_t count = 0;

    for (size_t i = 0; i < changes->told_count && (most == 0 || count < most); i++) {
        const struct change *change = &changes->items.items[i];
        bool is_itself = is_told(benchmark, changes, &change->self);

        if (!is_itself && !is_own_caller(benchmark, changes, change))
            continue;
        add_function(benchmark, changes, change, !is_itself, out);
        count++;
    }
    return count;
}

/* --- The sentence ---------------------------------------------------------------------- */

/* What the words "noise", "slower" and "faster" leave open. */
static void add_reservations(struct text *text, const struct criterion_baselines *baselines)
{
    size_t maybe = criterion_baselines_count(baselines, CRITERION_MAYBE);
    size_t same = criterion_baselines_count(baselines, CRITERION_SAME_RUN);

    if (maybe > 0)
        text_format(text, "; %zu more would be %s alone, but chance makes some of %zu look so", maybe,
                    maybe == 1 ? "a change" : "changes", baselines->items.count);
    if (same > 0)
        text_format(text, "; %zu %s not run since", same, same == 1 ? "has" : "have");
}

/* What the machine did beside one of the two runs changed all samples of it, and is in no interval. */
static void tell_single_runs(struct rows *out)
{
    *vec_add(&out->notes) = "slower and faster compare one run of each side: what else the machine did "
                            "meanwhile is in no interval; another cargo bench may tell";
    out->headline = arena_format(&out->arena, "%s (one run of each side: how runs differ is in no interval)",
                                 out->headline);
}

void benchmark_rows_end(const struct criterion_baselines *baselines, const char *before, const char *after,
                        struct rows *out)
{
    SCOPED(text_done) struct text text = {0};
    SCOPED(text_done) struct text reservations = {0};
    size_t slower = criterion_baselines_count(baselines, CRITERION_SLOWER);
    size_t faster = criterion_baselines_count(baselines, CRITERION_FASTER);

    add_reservations(&reservations, baselines);
    text_format(&text, "%zu of %zu benchmarks became slower and %zu faster by more than noise, ", slower,
                baselines->items.count, faster);
    *vec_add(&out->notes) = arena_format(&out->arena, "%s%s against %s%s", text_string(&text), after, before,
                                         text_string(&reservations));
    render_words(&text, slice_of(after));
    text_add_string(&text, " against ");
    render_words(&text, slice_of(before));
    text_add_string(&text, text_string(&reservations));
    out->headline = arena_copy(&out->arena, text_slice(&text));
    if (slower + faster > 0)
        tell_single_runs(out);
    rows_add_fact(out, "benchmark-count", baselines->items.count);
    rows_add_fact(out, "slower", slower);
    rows_add_fact(out, "faster", faster);
    rows_add_fact(out, "maybe", criterion_baselines_count(baselines, CRITERION_MAYBE));
    rows_add_fact(out, "same-run", criterion_baselines_count(baselines, CRITERION_SAME_RUN));
    out->labels_key = "baselines";
    rows_add_label(out, "before", slice_of(before));
    rows_add_label(out, "after", slice_of(after));
    rows_add_label(out, "intervals", SLICE("within-run"));
}

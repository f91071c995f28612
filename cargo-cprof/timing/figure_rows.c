#include "timing/figure_rows.h"

#include <math.h>

#include "base/memory.h"
#include "base/units.h"
#include "report/render.h"
#include "timing/ratio_words.h"

/* What is told of one side's runs, for programs. */
enum { SIDE_MEAN, SIDE_DEVIATION, SIDE_MEDIAN, SIDE_LEAST, SIDE_MOST, SIDE_CELLS };

enum {
    BEFORE_SHOWN,
    AFTER_SHOWN,
    CHANGE_SHOWN,
    INTERVAL_SHOWN,
    VERDICT,
    FIGURE,
    UNIT,
    BEFORE_MEAN,
    AFTER_MEAN = BEFORE_MEAN + SIDE_CELLS,
    RATIO = AFTER_MEAN + SIDE_CELLS,
    RATIO_LOW,
    RATIO_HIGH,
};

/* A mean of few things has a fraction that tells. */
static void add_things(struct text *text, double amount)
{
    static const double few = 100;

    if (amount < few && fabs(amount - round(amount)) >= 0.05)
        text_format(text, "%.1f", amount);
    else
        units_add_count(text, (uint64_t)llround(amount));
}

static void add_amount(struct text *text, enum figure_shape shape, double amount)
{
    if (shape == FIGURE_OF_BYTES)
        units_add_bytes(text, (uint64_t)llround(amount));
    else if (shape == FIGURE_OF_THINGS)
        add_things(text, amount);
    else
        units_add_measured_time(text, amount);
}

/* --- Rows ------------------------------------------------------------------------------ */

/* How one is told. */
struct figure_words {
    const char *shown;
    const char *unit;
    enum figure_shape shape;
    const char *verdicts[4];
};

#define MORE_OR_LESS                                                                                         \
    {                                                                                                        \
        "noise", "more", "less", "unknown"                                                                   \
    }

static const struct figure_words kinds[FIGURE_COUNT] = {
    [FIGURE_ELAPSED] = {"elapsed time", "ns", FIGURE_OF_TIME, {"noise", "slower", "faster", "unknown"}},
    [FIGURE_CPU] = {"CPU time", "ns", FIGURE_OF_TIME, MORE_OR_LESS},
    [FIGURE_USER] = {"user time", "ns", FIGURE_OF_TIME, MORE_OR_LESS},
    [FIGURE_SYSTEM] = {"system time", "ns", FIGURE_OF_TIME, MORE_OR_LESS},
    [FIGURE_MEMORY] = {"peak memory", "bytes", FIGURE_OF_BYTES, MORE_OR_LESS},
};

/* How many of what programs read are in one of the figure's own. */
static double units_of(enum figure_shape shape)
{
    return shape == FIGURE_OF_TIME ? 1e9 : 1;
}

const char *figure_name(enum figure_kind kind)
{
    return kinds[kind].shown;
}

/* Mean, deviation, median, least and most of a side. The deviation is known from two runs on. */
static void add_side_columns(struct rows *out, const char *const *keys)
{
    for (size_t i = 0; i < SIDE_CELLS; i++)
        rows_add_column(
            out, (struct column){i == SIDE_DEVIATION ? COLUMN_DECIMAL : COLUMN_COUNT, NULL, keys[i], 0, 0});
}

static void add_columns(struct rows *out)
{
    static const char *const before[SIDE_CELLS] = {"before-mean", "before-deviation", "before-median",
                                                   "before-least", "before-most"};
    static const char *const after[SIDE_CELLS] = {"after-mean", "after-deviation", "after-median",
                                                  "after-least", "after-most"};
    static const char *const ratios[] = {"ratio", "ratio-low", "ratio-high"};

    rows_add_column(out, (struct column){COLUMN_AMOUNT, "Before", NULL, 0, 0});
    rows_add_column(out, (struct column){COLUMN_AMOUNT, "After", NULL, 0, 0});
    rows_add_column(out, (struct column){COLUMN_AMOUNT, "Change", NULL, 0, 0});
    rows_add_column(out, (struct column){COLUMN_AMOUNT, "Interval", NULL, 0, 0});
    rows_add_column(out, (struct column){COLUMN_WORD, "Verdict", "verdict", 0, 0});
    rows_add_column(out, (struct column){COLUMN_WORD, "Figure", "figure", 0, 0});
    rows_add_column(out, (struct column){COLUMN_TEXT, NULL, "unit", 0, 0});
    add_side_columns(out, before);
    add_side_columns(out, after);
    for (size_t i = 0; i < ARRAY_COUNT(ratios); i++)
        rows_add_column(out, (struct column){COLUMN_DECIMAL, NULL, ratios[i], 0, 0});
}

/* The text as a cell of these rows; it is emptied. */
static struct slice keep(struct rows *rows, struct text *text)
{
    struct slice kept = arena_slice(&rows->arena, text_slice(text));

    text_clear(text);
    return kept;
}

static void set_side(struct rows *rows, union cell *cells, const struct sample_summary *summary, double units)
{
    const double numbers[SIDE_CELLS] = {summary->mean, summary->deviation, summary->median, summary->least,
                                        summary->most};
    SCOPED(text_done) struct text deviation = {0};

    for (size_t i = 0; i < SIDE_CELLS; i++)
        cells[i].number = (uint64_t)llround(numbers[i] * units);
    cells[SIDE_DEVIATION].text = (struct slice){0};
    text_format(&deviation, "%lld", llround(summary->deviation * units));
    if (summary->count > 1)
        cells[SIDE_DEVIATION].text = keep(rows, &deviation);
}

static struct slice shown_side(struct rows *rows, enum figure_shape shape,
                               const struct sample_summary *summary, bool is_at_most)
{
    SCOPED(text_done) struct text text = {0};

    if (is_at_most)
        text_add_string(&text, "at most ");
    add_amount(&text, shape, summary->mean);
    /* One run tells nothing of how much others would differ from it. */
    if (summary->count > 1) {
        text_add_string(&text, " ± ");
        add_amount(&text, shape, summary->deviation);
    }
    return keep(rows, &text);
}

/* As programs read it; not known where it has no bounds. */
static struct slice number_text(struct rows *rows, double number, bool is_known)
{
    SCOPED(text_done) struct text text = {0};

    if (!is_known || !isfinite(number))
        return (struct slice){0};
    text_format(&text, "%.6f", number);
    return keep(rows, &text);
}

static void add_row(struct rows *rows, const struct figure_words *words, const struct figure *figure)
{
    SCOPED(text_done) struct text text = {0};
    struct ratio ratio = figure->ratio;
    struct slice before =
        shown_side(rows, words->shape, &figure->sides[TIMING_BEFORE], figure->is_at_most[TIMING_BEFORE]);
    struct slice after =
        shown_side(rows, words->shape, &figure->sides[TIMING_AFTER], figure->is_at_most[TIMING_AFTER]);
    union cell *cells = rows_add(rows);

    cells[BEFORE_SHOWN].text = before;
    cells[AFTER_SHOWN].text = after;
    ratio_add_change(&text, ratio.estimate);
    cells[CHANGE_SHOWN].text = keep(rows, &text);
    ratio_add_interval(&text, ratio);
    cells[INTERVAL_SHOWN].text = keep(rows, &text);
    cells[VERDICT].text = slice_of(words->verdicts[verdict_of_ratio(ratio)]);
    cells[FIGURE].text = slice_of(words->shown);
    cells[UNIT].text = slice_of(words->unit);
    set_side(rows, cells + BEFORE_MEAN, &figure->sides[TIMING_BEFORE], units_of(words->shape));
    set_side(rows, cells + AFTER_MEAN, &figure->sides[TIMING_AFTER], units_of(words->shape));
    cells[RATIO].text = number_text(rows, ratio.estimate, true);
    cells[RATIO_LOW].text = number_text(rows, ratio.low, verdict_of_ratio(ratio) != VERDICT_UNKNOWN);
    cells[RATIO_HIGH].text = number_text(rows, ratio.high, ratio.is_bounded);
}

/* --- Words ----------------------------------------------------------------------------- */

/* On a busy machine processor time tells changes that elapsed time does not. */
static void add_cpu(struct text *text, const struct figures *figures)
{
    enum verdict elapsed = verdict_of_ratio(figures->items[FIGURE_ELAPSED].ratio);
    struct ratio ratio = figures->items[FIGURE_CPU].ratio;
    enum verdict verdict = verdict_of_ratio(ratio);

    if (verdict == elapsed || verdict == VERDICT_UNKNOWN || verdict == VERDICT_NOISE)
        return;
    text_add_string(text, "; but CPU time is ");
    ratio_add_more_or_less(text, ratio.estimate);
    text_add_string(text, ", ");
    ratio_add_interval(text, ratio);
}

/* The sentence with what the two are called, which `add_name` writes. */
static const char *sentence(const struct figures *figures, const struct timed_program *programs,
                            void (*add_name)(struct text *text, struct slice name), struct arena *arena)
{
    SCOPED(text_done) struct text text = {0};
    SCOPED(text_done) struct text before = {0};
    SCOPED(text_done) struct text after = {0};

    add_name(&before, slice_of(programs[TIMING_BEFORE].label));
    add_name(&after, slice_of(programs[TIMING_AFTER].label));
    ratio_add_sentence(&text, figures->items[FIGURE_ELAPSED].ratio, " time", figures->confidence,
                       text_string(&before), text_string(&after));
    text_format(&text, ", in %zu run%s of each", figures->run_count, figures->run_count == 1 ? "" : "s");
    add_cpu(&text, figures);
    return arena_copy(arena, text_slice(&text));
}

/* Where "at most" is told. */
static void note_memory(struct rows *rows)
{
    *vec_add(&rows->notes) =
        "peak memory: the kernel counts what the process that starts a program had in use "
        "before as the program's";
}

static void add_headline(const struct figures *figures, const struct timed_program *programs,
                         struct rows *rows)
{
    rows->headline = sentence(figures, programs, render_words, &rows->arena);
    *vec_add(&rows->notes) = sentence(figures, programs, text_add_terminal, &rows->arena);
}

static void add_doubt(struct text *text, const char *doubt)
{
    text_format(text, "%s%s", text->length > 0 ? "; " : "", doubt);
}

void figures_add_doubts(struct text *text, const struct figures *figures)
{
    static const double short_seconds = 0.005;
    const struct sample_summary *sides = figures->items[FIGURE_ELAPSED].sides;
    size_t outliers = sides[TIMING_BEFORE].outlier_count + sides[TIMING_AFTER].outlier_count;

    if (outliers > 0) {
        text_format(text, "%zu of %zu runs took much longer or shorter than the others: ", outliers,
                    TIMING_SIDES * figures->run_count);
        text_add_string(text, "on a quieter machine, or with --warmup 3, intervals are narrower");
    }
    if (sides[TIMING_BEFORE].mean < short_seconds || sides[TIMING_AFTER].mean < short_seconds)
        add_doubt(text,
                  "runs of less than 5 ms are mostly the starting of a process: give the program more to do");
}

void figure_rows_fill(const struct figures *figures, const struct timed_program *programs, struct rows *out)
{
    out->list_key = "figures";
    out->noun = "figure";
    add_columns(out);
    for (enum figure_kind kind = 0; kind < FIGURE_COUNT; kind++)
        add_row(out, &kinds[kind], &figures->items[kind]);
    rows_add_fact(out, "runs", figures->run_count);
    out->labels_key = "sides";
    for (size_t side = 0; side < TIMING_SIDES; side++) {
        rows_add_label(out, side == TIMING_BEFORE ? "before" : "after", slice_of(programs[side].label));
        rows_add_label(out, side == TIMING_BEFORE ? "before-command" : "after-command",
                       slice_of(programs[side].command));
    }
    add_headline(figures, programs, out);
    if (figures->items[FIGURE_MEMORY].is_at_most[TIMING_BEFORE] ||
        figures->items[FIGURE_MEMORY].is_at_most[TIMING_AFTER])
        note_memory(out);
}

/* "heap-peak: B takes 3.9% more than A: between 2.1% and 5.7%, with 95% confidence, in 10 profiled runs" */
static const char *other_sentence(const struct other_figure *other, const struct timed_program *programs,
                                  void (*add_name)(struct text *text, struct slice name), struct arena *arena)
{
    SCOPED(text_done) struct text text = {0};
    SCOPED(text_done) struct text before = {0};
    SCOPED(text_done) struct text after = {0};

    add_name(&before, slice_of(programs[TIMING_BEFORE].label));
    add_name(&after, slice_of(programs[TIMING_AFTER].label));
    text_format(&text, "%s: ", other->name);
    ratio_add_sentence(&text, other->figure.ratio, "", other->confidence, text_string(&before),
                       text_string(&after));
    text_format(&text, ", in %zu profiled run%s of each", other->run_count, other->run_count == 1 ? "" : "s");
    return arena_copy(arena, text_slice(&text));
}

void figure_rows_add(const struct other_figure *other, const struct timed_program *programs, struct rows *out)
{
    const struct figure_words words = {other->name, other->unit, other->shape, MORE_OR_LESS};

    add_row(out, &words, &other->figure);
    out->headline = arena_format(&out->arena, "%s; %s", out->headline,
                                 other_sentence(other, programs, render_words, &out->arena));
    *vec_add(&out->notes) = other_sentence(other, programs, text_add_terminal, &out->arena);
}

/* --- One side alone -------------------------------------------------------------------- */

enum { ALONE_SHOWN, ALONE_FIGURE, ALONE_UNIT, ALONE_MEAN };

static void add_alone_columns(struct rows *out)
{
    static const char *const keys[SIDE_CELLS] = {"mean", "deviation", "median", "least", "most"};

    rows_add_column(out, (struct column){COLUMN_AMOUNT, "Mean", NULL, 0, 0});
    rows_add_column(out, (struct column){COLUMN_WORD, "Figure", "figure", 0, 0});
    rows_add_column(out, (struct column){COLUMN_TEXT, NULL, "unit", 0, 0});
    add_side_columns(out, keys);
}

void figure_rows_fill_alone(const struct timed_run *runs, size_t count, const struct timed_program *program,
                            struct rows *out)
{
    SCOPED(memory_free_at) double *values = memory_new(count, sizeof(double));
    bool is_at_most = memory_is_at_most(runs, count);

    out->list_key = "figures";
    out->noun = "figure";
    add_alone_columns(out);
    for (enum figure_kind kind = 0; kind < FIGURE_COUNT; kind++) {
        union cell *cells = NULL;
        struct sample_summary summary;
        struct slice shown;

        for (size_t i = 0; i < count; i++)
            values[i] = figure_of_run(&runs[i], kind);
        sample_summarize(values, count, &summary);
        shown = shown_side(out, kinds[kind].shape, &summary, kind == FIGURE_MEMORY && is_at_most);
        cells = rows_add(out);
        cells[ALONE_SHOWN].text = shown;
        cells[ALONE_FIGURE].text = slice_of(kinds[kind].shown);
        cells[ALONE_UNIT].text = slice_of(kinds[kind].unit);
        set_side(out, cells + ALONE_MEAN, &summary, units_of(kinds[kind].shape));
    }
    rows_add_fact(out, "runs", count);
    out->labels_key = "sides";
    rows_add_label(out, "after", slice_of(program->label));
    rows_add_label(out, "after-command", slice_of(program->command));
    out->headline =
        arena_format(&out->arena, "%s alone, in %zu run%s", program->label, count, count == 1 ? "" : "s");
    *vec_add(&out->notes) = out->headline;
    if (is_at_most)
        note_memory(out);
}

#include "compared/compare_limits.h"

#include <math.h>

#include "delta/limit.h"
#include "delta/over_limits.h"
#include "timing/figure_rows.h"

/* --- Figures --------------------------------------------------------------------------- */

static void doubt_figure(const struct compare_limit *limit, const char *name, struct text *doubts)
{
    limit_begin_doubt(doubts);
    text_format(doubts, "not checked: --fail-over %s: the %s has no interval: ", limit->text, name);
    text_add_string(doubts, "too few runs, or too unlike each other (--runs 20)");
}

/* The lower end of an interval. */
static void add_least(struct over_limits *over, struct slice name, double low)
{
    SCOPED(text_done) struct text growth = {0};

    if (isfinite(low))
        text_format(&growth, "at least %.1f%%", (low - 1) * 100);
    else
        text_add_string(&growth, "some, from none");
    over_limits_add(over, name, text_slice(&growth), low);
}

static void begin_limit(struct over_limits *over, const struct compare_limit *limit, const char *noun)
{
    SCOPED(text_done) struct text name = {0};

    text_format(&name, "--fail-over %s", limit->text);
    over_limits_begin(over, text_string(&name), noun);
}

int compare_limits_check(const struct compare_settings *settings, const struct figures *figures,
                         const struct other_figure *event, const struct timed_program programs[TIMING_SIDES],
                         struct text *doubts, struct error *err)
{
    SCOPED(over_limits_done) struct over_limits over = {0};
    SCOPED(text_done) struct text compared = {0};

    for (size_t i = 0; i < settings->limits.count; i++) {
        const struct compare_limit *limit = &settings->limits.items[i];
        bool is_event = limit->figure == FIGURE_COUNT;
        const char *name = !is_event ? figure_name(limit->figure) : event ? event->name : "event";
        struct ratio ratio = {0};

        if (!is_event)
            ratio = figures->items[limit->figure].ratio;
        else if (event)
            ratio = event->figure.ratio;
        begin_limit(&over, limit, "figure");
        if (verdict_of_ratio(ratio) == VERDICT_UNKNOWN)
            doubt_figure(limit, name, doubts);
        else if (ratio.low > 1 + limit->part)
            add_least(&over, slice_of(name), ratio.low);
    }
    text_format(&compared, "%s against %s", programs[TIMING_AFTER].label, programs[TIMING_BEFORE].label);
    return over_limits_check(&over, text_string(&compared), err);
}

/* --- Criterion's benchmarks ------------------------------------------------------------ */

static void doubt_benchmarks(const struct criterion_baselines *baselines, struct text *doubts)
{
    size_t same = criterion_baselines_count(baselines, CRITERION_SAME_RUN);
    size_t unknown = criterion_baselines_count(baselines, CRITERION_UNKNOWN);

    if (same + unknown == 0)
        return;
    limit_begin_doubt(doubts);
    text_add_string(doubts, "not checked by --fail-over: ");
    if (same > 0)
        text_format(doubts, "%zu benchmark%s not run since", same, same == 1 ? " that has" : "s that have");
    if (unknown > 0)
        text_format(doubts, "%s%zu benchmark%s tell no interval", same > 0 ? ", " : "", unknown,
                    unknown == 1 ? " whose samples" : "s whose samples");
}

int compare_limits_check_benchmarks(const struct compare_settings *settings,
                                    const struct criterion_baselines *baselines, struct text *doubts,
                                    struct error *err)
{
    SCOPED(over_limits_done) struct over_limits over = {0};

    if (settings->limits.count > 0)
        doubt_benchmarks(baselines, doubts);
    for (size_t i = 0; i < settings->limits.count; i++) {
        const struct compare_limit *limit = &settings->limits.items[i];

        begin_limit(&over, limit, "benchmark");
        for (size_t j = 0; j < baselines->items.count; j++) {
            const struct criterion_benchmark *benchmark = &baselines->items.items[j];

            if (criterion_is_change(benchmark) && benchmark->ratio.low > 1 + limit->part)
                add_least(&over, slice_of(benchmark->id), benchmark->ratio.low);
        }
    }
    return over_limits_check(&over, NULL, err);
}

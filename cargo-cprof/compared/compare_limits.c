#include "compared/compare_limits.h"

#include "timing/figure_rows.h"

static void begin_doubt(struct text *doubts)
{
    text_add_string(doubts, doubts->length > 0 ? "; " : "");
}

/* --- Figures --------------------------------------------------------------------------- */

static void doubt_figure(const struct compare_limit *limit, struct text *doubts)
{
    begin_doubt(doubts);
    text_format(doubts, "not checked: --fail-over %s: the %s has no interval: ", limit->text,
                figure_name(limit->figure));
    text_add_string(doubts, "too few runs, or too unlike each other (--runs 20)");
}

static int check_figure(const struct compare_limit *limit, struct ratio ratio,
                        const struct timed_program programs[TIMING_SIDES], struct error *err)
{
    SCOPED(text_done) struct text least = {0};

    if (ratio.low <= 1 + limit->part)
        return 0;
    ratio_add_change(&least, ratio.low);
    return error_set(err, ERROR_BUDGET, "--fail-over %s: the %s of %s is that of %s %s or more", limit->text,
                     figure_name(limit->figure), programs[TIMING_AFTER].label, programs[TIMING_BEFORE].label,
                     text_string(&least));
}

int compare_limits_check(const struct compare_settings *settings, const struct figures *figures,
                         const struct timed_program programs[TIMING_SIDES], struct text *doubts,
                         struct error *err)
{
    int kept = 0;

    for (size_t i = 0; i < settings->limits.count; i++) {
        const struct compare_limit *limit = &settings->limits.items[i];
        struct ratio ratio = figures->items[limit->figure].ratio;

        if (!ratio.is_bounded)
            doubt_figure(limit, doubts);
        else if (kept == 0)
            kept = check_figure(limit, ratio, programs, err);
    }
    return kept;
}

/* --- Criterion's benchmarks ------------------------------------------------------------ */

static void doubt_benchmarks(const struct criterion_baselines *baselines, struct text *doubts)
{
    size_t same = criterion_baselines_count(baselines, CRITERION_SAME_RUN);
    size_t unknown = criterion_baselines_count(baselines, CRITERION_UNKNOWN);

    if (same + unknown == 0)
        return;
    begin_doubt(doubts);
    text_add_string(doubts, "not checked by --fail-over: ");
    if (same > 0)
        text_format(doubts, "%zu benchmark%s not run since", same, same == 1 ? " that has" : "s that have");
    if (unknown > 0)
        text_format(doubts, "%s%zu benchmark%s tell no interval", same > 0 ? ", " : "", unknown,
                    unknown == 1 ? " whose samples" : "s whose samples");
}

static int check_benchmarks(const struct compare_limit *limit, const struct criterion_baselines *baselines,
                            struct error *err)
{
    for (size_t i = 0; i < baselines->items.count; i++) {
        const struct criterion_benchmark *benchmark = &baselines->items.items[i];

        if (criterion_is_change(benchmark) && benchmark->ratio.low > 1 + limit->part)
            return error_set(err, ERROR_BUDGET, "--fail-over %s: %s takes %.1f%% more time, or more",
                             limit->text, benchmark->id, (benchmark->ratio.low - 1) * 100);
    }
    return 0;
}

int compare_limits_check_benchmarks(const struct compare_settings *settings,
                                    const struct criterion_baselines *baselines, struct text *doubts,
                                    struct error *err)
{
    if (settings->limits.count > 0)
        doubt_benchmarks(baselines, doubts);
    for (size_t i = 0; i < settings->limits.count; i++)
        if (check_benchmarks(&settings->limits.items[i], baselines, err) < 0)
            return -1;
    return 0;
}

#include "diffed/diff_warnings.h"

#include "base/units.h"
#include "changes/unlike.h"
#include "diffed/libtest_benchmarks.h"
#include "facts/cpu_time.h"
#include "facts/missed.h"
#include "facts/series_unit.h"
#include "files/heap_warnings.h"

static void warn_of_heap(const struct diff_settings *settings, const struct joined_part *part,
                         const char *label)
{
    SCOPED(text_done) struct text of = {0};

    text_format(&of, "%s: ", label);
    heap_warn(settings->options, part->profile, part->series, text_string(&of), settings->warnings);
}

void diff_warn_of_heap(const struct diff_settings *settings, const struct joined_part parts[JOINED_SIDES],
                       const struct change_words *words)
{
    warn_of_heap(settings, &parts[JOINED_BEFORE], words->before);
    warn_of_heap(settings, &parts[JOINED_AFTER], words->after);
}

static const struct profile_series *series_of(const struct joined_part *part)
{
    return &part->profile->series.items[part->series];
}

static double sampling_percent(const struct joined_part *part)
{
    const struct profile_series *series = series_of(part);

    return cpu_time_sampling_percent((double)series->samples.count, cpu_time_ns(part->profile, series));
}

/* Of two that were not sampled alike CPU time differs by what that costs, which is no change of the program.
 */
static void warn_of_rates(const struct diff_settings *settings, const struct joined_part parts[JOINED_SIDES],
                          enum measure_kind kind)
{
    enum { TELLING_PERCENT = 10 }; /* of more nobody knows how much it is */
    double before = sampling_percent(&parts[JOINED_BEFORE]);
    double after = sampling_percent(&parts[JOINED_AFTER]);
    double difference = after > before ? after - before : before - after;
    uint32_t frequency_hz = series_of(&parts[JOINED_BEFORE])->frequency_hz;
    bool is_one_rate = frequency_hz > 0 && frequency_hz == series_of(&parts[JOINED_AFTER])->frequency_hz;
    SCOPED(text_done) struct text cost = {0};

    if (kind != MEASURE_CPU || is_one_rate || difference < 1)
        return;
    if (difference < TELLING_PERCENT)
        text_format(&cost, "costs it some %.0f%% more of its CPU time", difference);
    else
        text_add_string(&cost, "may be most of what it took more");
    warnings_add(settings->warnings, settings->options,
                 "one was sampled more often than the other, which %s: record both at one frequency (-F), or "
                 "compare shares (--measure share)",
                 text_string(&cost));
}

/* What has no sample, as of many short threads, may be of any function; events that are counted are given to
 * functions as their samples are. */
static void warn_of_missed(const struct diff_settings *settings, const struct joined_part *part,
                           enum measure_kind kind, const char *label)
{
    const struct profile_series *series = series_of(part);
    bool is_count = series_counts_things(part->profile, part->series);
    /* Where each sample is of one, what the kernel counted beside them is no thread's. */
    bool is_known = is_count ? series_sum_of_values(series) <= series->samples.count : series->is_user_only;
    SCOPED(text_done) struct text share = {0};

    if (is_count != (kind == MEASURE_COUNT) || is_known ||
        !missed_add_share(&share, part->profile, part->series))
        return;
    warnings_add(settings->warnings, settings->options,
                 "%s: samples stand for %s, so %s is not known: %s meets more of %s", label,
                 text_string(&share),
                 series_is_part(series) ? "how much of this part is missed"
                 : is_count             ? "which functions had the rest"
                                        : "which functions took the rest",
                 is_count && series->frequency_hz == 0 ? "-c 1" : "a higher frequency (-F)",
                 is_count ? "threads and processes in which few happen" : "short threads");
}

/* What one side alone has of the kernel is held against nothing. */
static void warn_of_kernel(const struct diff_settings *settings, const struct joined_part parts[JOINED_SIDES],
                           const struct change_words *words)
{
    bool is_user_only[JOINED_SIDES];

    for (size_t i = 0; i < JOINED_SIDES; i++)
        is_user_only[i] = parts[i].profile->series.items[parts[i].series].is_user_only;
    if (!joined_is_user_only(parts) || is_user_only[JOINED_BEFORE] == is_user_only[JOINED_AFTER])
        return;
    warnings_add(settings->warnings, settings->options,
                 "%s was sampled without the kernel's part, so that of %s is not told by functions, either",
                 is_user_only[JOINED_BEFORE] ? words->before : words->after,
                 is_user_only[JOINED_BEFORE] ? words->after : words->before);
}

static void warn_of_unlike(const struct diff_settings *settings, const struct joined_part parts[JOINED_SIDES],
                           const struct change_words *words)
{
    SCOPED(arena_done) struct arena arena = {0};
    const char *unlike[UNLIKE_MOST];
    size_t count = unlike_find(parts, words, &arena, unlike);

    for (size_t i = 0; i < count; i++)
        warnings_add(settings->warnings, settings->options, "%s", unlike[i]);
}

/* How much of a run one of several takes says how often it was repeated. */
static void warn_of_benchmarks(const struct diff_settings *settings, const struct joined_part *part,
                               const char *label)
{
    size_t count = libtest_benchmarks_count(part->profile);

    if (count > 1)
        warnings_add(
            settings->warnings, settings->options,
            "%s is of %zu benchmarks of libtest's, each of which ran as often as libtest chose to, so "
            "its functions' shares tell nothing: record one alone (-- --exact NAME)",
            label, count);
}

void diff_warn_of_sides(const struct diff_settings *settings, const struct joined_part parts[JOINED_SIDES],
                        enum measure_kind kind, const struct change_words *words)
{
    warn_of_rates(settings, parts, kind);
    warn_of_kernel(settings, parts, words);
    warn_of_unlike(settings, parts, words);
    warn_of_benchmarks(settings, &parts[JOINED_BEFORE], words->before);
    warn_of_benchmarks(settings, &parts[JOINED_AFTER], words->after);
    if (kind == MEASURE_SHARE)
        return;
    warn_of_missed(settings, &parts[JOINED_BEFORE], kind, words->before);
    warn_of_missed(settings, &parts[JOINED_AFTER], kind, words->after);
}

void diff_warn_of_unknown_crates(const struct diff_settings *settings, const struct changes *changes,
                                 const struct change_words *words)
{
    enum { TELLING_PERCENT = 5 };

    for (size_t i = 0; i < changes->items.count; i++) {
        const struct change *change = &changes->items.items[i];
        const struct measure_side *sides = changes->measure.sides;
        bool is_before = change_of(&change->self) < 0;
        uint64_t weight = change->self.weights[is_before ? JOINED_BEFORE : JOINED_AFTER];
        uint64_t whole = sides[is_before ? JOINED_BEFORE : JOINED_AFTER].weight;
        SCOPED(text_done) struct text share = {0};

        if (!slice_is(change_name(changes, change), JOINED_UNKNOWN) || change->self.is_noise ||
            (double)weight * 100 < (double)whole * TELLING_PERCENT)
            continue;
        units_add_percent(&share, weight, whole);
        warnings_add(
            settings->warnings, settings->options,
            "%s does not tell whose %s of its samples are, as folded stacks name the crates of Rust code "
            "alone: a crate that took more on the other side may have taken that",
            is_before ? words->before : words->after, text_string(&share));
    }
}

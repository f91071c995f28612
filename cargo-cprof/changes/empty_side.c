#include "changes/empty_side.h"

#include "facts/cpu_time.h"
#include "facts/more_samples.h"
#include "facts/series_unit.h"

static const struct profile_series *series_of(const struct joined_part *part)
{
    return &part->profile->series.items[part->series];
}

/* The kernel's part of it may be all that there is. */
static bool is_empty(const struct measure *measure, enum joined_side side)
{
    return measure->sides[side].weight == 0 && measure->sides[side].apart == 0;
}

/* Where all that happens has a sample, no sample is none: what nobody asked, or was not told, is not known.
 */
static bool is_none_at_all(const struct joined_part *part, const struct measure *measure)
{
    const struct profile_series *series = series_of(part);
    bool is_counted = measure->kind != MEASURE_CPU && measure->kind != MEASURE_SHARE;
    bool has_each = series_is_of_waits(part->profile, part->series) ||
                    (series->frequency_hz == 0 && series->happened_count == 0 &&
                     series_counts_things(part->profile, part->series));

    return is_counted && has_each && !joined_is_folded(part) &&
           !series_is_of_heap(part->profile, part->series) && series_all_lost(series) == 0;
}

/* What ran is to be sampled more often, more than once, or for longer. */
static void hint_more(const struct joined_part *part, struct error *err)
{
    SCOPED(text_done) struct text options = {0};

    if (part->profile->is_part) {
        error_hint(err, "record it for longer, or while it works");
        return;
    }
    more_samples_add_options(&options, part->profile, series_of(part));
    if (options.length > 0)
        error_hint(err, "what runs for so short has enough with %s: record both so, or give them more to do",
                   text_string(&options));
    else
        error_hint(err, "what runs for so short is to be given more to do");
}

static void hint_of(const struct joined_part *part, struct error *err)
{
    if (series_of(part)->samples.count > 0)
        error_hint(err, "all of its samples are of the kernel, which the other side was sampled without");
    else if (series_is_part(series_of(part)))
        error_hint(err, "it has some, which the options that choose threads and times leave out");
    else if (weight_of_series(part->profile, part->series) == WEIGHT_SAMPLES)
        hint_more(part, err);
}

/* `who` with its verb: "old.cprof has no". */
static int refuse(const struct joined_part *part, const char *who, const char *verb, struct error *err)
{
    struct slice event = profile_text(part->profile, series_of(part)->event);
    SCOPED(text_done) struct text of = {0};

    if (!joined_is_folded(part)) {
        text_add_string(&of, " of ");
        text_add_terminal(&of, event);
    }
    hint_of(part, err);
    return error_set(err, ERROR_MISSING, "%s %s samples%s, so nothing can be compared", who, verb,
                     text_string(&of));
}

/* Of two without samples the one that takes more to have some. */
static const struct joined_part *shorter(const struct joined_part parts[JOINED_SIDES])
{
    uint64_t cpu_ns[JOINED_SIDES];

    for (size_t i = 0; i < JOINED_SIDES; i++) {
        uint32_t run_count = parts[i].profile->run_count;

        cpu_ns[i] = cpu_time_ns(parts[i].profile, series_of(&parts[i])) / (run_count > 0 ? run_count : 1);
    }
    return &parts[cpu_ns[JOINED_AFTER] < cpu_ns[JOINED_BEFORE] ? JOINED_AFTER : JOINED_BEFORE];
}

int empty_side_check(const struct joined_part parts[JOINED_SIDES], const struct measure *measure,
                     const struct change_words *words, struct error *err)
{
    bool is_empty_before = is_empty(measure, JOINED_BEFORE);
    bool is_empty_after = is_empty(measure, JOINED_AFTER);
    enum joined_side side = is_empty_before ? JOINED_BEFORE : JOINED_AFTER;

    if (!is_empty_before && !is_empty_after)
        return 0;
    if (is_empty_before && is_empty_after)
        return refuse(shorter(parts), "neither side", "has", err);
    return is_none_at_all(&parts[side], measure)
               ? 0
               : refuse(&parts[side], is_empty_before ? words->before : words->after, "has no", err);
}

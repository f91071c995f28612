#include "view/narrow.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/scan.h"
#include "base/units.h"
#include "facts/cpu_time.h"
#include "facts/series_unit.h"

/* --- Time ---------------------------------------------------------------------------------------- */

int time_range_read(struct slice text, struct time_range *out, struct error *err)
{
    struct scan scan = scan_of(text);
    struct time_range range = {0, UINT64_MAX};
    bool has_from = scan_time(&scan, &range.from_ns);
    bool is_range = scan_text(&scan, "..") || scan_byte(&scan, '-');
    bool has_to = is_range && !scan_at_end(&scan) && scan_time(&scan, &range.to_ns);

    if (!is_range || !scan_at_end(&scan) || (!has_from && !has_to) || range.from_ns >= range.to_ns) {
        error_hint(err, "give times since the recording began, as in 1.5..3 (seconds), 500ms.. or ..10");
        return error_set(err, ERROR_USAGE, "--time %.*s: no range of time", SLICE_ARGUMENTS(text));
    }
    *out = range;
    return 0;
}

/* --- Samples ------------------------------------------------------------------------------------- */

/* Which samples stay. */
struct choice {
    const struct thread_choice *asked; /* NULL: all threads */
    const bool *threads;               /* those, by thread; NULL: all */
    const bool *stacks;                /* by stack; NULL: all, and samples without one */
    struct time_range range;
    uint64_t start_ns; /* what the range counts from */
    uint64_t first_ns; /* the first and last sample's times since then; known afterwards */
    uint64_t last_ns;
    bool has_cut; /* some of waits; known afterwards */
};

static bool is_chosen(const struct choice *choice, const struct profile_sample *sample)
{
    uint64_t since_ns = sample->time_ns - choice->start_ns;

    return since_ns >= choice->range.from_ns && since_ns < choice->range.to_ns &&
           (!choice->threads || choice->threads[sample->thread]) &&
           (!choice->stacks || (sample->stack != PROFILE_NONE && choice->stacks[sample->stack]));
}

/* A wait's time is when it ended: what of it is in the range stays. False for nothing. */
static bool cut_wait(const struct choice *choice, struct profile_sample *sample)
{
    enum { NS_PER_US = 1000 };
    uint64_t end_ns = sample->time_ns - choice->start_ns;
    uint64_t value_ns = sample->value < end_ns / NS_PER_US ? sample->value * NS_PER_US : end_ns;
    uint64_t from_ns = end_ns - value_ns;
    uint64_t to_ns = end_ns < choice->range.to_ns ? end_ns : choice->range.to_ns - 1;

    if (from_ns >= choice->range.from_ns && end_ns < choice->range.to_ns)
        return true;
    if (from_ns < choice->range.from_ns)
        from_ns = choice->range.from_ns;
    if (to_ns <= from_ns)
        return false;
    sample->time_ns = choice->start_ns + to_ns;
    sample->value = (to_ns - from_ns + NS_PER_US / 2) / NS_PER_US;
    return sample->value > 0;
}

/* Those that stay; false when the samples are damaged. */
static bool collect_part(const struct profile_series *series, bool are_waits, struct choice *choice,
                         struct sample_store *out)
{
    struct sample_cursor cursor = sample_cursor_of(&series->samples);
    struct profile_sample sample;
    uint64_t before = 0;
    bool is_damaged = false;

    while (sample_cursor_next(&cursor, &sample)) {
        uint64_t since_ns = sample.time_ns - choice->start_ns;

        choice->first_ns = since_ns < choice->first_ns ? since_ns : choice->first_ns;
        choice->last_ns = since_ns > choice->last_ns ? since_ns : choice->last_ns;
        before = sample.value;
        if ((!are_waits || cut_wait(choice, &sample)) && is_chosen(choice, &sample))
            sample_store_add(out, sample);
        choice->has_cut = choice->has_cut || sample.value != before;
    }
    is_damaged = cursor.is_damaged || !sample_store_finish(out);
    sample_cursor_done(&cursor);
    return !is_damaged;
}

/* How many of these were lost or cut is not known. */
static void put_part(const struct profile *profile, struct sample_store *part, struct profile_series *series)
{
    if (!series_is_part(series))
        series->whole = (struct series_whole){
            .sample_count = series->samples.count,
            .value_sum = series_sum_of_values(series),
            .lost_count = series->lost_count,
            .happened_count = series->happened_count,
            .cpu_ns = profile->cpu_ns,
            .user_ns = profile->user_ns,
        };
    sample_store_done(&series->samples);
    series->samples = *part;
    *part = (struct sample_store){0};
    series->lost_count = series->happened_count = 0;
    series->run_counts.count = 0;
    memset(series->ended_counts, 0, sizeof(series->ended_counts));
}

/* Whether a thread was chosen of which the time that was chosen before has no sample. */
static bool has_left_none(const struct profile *profile, const struct choice *choice)
{
    for (size_t i = 0; profile->is_part && choice->threads && i < profile->threads.count; i++)
        if (choice->threads[i])
            return true;
    return false;
}

static int explain_no_threads(const struct profile *profile, const struct choice *choice, struct error *err)
{
    SCOPED(text_done) struct text options = {0};

    thread_choice_add_options(choice->asked, &options);
    if (has_left_none(profile, choice))
        return error_set(err, ERROR_MISSING,
                         "no sample is left by %s and --time together, though by each of them",
                         text_string(&options));
    error_hint(err, "which there are: cargo cprof report FILE --by %s", thread_choice_groups(choice->asked));
    return error_set(err, ERROR_MISSING, "no sample is left by %s", text_string(&options));
}

static int explain_nothing(const struct profile *profile, const struct choice *choice, struct error *err)
{
    SCOPED(text_done) struct text times = {0};

    if (choice->threads)
        return explain_no_threads(profile, choice, err);
    units_add_seconds(&times, choice->first_ns, 3);
    text_add_string(&times, " to ");
    units_add_seconds(&times, choice->last_ns, 3);
    if (choice->last_ns > 0)
        error_hint(err, "its samples are of %s since it began", text_string(&times));
    return error_set(err, ERROR_MISSING, "no sample is left by --time");
}

/* The parts of all series, in their order. */
struct parts {
    struct sample_store *items; /* owned */
    size_t count;
    uint64_t kept_count; /* samples, of all that there are: */
    uint64_t all_count;
};

static void parts_done(struct parts *parts)
{
    for (size_t i = 0; i < parts->count; i++)
        sample_store_done(&parts->items[i]);
    free(parts->items);
}

static int collect_parts(const struct profile *profile, struct choice *choice, struct parts *out,
                         struct error *err)
{
    out->items = memory_new(profile->series.count + 1, sizeof(*out->items));
    out->count = profile->series.count;
    choice->start_ns = UINT64_MAX;
    for (size_t i = 0; i < profile->series.count; i++) {
        uint64_t start_ns = sample_store_start_ns(&profile->series.items[i].samples);

        choice->start_ns = start_ns < choice->start_ns ? start_ns : choice->start_ns;
    }
    /* A profile that does not tell when it began counts from its first sample. */
    if (profile->started_ns > 0 && profile->started_ns < choice->start_ns)
        choice->start_ns = profile->started_ns;
    choice->first_ns = UINT64_MAX;
    for (size_t i = 0; i < profile->series.count; i++) {
        if (!collect_part(&profile->series.items[i], series_is_of_waits(profile, (uint32_t)i), choice,
                          &out->items[i]))
            return error_set(err, ERROR_FORMAT, "damaged: its samples");
        out->kept_count += out->items[i].count;
        out->all_count += profile->series.items[i].samples.count;
    }
    return out->kept_count > 0 ? 0 : explain_nothing(profile, choice, err);
}

/* Of what all samples stay of, the figures of the whole are as true as before. */
static int narrow(struct profile *profile, struct choice choice, bool *leaves_out, struct error *err)
{
    SCOPED(parts_done) struct parts parts = {0};

    if (collect_parts(profile, &choice, &parts, err) < 0)
        return -1;
    *leaves_out = parts.kept_count < parts.all_count || choice.has_cut;
    if (!*leaves_out)
        return 0;
    for (size_t i = 0; i < parts.count; i++)
        put_part(profile, &parts.items[i], &profile->series.items[i]);
    /* The system's figure is of the whole run; samples tell how much of it is left. */
    profile->cpu_ns = profile->user_ns = 0;
    return 0;
}

int narrow_to_threads(struct profile *profile, const struct thread_choice *asked, struct error *err)
{
    SCOPED(memory_free_at) bool *threads = memory_new(profile->threads.count + 1, sizeof(bool));
    struct choice choice = {.asked = asked, .threads = threads, .range = {0, UINT64_MAX}};
    bool leaves_out = false;

    if (thread_choice_mark(asked, profile, threads, err) < 0)
        return -1;
    return narrow(profile, choice, &leaves_out, err);
}

int narrow_to_stacks(struct profile *profile, const bool *stacks, struct error *err)
{
    bool leaves_out = false;

    return narrow(profile, (struct choice){.stacks = stacks, .range = {0, UINT64_MAX}}, &leaves_out, err);
}

/* Of a recording none is 0: its clock began before it. */
static bool lacks_times(const struct profile *profile)
{
    uint64_t count = 0;

    for (size_t i = 0; i < profile->series.count; i++) {
        const struct sample_store *samples = &profile->series.items[i].samples;

        if (sample_store_end_ns(samples) > 0)
            return false;
        count += samples->count;
    }
    return count > 0;
}

int narrow_to_time(struct profile *profile, struct time_range range, struct error *err)
{
    bool leaves_out = false;
    uint64_t end_ns = range.to_ns < profile->wall_ns ? range.to_ns : profile->wall_ns;

    if (lacks_times(profile)) {
        error_hint(err, "a .cprof of the same run has them");
        return error_set(err, ERROR_MISSING,
                         "--time: the samples tell no times, as those of folded stacks do not");
    }
    if (narrow(profile, (struct choice){.range = range}, &leaves_out, err) < 0)
        return -1;
    profile->wall_ns = end_ns > range.from_ns ? end_ns - range.from_ns : 0;
    if (!leaves_out)
        return 0;
    profile->is_part = true;
    if (profile->run_count > 1)
        profile->run_count = 0; /* how many of them are in it nobody tells */
    return 0;
}

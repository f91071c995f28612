#include "changes/measure.h"

#include "facts/cpu_time.h"
#include "facts/folded_sample.h"
#include "facts/series_unit.h"

#define BILLION UINT64_C(1000000000)

static const struct profile_series *series_of(const struct joined_part *part)
{
    return &part->profile->series.items[part->series];
}

static bool is_time(const struct joined_part *part)
{
    return weight_of_series(part->profile, part->series) == WEIGHT_SAMPLES;
}

static bool is_of_heap(const struct joined_part *part)
{
    return series_is_of_heap(part->profile, part->series);
}

static bool is_of_bytes(const struct joined_part *part)
{
    return !is_time(part) && slice_is(series_units(part->profile, part->series), "bytes");
}

static bool is_of_waits(const struct joined_part *part)
{
    return series_is_of_waits(part->profile, part->series);
}

static bool is_kernel_only(const struct joined_part *part)
{
    return series_is_kernel_only(part->profile, series_of(part));
}

/* The system's CPU time is that of what was sampled: of time spent on the CPU. */
static uint64_t cpu_ns(const struct joined_part *part)
{
    return is_time(part) ? cpu_time_ns(part->profile, series_of(part)) : 0;
}

/* Of what is watched from outside it is as long as that was watched. */
static bool were_watched_alike(const struct joined_part parts[JOINED_SIDES])
{
    double before = (double)parts[JOINED_BEFORE].profile->wall_ns;
    double after = (double)parts[JOINED_AFTER].profile->wall_ns;

    return before > 0 && after > 0 && before < after * 1.02 && after < before * 1.02;
}

enum measure_kind measure_usual(const struct joined_part parts[JOINED_SIDES])
{
    bool are_waits = is_of_waits(&parts[JOINED_BEFORE]) && is_of_waits(&parts[JOINED_AFTER]);
    bool all_have_cpu = true;
    bool all_count = true;

    for (size_t i = 0; i < JOINED_SIDES; i++) {
        all_have_cpu = all_have_cpu && cpu_ns(&parts[i]) > 0;
        all_count = all_count && !is_time(&parts[i]) && !joined_is_folded(&parts[i]);
        if (parts[i].profile->is_part && !(are_waits && were_watched_alike(parts)))
            return MEASURE_SHARE;
    }
    if (series_is_part(series_of(&parts[JOINED_BEFORE])) != series_is_part(series_of(&parts[JOINED_AFTER])))
        return MEASURE_SHARE;
    return all_have_cpu ? MEASURE_CPU : all_count ? MEASURE_COUNT : MEASURE_SHARE;
}

const char *measure_words(const struct measure *measure)
{
    static const char *const words[][MEASURE_KERNEL_LEFT_OUT + 1][2] = {
        [MEASURE_CPU] = {{"by CPU seconds", "by CPU seconds of a run"},
                         {"by CPU seconds, the kernel's apart",
                          "by CPU seconds of a run, the kernel's apart"},
                         {"by CPU seconds outside of the kernel",
                          "by CPU seconds of a run outside of the kernel"}},
        [MEASURE_SHARE] = {{"by share of each side's samples"},
                           {NULL},
                           {"by share of each side's samples outside of the kernel"}},
        [MEASURE_COUNT] = {{"by what was counted", "by what was counted in a run"},
                           {NULL},
                           {"by what was counted outside of the kernel",
                            "by what was counted in a run outside of the kernel"}},
        [MEASURE_WAITS] = {{"by how many there were", "by how many there were in a run"},
                           {NULL},
                           {"by how many there were outside of the kernel",
                            "by how many there were in a run outside of the kernel"}},
        [MEASURE_WAITED] = {{"by time waited", "by time waited in a run"},
                            {NULL},
                            {"by time waited outside of the kernel",
                             "by time waited in a run outside of the kernel"}},
    };

    if (measure->is_of_waits && measure->kind == MEASURE_SHARE)
        return "by share of each side's time waited";
    if (measure->has_missed)
        return measure->is_per_run ? "by CPU seconds of a run, those without samples apart"
                                   : "by CPU seconds, those without samples apart";
    return words[measure->kind][measure->kernel][measure->is_per_run];
}

/* `all` times `part` of `whole`, which is not 0, to the nearest. */
static uint64_t part_of(uint64_t all, uint64_t part, uint64_t whole)
{
    return (uint64_t)(((unsigned __int128)all * part + whole / 2) / whole);
}

/* What samples of a side stand for that weigh so much, of all that happened. */
static uint64_t counted(const struct joined_part *part, uint64_t weight)
{
    const struct profile_series *series = series_of(part);
    uint64_t kept = series_sum_of_values(series);

    if (is_time(part) || kept == 0)
        return series_with_lost(series, weight);
    return part_of(series_all_counted(series, kept), weight, kept);
}

/* Waits are counted themselves, or how long they took. */
static enum weight weight_of(const struct joined_part *part, enum measure_kind kind)
{
    return kind == MEASURE_WAITS ? WEIGHT_SAMPLES : weight_of_series(part->profile, part->series);
}

static struct measure_side side_of(const struct joined_part parts[JOINED_SIDES], enum joined_side which,
                                   enum measure_kind kind)
{
    const struct joined_part *part = &parts[which];
    enum weight weight = weight_of(part, kind);
    struct joined_cursor cursor = joined_cursor_of(parts, which);
    struct sample_sum sum;
    struct measure_side side = {0};

    while (joined_cursor_next(&cursor, &sum)) {
        weight_add(&side.weight, weight_of_sum(&sum, weight));
        weight_add(&side.sample_count, sum.count);
    }
    side.samples = (double)side.sample_count;
    if (joined_is_folded(part)) {
        uint64_t of_one = folded_sample_weight(&series_of(part)->samples.sums);

        side.samples = (double)side.weight / (double)of_one;
        side.sample_count = side.weight / of_one;
    }
    side.whole = side.weight == 0         ? 0
                 : kind == MEASURE_CPU    ? cpu_ns(part)
                 : kind == MEASURE_SHARE  ? BILLION
                 : kind == MEASURE_WAITED ? series_waited_ns(side.weight)
                 : kind == MEASURE_WAITS  ? series_with_lost(series_of(part), side.weight)
                                          : counted(part, side.weight);
    side.of_all_runs = side.whole;
    return side;
}

/* --- CPU time that is apart ---------------------------------------------------------------------- */

/*
 * What those of a side's samples that are compared stand for, and as many of the lost ones as there are of
 * others; 0 where their values are no times.
 */
static uint64_t sampled_ns(const struct joined_part parts[JOINED_SIDES], enum joined_side side)
{
    const struct profile_series *series = series_of(&parts[side]);
    struct joined_cursor cursor = joined_cursor_of(parts, side);
    struct sample_sum sum;
    uint64_t ns = 0;

    if (!slice_is(profile_text(parts[side].profile, series->unit), "ns"))
        return 0;
    while (joined_cursor_next(&cursor, &sum))
        weight_add(&ns, sum.value);
    return series_with_lost(series, ns);
}

/*
 * Where samples of a side stand for clearly less than what the system tells, or the kernel's part was not
 * sampled, functions took what their samples stand for, and the rest is apart. Where samples do not tell how
 * much time they stand for the system does.
 */
static void set_apart(const struct joined_part parts[JOINED_SIDES], bool is_user_only,
                      struct measure *measure)
{
    uint64_t sampled[JOINED_SIDES];
    bool is_known = true;
    bool is_missed = false;
    bool is_told = true;

    for (size_t i = 0; i < JOINED_SIDES; i++) {
        const struct profile *profile = parts[i].profile;
        uint64_t system_ns = is_user_only ? profile->user_ns : cpu_ns(&parts[i]);

        sampled[i] = sampled_ns(parts, (enum joined_side)i);
        is_missed = is_missed || cpu_time_is_missed((double)sampled[i], system_ns, is_user_only);
        is_known = is_known && sampled[i] > 0;
        is_told = is_told && (profile->cpu_ns > 0 || !is_user_only);
    }
    measure->has_missed = is_missed && is_known && is_told;
    if (is_user_only)
        measure->kernel = is_told ? MEASURE_KERNEL_APART : MEASURE_KERNEL_LEFT_OUT;
    else if (!measure->has_missed)
        return;
    for (size_t i = 0; i < JOINED_SIDES; i++) {
        struct measure_side *side = &measure->sides[i];
        uint64_t all_ns = cpu_ns(&parts[i]);
        uint64_t user_ns = parts[i].profile->user_ns;
        bool is_systems = user_ns > 0 && !measure->has_missed && (is_missed || sampled[i] == 0);

        if (side->weight > 0)
            side->whole = is_systems ? user_ns : sampled[i];
        if (is_told && series_of(&parts[i])->samples.count > 0 && all_ns > side->whole)
            side->apart = all_ns - side->whole;
    }
}

/* What several runs took together is nobody's time: of such sides each is as of one. */
static void set_per_run(const struct joined_part parts[JOINED_SIDES], struct measure *measure)
{
    uint32_t before = parts[JOINED_BEFORE].profile->run_count;
    uint32_t after = parts[JOINED_AFTER].profile->run_count;

    measure->is_per_run =
        measure->kind != MEASURE_SHARE && before > 0 && after > 0 && (before > 1 || after > 1);
    for (size_t i = 0; i < JOINED_SIDES && measure->is_per_run; i++) {
        if (heap_event_is_of_moment(series_of(&parts[i])->heap))
            continue;
        measure->sides[i].whole = part_of(measure->sides[i].whole, 1, parts[i].profile->run_count);
        measure->sides[i].apart = part_of(measure->sides[i].apart, 1, parts[i].profile->run_count);
    }
}

/* Time is compared with time, the kernel's alone with the kernel's alone, and folded stacks do not tell what
 * they count. */
static int check_events(const struct joined_part parts[JOINED_SIDES], struct error *err)
{
    struct slice units[JOINED_SIDES];
    struct slice events[JOINED_SIDES];

    for (size_t i = 0; i < JOINED_SIDES; i++) {
        units[i] = profile_text(parts[i].profile, series_of(&parts[i])->unit);
        events[i] = profile_text(parts[i].profile, series_of(&parts[i])->event);
        if (joined_is_folded(&parts[i]))
            return 0;
    }
    if ((slice_equal(units[0], units[1]) || (is_time(&parts[0]) && is_time(&parts[1]))) &&
        is_kernel_only(&parts[0]) == is_kernel_only(&parts[1]))
        return 0;
    error_hint(err, "--event names the event to compare, where both recorded it");
    return error_set(err, ERROR_USAGE, "%.*s cannot be compared with %.*s", SLICE_ARGUMENTS(events[0]),
                     SLICE_ARGUMENTS(events[1]));
}

static int refuse_cpu(const struct joined_part *part, const char *side, struct error *err)
{
    struct slice event = profile_text(part->profile, series_of(part)->event);

    if (!is_time(part) && !joined_is_folded(part)) {
        error_hint(err, "--measure count compares what was counted");
        return error_set(err, ERROR_USAGE, "the %s side is of %.*s, which are no CPU time", side,
                         SLICE_ARGUMENTS(event));
    }
    error_hint(err, "--measure share compares how much of each it is");
    return error_set(err, ERROR_USAGE, "the %s side does not tell its CPU time", side);
}

/* By what a sample is taken: its frequency, else what it stands for; 0 where that is not known. */
static uint64_t rate_of(const struct profile_series *series)
{
    if (series->frequency_hz > 0 || series->samples.count == 0)
        return series->frequency_hz;
    return series_sum_of_values(series) / series->samples.count;
}

/* Samples are counted themselves where they stand for time: so many a second, and not for what was done. */
static int check_rates(const struct joined_part parts[JOINED_SIDES], struct error *err)
{
    const struct profile_series *before = series_of(&parts[JOINED_BEFORE]);
    const struct profile_series *after = series_of(&parts[JOINED_AFTER]);

    for (size_t i = 0; i < JOINED_SIDES; i++)
        if (joined_is_folded(&parts[i]) || series_of(&parts[i])->samples.count == 0 ||
            weight_of_series(parts[i].profile, parts[i].series) != WEIGHT_SAMPLES)
            return 0;
    if ((before->frequency_hz > 0) == (after->frequency_hz > 0) && rate_of(before) == rate_of(after))
        return 0;
    error_hint(err, "--measure cpu and --measure share do not go by how often each was sampled");
    return error_set(err, ERROR_USAGE,
                     "one was sampled more often than the other: samples are no count of "
                     "what changed");
}

int measure_check_samples(const struct joined_part *part, const char *name, struct error *err)
{
    SCOPED(text_done) struct text event = {0};

    if (!series_of(part)->is_summed)
        return 0;
    text_add_terminal(&event, profile_text(part->profile, series_of(part)->event));
    error_hint(
        err,
        "a .cprof that cargo cprof recorded tells both; cargo cprof report shows what each of the two has");
    return error_set(
        err, ERROR_USAGE,
        "%s: it tells how much of %s there is, but not of how many samples, which chance goes by", name,
        text_string(&event));
}

/* Whether threads tell which run they are of: not those that were read from a file. */
static bool knows_runs(const struct profile *profile)
{
    uint32_t last = 0;

    for (size_t i = 0; i < profile->threads.count; i++)
        if (profile->threads.items[i].run > last)
            last = profile->threads.items[i].run;
    return last > 0 && last + 1 == profile->run_count;
}

int measure_make(const struct joined_part parts[JOINED_SIDES], enum measure_kind kind, struct measure *out,
                 struct error *err)
{
    struct measure measure = {.kind = kind};
    bool is_user_only = joined_is_user_only(parts);

    measure.is_of_waits = is_of_waits(&parts[JOINED_BEFORE]) && is_of_waits(&parts[JOINED_AFTER]);
    measure.is_of_heap =
        kind == MEASURE_COUNT && is_of_heap(&parts[JOINED_BEFORE]) && is_of_heap(&parts[JOINED_AFTER]);
    measure.is_of_bytes =
        kind == MEASURE_COUNT && is_of_bytes(&parts[JOINED_BEFORE]) && is_of_bytes(&parts[JOINED_AFTER]);
    if (kind == MEASURE_COUNT && measure.is_of_waits)
        measure.kind = MEASURE_WAITED;
    if (kind == MEASURE_WAITS && !measure.is_of_waits) {
        error_hint(err, "--event off-cpu names them, where both recorded them");
        return error_set(err, ERROR_USAGE, "--measure waits: not both sides are of waits");
    }
    if (check_events(parts, err) < 0 || (kind == MEASURE_COUNT && check_rates(parts, err) < 0))
        return -1;
    for (size_t i = 0; i < JOINED_SIDES; i++) {
        if (kind == MEASURE_CPU && cpu_ns(&parts[i]) == 0)
            return refuse_cpu(&parts[i], i == JOINED_BEFORE ? "first" : "second", err);
        measure.weights[i] = weight_of(&parts[i], kind);
        measure.sides[i] = side_of(parts, (enum joined_side)i, measure.kind);
    }
    if (is_user_only)
        measure.kernel = MEASURE_KERNEL_LEFT_OUT;
    if (kind == MEASURE_CPU)
        set_apart(parts, is_user_only, &measure);
    set_per_run(parts, &measure);
    if (measure.is_of_waits && knows_runs(parts[JOINED_BEFORE].profile) &&
        knows_runs(parts[JOINED_AFTER].profile))
        measure_tell_runs(parts, &measure);
    *out = measure;
    return 0;
}

void measure_tell_runs(const struct joined_part parts[JOINED_SIDES], struct measure *measure)
{
    for (size_t i = 0; i < JOINED_SIDES; i++)
        if (parts[i].profile->run_count < 2)
            return;
    for (size_t i = 0; i < JOINED_SIDES; i++)
        measure->sides[i].runs = parts[i].profile->run_count;
}

bool measure_tells_runs(const struct measure *measure)
{
    return measure->sides[JOINED_BEFORE].runs > 0;
}

const char *measure_apart_name(const struct measure *measure)
{
    if (measure->has_missed)
        return "[not sampled]";
    return measure->kernel == MEASURE_KERNEL_APART ? "[kernel]" : NULL;
}

uint64_t measure_all(const struct measure_side *side)
{
    return side->whole + side->apart;
}

double measure_share_after(const struct measure *measure)
{
    const struct measure_side *before = &measure->sides[JOINED_BEFORE];
    const struct measure_side *after = &measure->sides[JOINED_AFTER];
    double per_before = 0;
    double per_after = 0;

    /* An empty side tells nothing of how many samples it would take. */
    if (before->samples == 0 || after->samples == 0 || before->whole == 0 || after->whole == 0)
        return 0.5;
    per_before = before->samples / (double)before->whole;
    per_after = after->samples / (double)after->whole;
    return per_after / (per_before + per_after);
}

uint64_t measure_amount(const struct measure_side *side, uint64_t weight)
{
    return side->weight ? part_of(side->whole, weight, side->weight) : 0;
}

uint64_t measure_next(struct measure_parts *parts, uint64_t weight)
{
    uint64_t before = parts->amount;

    weight_add(&parts->weight, weight);
    parts->amount = measure_amount(parts->side, parts->weight);
    return parts->amount - before;
}

#include "facts/missed.h"

#include "base/units.h"
#include "facts/cpu_time.h"
#include "facts/quality.h"
#include "facts/series_unit.h"
#include "profile/totals.h"

/* What has samples of all that happened, of the series or of the recording that it is a part of. */
struct sampled {
    const struct profile_series *series;
    uint64_t sample_count;
    uint64_t value_sum;
    uint64_t lost_count;
    uint64_t happened_count;
    uint64_t cpu_ns; /* as the system tells, as the next */
    uint64_t user_ns;
    bool is_of_whole; /* recording, and not of a part */
};

static struct sampled sampled_of(const struct profile *profile, uint32_t series_id)
{
    const struct profile_series *series = &profile->series.items[series_id];
    const struct series_whole *whole = &series->whole;

    if (series_is_part(series))
        return (struct sampled){series,
                                whole->sample_count,
                                whole->value_sum,
                                whole->lost_count,
                                whole->happened_count,
                                whole->cpu_ns,
                                whole->user_ns,
                                true};
    return (struct sampled){series,
                            series->samples.count,
                            series_sum_of_values(series),
                            series->lost_count,
                            series->happened_count,
                            profile->cpu_ns,
                            profile->user_ns,
                            false};
}

/*
 * What the lost samples stand for where each stands for equally many; 0 where that is not known, as of those
 * by frequency.
 */
static uint64_t lost_weight(const struct sampled *sampled, uint64_t kept)
{
    uint64_t count = sampled->sample_count;
    uint64_t lost = 0;

    if (sampled->series->frequency_hz || count == 0 || kept % count != 0 ||
        __builtin_mul_overflow(sampled->lost_count, kept / count, &lost) || lost > UINT64_MAX - kept)
        return 0;
    return lost;
}

static uint64_t all_that_happened(const struct sampled *sampled, uint64_t kept)
{
    uint64_t known = kept + lost_weight(sampled, kept);

    return sampled->happened_count > known ? sampled->happened_count : known;
}

uint64_t missed_all(const struct profile_series *series, uint64_t kept)
{
    const struct sampled sampled = {.series = series,
                                    .sample_count = series->samples.count,
                                    .lost_count = series->lost_count,
                                    .happened_count = series->happened_count};

    return all_that_happened(&sampled, kept);
}

/* --- What is missed ------------------------------------------------------------------------------ */

/* So much of so much; the second is 0 where nothing is clearly missed. */
struct missed {
    uint64_t sampled;
    uint64_t all;
    bool is_time; /* in ns, of CPU time */
};

static bool is_clock(const struct profile *profile, const struct profile_series *series)
{
    struct slice event = profile_text(profile, series->event);

    return (slice_is(event, "cpu-clock") || slice_is(event, "task-clock")) &&
           slice_is(profile_text(profile, series->unit), "ns");
}

/* What a sample of a clock stands for; 0 where that is not known. */
static uint64_t period_ns_of(const struct sampled *sampled)
{
    const uint64_t second_ns = 1000000000;

    if (sampled->series->frequency_hz > 0)
        return second_ns / sampled->series->frequency_hz;
    return sampled->sample_count > 0 ? sampled->value_sum / sampled->sample_count : 0;
}

static uint64_t time_to_sample_ns(const struct sampled *sampled)
{
    return sampled->series->is_user_only ? sampled->user_ns : sampled->cpu_ns;
}

static struct missed missed_time(const struct sampled *sampled)
{
    bool is_user_only = sampled->series->is_user_only;
    uint64_t period_ns = period_ns_of(sampled);
    uint64_t whole_ns = time_to_sample_ns(sampled);
    double sampled_ns = (double)sampled->value_sum + (double)sampled->lost_count * (double)period_ns;

    if (period_ns == 0 || !cpu_time_is_missed(sampled_ns, whole_ns, is_user_only))
        return (struct missed){0};
    return (struct missed){(uint64_t)sampled_ns, whole_ns, true};
}

/*
 * A processor that computes goes through cycles all the time, so samples by frequency come at about that:
 * where far fewer came the counter stood still, which then has not counted what was missed, either.
 */
static struct missed missed_cycles(const struct profile *profile, const struct sampled *sampled)
{
    enum { LEAST_SAMPLES = 200, CLEARLY_FEWER = 4 };
    struct slice event = profile_text(profile, sampled->series->event);
    struct slice name = slice_range(event, 0, slice_find_byte(event, ':'));
    uint64_t period_ns = period_ns_of(sampled);
    uint64_t whole_ns = time_to_sample_ns(sampled);
    uint64_t count = sampled->sample_count + sampled->lost_count;

    if (sampled->series->frequency_hz == 0 || !(slice_is(name, "cycles") || slice_is(name, "cpu-cycles")) ||
        whole_ns / period_ns < LEAST_SAMPLES || count >= whole_ns / period_ns / CLEARLY_FEWER)
        return (struct missed){0};
    return (struct missed){count * period_ns, whole_ns, true};
}

static struct missed missed_events(const struct profile *profile, uint32_t series,
                                   const struct sampled *sampled)
{
    bool has_values = weight_of_series(profile, series) == WEIGHT_VALUE;
    uint64_t kept = has_values ? sampled->value_sum : sampled->sample_count;
    struct missed missed = {kept + lost_weight(sampled, kept), all_that_happened(sampled, kept), false};

    return events_are_missed(missed.sampled, missed.all) ? missed : (struct missed){0};
}

static struct missed find_missed(const struct profile *profile, uint32_t series,
                                 const struct sampled *sampled)
{
    if (is_clock(profile, sampled->series))
        return missed_time(sampled);
    return series_counts_things(profile, series) ? missed_events(profile, series, sampled)
                                                 : missed_cycles(profile, sampled);
}

static void add_share(struct text *text, const struct profile *profile, uint32_t series,
                      const struct sampled *sampled, struct missed missed)
{
    units_add_percent(text, missed.sampled, missed.all);
    text_add_string(text, sampled->is_of_whole ? " of the whole recording's " : " of its ");
    if (missed.is_time)
        text_add_string(text, sampled->series->is_user_only ? "CPU time outside of the kernel" : "CPU time");
    else
        text_add_terminal(text, series_units(profile, series));
}

/* --- Why ----------------------------------------------------------------------------------------- */

/* Ends a line about what was missed, where one program is the reason. */
static bool add_unwatched(struct text *text, const struct profile *profile)
{
    if (profile->unwatched == PROFILE_NO_STRING)
        return false;
    text_add_string(text, ": the kernel lets nobody watch ");
    text_add_terminal(text, profile_text(profile, profile->unwatched));
    text_add_string(text,
                    " from its start, which has another user's rights (set-user-ID) or a file that may not "
                    "be read; as root, exec --all-cpus does, or --pid once it runs");
    return true;
}

/*
 * A clock's first sample of a thread comes a period after its start, on each processor that it runs on (there
 * is an event for each), so many short threads are hardly met; it stands still while the
 * kernel goes from one to the next; and ticks that are late, as on virtual machines, count once
 * (perf_swevent_hrtimer in the kernel's events/core.c).
 */
static void add_why_time(struct text *text, const struct profile *profile, const struct sampled *sampled,
                         struct missed missed)
{
    uint64_t period_ns = period_ns_of(sampled);
    bool has_frequency = sampled->series->frequency_hz > 0;

    if (add_unwatched(text, profile))
        return;
    if (period_ns < CPU_TIME_SAMPLE_NS) {
        text_add_string(text, "; at one each ");
        units_add_time(text, period_ns);
        text_format(text, " the next is due before the last is taken: a %s misses less",
                    has_frequency ? "lower frequency, -F," : "larger -c");
        return;
    }
    text_add_string(text, "; the first ");
    units_add_time(text, period_ns);
    text_format(text,
                " of each thread on each processor have none (a %s meets more), nor has the time that "
                "switching from thread to thread "
                "takes, or in which a busy machine lets no clock tick",
                has_frequency ? "higher frequency, -F," : "smaller -c");
    /* A clock of a processor does not begin anew with each thread. */
    if (missed.sampled < missed.all / 2)
        text_add_string(text, "; exec --all-cpus (as root) meets short ones as it does others");
}

static void add_why_cycles(struct text *text, const struct profile *profile)
{
    if (!add_unwatched(text, profile))
        text_add_string(text,
                        "; the counter stood still, which the kernel does not tell: others use it, or it "
                        "failed to set it (`dmesg` may say so); -e cpu-clock needs none");
}

/*
 * Of what is counted each thread and process begins anew, and what is left over at its end has no sample.
 * Where each sample of a tracepoint is of one, there still are some that are counted only: sched_wakeup for
 * the thread that is woken (perf_tp_event in the kernel's events/core.c).
 */
static const char *why_events(const struct profile *profile, const struct sampled *sampled)
{
    struct slice event = profile_text(profile, sampled->series->event);
    bool is_tracepoint = slice_find_byte(event, ':') < event.length;

    if (sampled->series->frequency_hz)
        return "; threads and processes in which few happen have none (a higher frequency, -F, meets more)";
    if (sampled->sample_count == 0 || sampled->value_sum > sampled->sample_count)
        return "; threads and processes in which few happen have none (-c 1 samples each)";
    return is_tracepoint ? "; the kernel counted the others without a sample, as it counts a wakeup for the "
                           "thread that is woken, too"
                         : "; the kernel counted the others without a sample";
}

/* --- Told ---------------------------------------------------------------------------------------- */

void missed_add(struct text *text, const struct profile *profile, uint32_t series)
{
    struct sampled sampled = sampled_of(profile, series);
    struct missed missed = find_missed(profile, series, &sampled);

    if (missed.all == 0)
        return;
    text_add_string(text, "missed: samples stand for ");
    add_share(text, profile, series, &sampled, missed);
    if (is_clock(profile, sampled.series))
        add_why_time(text, profile, &sampled, missed);
    else if (missed.is_time)
        add_why_cycles(text, profile);
    else
        text_add_string(text, why_events(profile, &sampled));
    text_add_byte(text, '\n');
}

bool missed_add_share(struct text *text, const struct profile *profile, uint32_t series)
{
    struct sampled sampled = sampled_of(profile, series);
    struct missed missed = find_missed(profile, series, &sampled);

    if (missed.all > 0)
        add_share(text, profile, series, &sampled, missed);
    return missed.all > 0;
}

bool missed_from_part(const struct profile *profile, uint32_t series)
{
    struct sampled sampled = sampled_of(profile, series);

    return sampled.is_of_whole &&
           (quality_lost_many(sampled.series) || find_missed(profile, series, &sampled).all > 0);
}

#include "record/record_warnings.h"

#include <inttypes.h>
#include <signal.h>

#include "cli/command.h"
#include "facts/cpu_time.h"
#include "facts/quality.h"
#include "facts/series_unit.h"
#include "facts/short_stacks.h"
#include "files/untimed_names.h"
#include "proc/pid_namespace.h"
#include "proc/signal_name.h"
#include "profile/totals.h"
#include "record/few_samples.h"
#include "target/standard_input.h"

enum { ENOUGH_SAMPLES = 20 };

/* Few samples tell little of how many stacks are whole. */
static void warn_of_quality(const struct options *options, const struct collection *collection)
{
    const struct profile *profile = &collection->profile;
    struct block_file *samples = profile->block_file;
    const char *failure = samples ? block_file_failure(samples) : NULL;
    SCOPED(text_done) struct text damage = {0};

    for (uint32_t i = 0; i < profile->series.count; i++) {
        SCOPED(text_done) struct text said = {0};

        if ((i == 0 || series_is_of_waits(profile, i)) &&
            profile->series.items[i].samples.count >= ENOUGH_SAMPLES &&
            quality_add_warning(&said, &profile->series.items[i], series_is_of_waits(profile, i)))
            command_warn(options, i == 0 ? "%s" : "of waits %s", text_string(&said));
    }
    if (failure)
        command_warn(options, "samples were kept in memory, as the file for them could not be written: %s",
                     failure);
    /* Of the heap it is told above its figures. */
    if (collection->damaged_count > 0 && !series_of_heap_exist(profile)) {
        quality_add_damage(&damage, collection->damaged_count);
        command_warn(options, "%s", text_string(&damage));
    }
    untimed_names_warn(options, &collection->jit_doubts, profile);
    if (collection->jit_doubts.has_newest)
        command_warn(options,
                     "code made at run time has the last name that was told for its address, also where it "
                     "was other code before: its process tells times by another clock than CLOCK_MONOTONIC");
    if (collection->throttled_count > 0)
        command_warn(options,
                     "the kernel held the sampling back %" PRIu64
                     " time%s; a lower frequency (-F) is let through, "
                     "or raise kernel.perf_event_max_sample_rate",
                     collection->throttled_count, collection->throttled_count == 1 ? "" : "s");
}

/* Where functions keep no frame pointer, what the kernel finds by them ends at once. */
static void warn_of_frame_pointers(const struct options *options, const struct profile *profile)
{
    SCOPED(text_done) struct text share = {0};

    if (!short_stacks_are_most(profile, &profile->series.items[0], &share))
        return;
    command_warn(
        options,
        "%s of stacks end after one or two calls: the program seems to have no frame pointers; build it "
        "with -Cforce-frame-pointers=yes (C: -fno-omit-frame-pointer), or leave out --call-graph fp",
        text_string(&share));
}

/* The series of samples that come at a rate with the most, which cost the most. */
static const struct profile_series *most_sampled(const struct profile *profile)
{
    const struct profile_series *found = &profile->series.items[0];

    for (uint32_t i = 1; i < profile->series.count; i++)
        if (series_is_at_rate(profile, i) && profile->series.items[i].samples.count > found->samples.count)
            found = &profile->series.items[i];
    return found;
}

static void warn_of_overhead(const struct options *options, const struct profile *profile)
{
    enum { LEAST_PERCENT = 10, MOST_PERCENT = 50 };
    uint64_t cpu_ns = cpu_time_ns(profile, &profile->series.items[0]);
    uint64_t count = 0;
    double percent = 0;

    for (uint32_t i = 0; i < profile->series.count; i++)
        if (series_is_at_rate(profile, i))
            weight_add(&count, profile->series.items[i].samples.count);
    percent = cpu_time_sampling_percent((double)count, cpu_ns);
    if (count < ENOUGH_SAMPLES || percent < LEAST_PERCENT)
        return;
    command_warn(
        options,
        "so many samples (%.0f in a second of CPU time) take %s of that time themselves; %s costs less",
        (double)count * 1e9 / (double)cpu_ns, percent < MOST_PERCENT ? "a sizeable part" : "most",
        most_sampled(profile)->frequency_hz > 0 ? "a lower frequency (-F)"
                                                : "sampling more seldom (a larger -c)");
}

/* Each wait is sampled, however many there are, some 6 us each. */
static void warn_of_many_waits(const struct options *options, const struct profile *profile)
{
    enum { MANY_IN_A_SECOND = 2000 };

    for (uint32_t i = 0; i < profile->series.count; i++) {
        double waits = (double)profile->series.items[i].samples.count;
        double per_second = profile->wall_ns > 0 ? waits * 1e9 / (double)profile->wall_ns : 0;

        if (series_is_of_waits(profile, i) && per_second >= MANY_IN_A_SECOND)
            command_warn(
                options,
                "%.0f waits a second were sampled, one by one: the program takes longer for that, what it "
                "waits and what it computes; --call-graph dwarf,1024 or fp costs less, and may cut more "
                "stacks",
                per_second);
    }
}

/* The kernel lowers what it allows by itself where samples take it too long. */
static void warn_of_lower_frequency(const struct options *options, const struct sampler_request *asked,
                                    const struct profile_series *series)
{
    if (asked->frequency_hz == SAMPLER_MOST_OFTEN || series->frequency_hz == 0 ||
        series->frequency_hz >= asked->frequency_hz)
        return;
    command_warn(options,
                 "%u samples a second instead of %u: the kernel allows no more; "
                 "`sudo sysctl kernel.perf_event_max_sample_rate=100000` lets it",
                 series->frequency_hz, asked->frequency_hz);
}

/* A profile of fewer runs than were asked for is worth less, and is not to be held against one of all. */
static void warn_of_missing_runs(const struct record_request *request, const struct collection *collection)
{
    unsigned planned = request->settings->recording.session.run_count;
    unsigned done = collection->profile.run_count;

    if (done < planned && !collection->interrupt)
        command_warn(request->options,
                     "ended after %u of %u runs, as the program's exit code was %d; --ignore-status goes on "
                     "whatever it is",
                     done, planned, collection->exit_code);
}

/* A shell would tell it of its own programs, but for this one signal, by which a pipe ends who writes to it.
 */
static void warn_of_signal(const struct options *options, const struct collection *collection)
{
    SCOPED(text_done) struct text signal = {0};

    if (collection->ended_by == 0 || collection->ended_by == SIGPIPE)
        return;
    signal_name_add(&signal, collection->ended_by);
    command_warn(options, "the program was ended by %s: the profile is of what it did until then",
                 text_string(&signal));
}

void record_warn_of_input(const struct options *options)
{
    if (standard_input_is_read_once())
        command_warn(options,
                     "standard input is a pipe: what one run reads there the next finds no more; give it "
                     "as a file, which each reads from the start: < FILE");
}

void record_warn(const struct record_request *request, const struct collection *collection)
{
    const struct options *options = request->options;
    const struct session_request *session = &request->settings->recording.session;
    bool is_over_early = session->delay_ns > 0 && collection->profile.wall_ns == 0;

    if (collection->is_denied_kernel && !options_has(options, "quiet"))
        command_note(options,
                     "the kernel's own time is not in the profile: that takes kernel.perf_event_paranoid 1");
    if (!pid_namespace_has_proc() && !options_has(options, "quiet"))
        command_note(
            options,
            "/proc is that of another PID namespace, or none: files that were removed and code made in "
            "containers may have no names; `unshare --mount-proc cargo cprof ...` has one of its own");
    warn_of_lower_frequency(options, &session->sampling, &collection->profile.series.items[0]);
    warn_of_signal(options, collection);
    warn_of_missing_runs(request, collection);
    warn_of_quality(options, collection);
    if (session->sampling.stacks == SAMPLER_STACKS_FRAME_POINTERS && session->sampling.most_calls == 0)
        warn_of_frame_pointers(options, &collection->profile);
    warn_of_overhead(options, &collection->profile);
    warn_of_many_waits(options, &collection->profile);
    if (is_over_early)
        command_warn(options, "nothing was kept: it ended before --delay %s was over",
                     options_value(options, "delay"));
    else
        few_samples_warn(request, collection);
}

#include "record/record_warnings.h"

#include <inttypes.h>
#include <signal.h>

#include "base/units.h"
#include "cli/command.h"
#include "facts/cpu_time.h"
#include "facts/missed.h"
#include "facts/more_samples.h"
#include "facts/quality.h"
#include "facts/series_unit.h"
#include "facts/short_stacks.h"
#include "files/untimed_names.h"
#include "proc/pid_namespace.h"
#include "proc/signal_name.h"
#include "process/thread_stat.h"
#include "profile/totals.h"
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

/* Whether each that happened has a sample of its own, as far as is known. */
static bool is_each_sampled(const struct profile_series *series)
{
    return series_sum_of_values(series) <= series->samples.count &&
           series->happened_count <= series->samples.count;
}

/* How there would be enough samples; nothing when there can hardly be. */
static void add_more_samples(struct text *text, const struct record_request *request,
                             const struct profile *profile)
{
    const struct session_request *session = &request->settings->recording.session;
    const struct profile_series *series = &profile->series.items[0];
    bool is_started = !session->is_machine && session->pids.count == 0;

    if (series->frequency_hz > 0)
        more_samples_add(text, profile, series, is_started);
    else if (!is_each_sampled(series))
        text_add_string(text, ", or sample more often: a smaller -c");
}

/* Where functions keep no frame pointer, what the kernel finds by them ends at once. */
static void warn_of_frame_pointers(const struct options *options, const struct profile *profile)
{
    const struct profile_series *series = &profile->series.items[0];
    struct short_stacks counts = short_stacks_count(profile, series);
    SCOPED(text_done) struct text share = {0};

    if (!short_stacks_are_most(&counts, series, &share))
        return;
    command_warn(
        options,
        "%s of stacks end after one or two calls: the program seems to have no frame pointers; build it "
        "with -Cforce-frame-pointers=yes (C: -fno-omit-frame-pointer), or leave out --call-graph fp",
        text_string(&share));
}

/* Which the kernel takes at a rate. */
static bool is_at_rate(const struct profile *profile, uint32_t series)
{
    return !series_is_of_waits(profile, series) && !series_is_of_heap(profile, series);
}

/* The series of samples that come at a rate with the most, which cost the most. */
static const struct profile_series *most_sampled(const struct profile *profile)
{
    const struct profile_series *found = &profile->series.items[0];

    for (uint32_t i = 1; i < profile->series.count; i++)
        if (is_at_rate(profile, i) && profile->series.items[i].samples.count > found->samples.count)
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
        if (is_at_rate(profile, i))
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
                "waits and what it computes; --call-graph dwarf,1024 or fp costs less",
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

/* How much CPU time so few samples stand for; nothing where nobody knows. */
static void add_cpu_time(struct text *text, uint64_t cpu_ns)
{
    if (cpu_ns == 0)
        return;
    text_add_string(text, " in ");
    units_add_seconds(text, cpu_ns, 3);
    text_add_string(text, " of CPU time");
}

/* Waiting for a second, and computing for less than a fiftieth of it, is no short run. */
static bool hardly_ran(const struct profile *profile, const struct profile_series *series, uint64_t cpu_ns)
{
    const uint64_t least_wall_ns = 1000000000;
    bool is_known = cpu_ns > 0 || slice_is(profile_text(profile, series->unit), "ns");

    return is_known && profile->wall_ns >= least_wall_ns && cpu_ns <= profile->wall_ns / 50;
}

enum { FEW_SAMPLES = 100, HARDLY_ANY_SAMPLES = 20 };

/* Whether so much CPU time has far more samples than few. */
static bool is_much(const struct profile_series *series, uint64_t cpu_ns)
{
    return (double)cpu_ns / 1e9 * series->frequency_hz >= 2 * FEW_SAMPLES;
}

/* Of a breakpoint that nothing has met. */
static void warn_of_unmet_address(const struct record_request *request)
{
    const struct session_request *session = &request->settings->recording.session;
    bool may_move = session->pids.count == 0 && !session->launch.has_fixed_layout;

    command_warn(request->options, "nothing did that at this address%s",
                 may_move ? "; it is one in the process, where each run has other ones without --no-aslr"
                          : " while it was watched");
}

/* Whether what is counted is said to have happened never; not of time, of which there is too little. */
static bool warn_of_none(const struct record_request *request, const struct collection *collection)
{
    const struct profile *profile = &collection->profile;
    const struct profile_series *series = &profile->series.items[0];
    struct slice event = profile_text(profile, series->event);
    bool is_watched_from_start =
        request->settings->recording.session.pids.count == 0 && profile->unwatched == PROFILE_NO_STRING;

    if (series->samples.count + series->happened_count > 0)
        return false;
    if (slice_starts_with(event, SLICE("mem:"))) {
        warn_of_unmet_address(request);
        return true;
    }
    if (!is_watched_from_start || series->frequency_hz > 0 || series_is_of_waits(profile, 0) ||
        series_is_of_heap(profile, 0) || !series_counts_things(profile, 0))
        return false;
    command_warn(request->options, "there were no %.*s while it was watched", SLICE_ARGUMENTS(event));
    return true;
}

/* Whether a thread was sampled that is called so: tests have threads that are named after them. */
static bool has_thread_called(const struct profile *profile, struct slice part)
{
    for (size_t i = 0; i < profile->threads.count; i++) {
        struct slice name = profile_text(profile, profile->threads.items[i].name);

        if (slice_has(name, part))
            return true;
    }
    return false;
}

/*
 * Programs of tests and benchmarks say what they ran to people only, and it is no failure when none has a
 * name with the filter in it.
 */
static bool may_have_run_none(const struct record_request *request, const struct profile *profile)
{
    return request->filter && profile->series.items[0].samples.count < HARDLY_ANY_SAMPLES &&
           !has_thread_called(profile, slice_of(request->filter));
}

static void warn_of_filter(const struct record_request *request, const struct profile *profile,
                           const char *cpu_time)
{
    uint64_t count = profile->series.items[0].samples.count;
    SCOPED(text_done) struct text filter = {0};
    SCOPED(text_done) struct text more = {0};

    add_more_samples(&more, request, profile);
    text_add_terminal(&filter, slice_of(request->filter));
    command_warn(request->options,
                 "hardly anything ran: %" PRIu64 " sample%s%s; is there a test or benchmark with \"%s\" in "
                 "its name? `-- --list` shows them all; one that did run needs more to do%s",
                 count, count == 1 ? "" : "s", cpu_time, text_string(&filter), text_string(&more));
}

/* Of those that are watched, one that is stopped, and whether a debugger holds it; 0 for none. */
static pid_t stopped_process(const struct pids *pids, bool *is_held)
{
    enum { STOPPED = 'T', HELD = 't' }; /* proc_pid_stat(5) */
    struct thread_stat stat;

    for (size_t i = 0; i < pids->count; i++)
        if (thread_stat_read((uint32_t)pids->items[i], (uint32_t)pids->items[i], &stat) &&
            (stat.state == STOPPED || stat.state == HELD)) {
            *is_held = stat.state == HELD;
            return pids->items[i];
        }
    return 0;
}

/* How what was recorded has more samples. */
static const char *how_longer(const struct record_request *request, bool was_running)
{
    if (was_running)
        return "watch it while it works, or for longer";
    return request->how_longer ? request->how_longer : "give it more to do";
}

static void add_what_was_short(struct text *text, const struct profile *profile, bool did_hardly_run)
{
    if (did_hardly_run) {
        text_add_string(text, "it hardly ran, too little");
        return;
    }
    if (profile->unwatched == PROFILE_NO_STRING) {
        text_add_string(text, "the run was too short");
        return;
    }
    text_add(text, profile_text(profile, profile->unwatched));
    text_add_string(text,
                    " could not be watched, being set-user-ID or a file that may not be read; the rest was "
                    "too short");
}

/* Then it is known what it did all the time. */
static bool has_waits(const struct profile *profile)
{
    for (uint32_t i = 0; i < profile->series.count; i++)
        if (series_is_of_waits(profile, i) && profile->series.items[i].samples.count > 0)
            return true;
    return false;
}

/* Of what is told each time it happens. */
static void warn_of_nothing(const struct options *options, const struct profile *profile)
{
    const struct heap_lacks *lacks = &profile->heap_lacks;

    if (series_is_of_waits(profile, 0))
        command_warn(options, "nothing waited while it was watched");
    else if (lacks->told_count > 0 && !lacks->own_malloc)
        command_warn(options, "no memory was asked for while it was watched: of malloc and its like, for "
                              "what an allocator gives "
                              "that is linked into the program is not seen");
}

/*
 * Of things that are counted, how many there were, and how many of them have a sample, tells whether samples
 * are few, and not how long it ran: where each has one, they tell all there is. False elsewhere.
 */
static bool warn_of_few_things(const struct options *options, const struct profile *profile, bool was_running)
{
    enum { MOST_TO_SAMPLE_EACH = 10000 };
    const struct profile_series *series = &profile->series.items[0];
    uint64_t all = missed_all(series, series_sum_of_values(series));
    SCOPED(text_done) struct text what = {0};

    if (!series_counts_things(profile, 0) || all == 0 || profile->unwatched != PROFILE_NO_STRING)
        return false;
    if (is_each_sampled(series))
        return true;
    if (series->frequency_hz > 0)
        return false;
    units_add_things(&what, series->samples.count, "sample");
    text_add_string(&what, " of ");
    series_unit_add_count(&what, profile, 0, all);
    if (!series_unit_tells_event(profile, 0)) {
        text_add_string(&what, " of ");
        text_add_terminal(&what, profile_text(profile, series->event));
    }
    command_warn(options, "%s tell%s little; %s, or %s", text_string(&what),
                 series->samples.count == 1 ? "s" : "",
                 all <= MOST_TO_SAMPLE_EACH ? "-c 1 samples each" : "sample more often: a smaller -c",
                 was_running ? "watch it for longer" : "give it more to do");
    return true;
}

static void warn_of_few(const struct record_request *request, const struct collection *collection)
{
    const struct options *options = request->options;
    const struct session_request *session = &request->settings->recording.session;
    bool was_running = session->is_machine || session->pids.count > 0;
    const struct profile_series *series = &collection->profile.series.items[0];
    uint64_t user_ns = collection->profile.user_ns;
    uint64_t cpu_ns = cpu_time_ns(&collection->profile, series);
    bool is_held = false;
    pid_t stopped = series->samples.count == 0 ? stopped_process(&session->pids, &is_held) : 0;
    SCOPED(text_done) struct text what = {0};
    SCOPED(text_done) struct text time = {0};
    SCOPED(text_done) struct text more = {0};

    if (series->samples.count >= FEW_SAMPLES || warn_of_none(request, collection) ||
        (!is_at_rate(&collection->profile, 0) && series->samples.count > 0))
        return;
    if (stopped > 0 && is_held) {
        command_warn(options, "no sample: process %d is stopped by a debugger, which alone has it go on",
                     (int)stopped);
        return;
    }
    if (stopped > 0) {
        command_warn(options, "no sample: process %d is stopped; `kill -CONT %d` has it go on", (int)stopped,
                     (int)stopped);
        return;
    }
    if (!is_at_rate(&collection->profile, 0)) {
        warn_of_nothing(options, &collection->profile);
        return;
    }
    add_cpu_time(&time, cpu_ns);
    if (series_is_kernel_only(&collection->profile, series) && is_much(series, user_ns)) {
        command_warn(options,
                     "most of its time is the program's own, which is not sampled: %" PRIu64 " sample%s%s",
                     series->samples.count, series->samples.count == 1 ? "" : "s", text_string(&time));
        return;
    }
    if (is_much(series, cpu_ns)) {
        /* Else the summary tells what was missed. */
        if (series->is_user_only && user_ns > 0 && !is_much(series, user_ns))
            command_warn(options,
                         "most of its time is the kernel's, which is not sampled: %" PRIu64 " sample%s%s",
                         series->samples.count, series->samples.count == 1 ? "" : "s", text_string(&time));
        return;
    }
    if (may_have_run_none(request, &collection->profile)) {
        warn_of_filter(request, &collection->profile, text_string(&time));
        return;
    }
    if (has_waits(&collection->profile) || warn_of_few_things(options, &collection->profile, was_running))
        return;
    add_what_was_short(&what, &collection->profile,
                       hardly_ran(&collection->profile, series, cpu_ns) ||
                           (was_running && series->samples.count == 0));
    add_more_samples(&more, request, &collection->profile);
    command_warn(options, "%s to tell much: %" PRIu64 " sample%s%s; %s%s", text_string(&what),
                 series->samples.count, series->samples.count == 1 ? "" : "s", text_string(&time),
                 how_longer(request, was_running), text_string(&more));
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
        warn_of_few(request, collection);
}

#include "record/few_samples.h"

#include <inttypes.h>

#include "base/units.h"
#include "cli/command.h"
#include "facts/cpu_time.h"
#include "facts/missed.h"
#include "facts/more_samples.h"
#include "facts/series_unit.h"
#include "process/thread_stat.h"

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
    const struct profile_series *series = &profile->series.items[0];

    if (series->frequency_hz > 0)
        more_samples_add(text, profile, series, !recording_watches(&request->settings->recording));
    else if (!is_each_sampled(series))
        text_add_string(text, ", or sample more often: a smaller -c");
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

/* How what was recorded has more samples. */
static const char *how_longer(const struct record_request *request, bool was_running)
{
    if (was_running)
        return "watch it while it works, or for longer";
    return request->how_longer ? request->how_longer : "give it more to do";
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
                 "its name? `-- --list` shows them all; if one did run, %s%s",
                 count, count == 1 ? "" : "s", cpu_time, text_string(&filter), how_longer(request, false),
                 text_string(&more));
}

/* Whether one of those that are watched is stopped. */
static bool warn_of_stopped(const struct options *options, const struct pids *pids)
{
    enum { STOPPED = 'T', HELD = 't' }; /* proc_pid_stat(5) */
    struct thread_stat stat;

    for (size_t i = 0; i < pids->count; i++) {
        int pid = pids->items[i];

        if (!thread_stat_read((uint32_t)pid, (uint32_t)pid, &stat))
            continue;
        if (stat.state == HELD)
            command_warn(options, "no sample: process %d is stopped by a debugger, which alone has it go on",
                         pid);
        if (stat.state == STOPPED)
            command_warn(options, "no sample: process %d is stopped; `kill -CONT %d` has it go on", pid, pid);
        if (stat.state == HELD || stat.state == STOPPED)
            return true;
    }
    return false;
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
        command_warn(options,
                     "no memory was asked for while it was watched: of malloc and its like, for what other "
                     "allocators give that are linked into the program may not be seen");
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

void few_samples_warn(const struct record_request *request, const struct collection *collection)
{
    const struct options *options = request->options;
    const struct recording *recording = &request->settings->recording;
    bool was_running = recording_watches(recording);
    const struct profile_series *series = &collection->profile.series.items[0];
    uint64_t user_ns = collection->profile.user_ns;
    uint64_t cpu_ns = cpu_time_ns(&collection->profile, series);
    SCOPED(text_done) struct text what = {0};
    SCOPED(text_done) struct text time = {0};
    SCOPED(text_done) struct text more = {0};

    if (series->samples.count >= FEW_SAMPLES || warn_of_none(request, collection) ||
        (!series_is_at_rate(&collection->profile, 0) && series->samples.count > 0) ||
        (series->samples.count == 0 && warn_of_stopped(options, &recording->session.pids)))
        return;
    if (!series_is_at_rate(&collection->profile, 0)) {
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

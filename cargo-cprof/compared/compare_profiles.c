#include "compared/compare_profiles.h"

#include <math.h>

#include "proc/run.h"
#include "record/event_list.h"
#include "record/heap_warnings.h"
#include "record/session.h"
#include "symbolize/heap_calls.h"
#include "symbolize/symbolize.h"

enum {
    WANTED_RUNS = 10, /* their deviation is known to a quarter then */
    WANTED_RUNS_OF_THINGS = 20,
    MOST_RUNS = 200,
};

/* What is no time is all told by each run, or as much of it as is good. */
static bool is_of_time(const struct sampler_request *sampling)
{
    return sampling->event_count == 0 || event_is_of_time(&sampling->events[0]);
}

/*
 * How often each is run: for about two seconds of CPU time of the one that takes less, which are some two
 * thousand samples, and ten runs, but not so often that all takes more than ten seconds; at least
 * `least_runs`. Of what is no time twenty runs tell how far it differs.
 */
static unsigned count_runs(const struct profiles_request *request)
{
    static const double wanted_cpu_seconds = 2;
    static const double most_seconds = 10;
    double cpu = fmin(request->cpu_seconds[TIMING_BEFORE], request->cpu_seconds[TIMING_AFTER]);
    double elapsed = request->elapsed_seconds[TIMING_BEFORE] + request->elapsed_seconds[TIMING_AFTER];
    double wanted = !is_of_time(&request->sampling) ? WANTED_RUNS_OF_THINGS
                    : cpu > 0                       ? fmax(ceil(wanted_cpu_seconds / cpu), WANTED_RUNS)
                                                    : MOST_RUNS;
    double most = elapsed > 0 ? floor(most_seconds / elapsed) : MOST_RUNS;
    unsigned runs = (unsigned)fmin(fmin(wanted, most), MOST_RUNS);
    unsigned least = request->least_runs > 0 ? request->least_runs : 1;

    return runs > least ? runs : least;
}

/* A command around runs. */
static int run_command(const char *const *command, const char *what, struct error *err)
{
    struct spawn spawn = {.argv = command, .input = SPAWN_NULL, .output = SPAWN_NULL, .error = SPAWN_NULL};
    struct process process;
    struct process_status status;

    if (!command)
        return 0;
    if (spawn_start(&spawn, &process, err) < 0 || process_wait(&process, &status, err) < 0)
        return error_wrap(err, "%s", what);
    return process_check(command[0], status, err) < 0 ? error_wrap(err, "%s", what) : 0;
}

/* Names what was recorded, as every recording does (record.h). */
static int name(const struct profiles_request *request, size_t side, struct collection *collection,
                struct error *err)
{
    struct symbolize_request names = {.kernel_symbols = "/proc/kallsyms", .may_ask_kernel = true};
    SCOPED(text_done) struct text of = {0};

    symbolize_profile(&collection->profile, &names);
    text_format(&of, "%s: ", request->timing->programs[side].label);
    if (request->warnings)
        heap_warn(request->options, collection, text_string(&of), request->warnings);
    return heap_calls_leave_out(&collection->profile, err);
}

/* Profiles so many of the programs, from this one on, in turn. */
static int record(const struct profiles_request *request, size_t first, size_t count,
                  struct compared_profiles *out, struct error *err)
{
    struct session_request sessions[TIMING_SIDES];
    struct collection collections[TIMING_SIDES];
    int result = 0;

    for (size_t i = 0; i < count; i++)
        sessions[i] = (struct session_request){
            .launch = request->timing->programs[first + i].launch,
            .sampling = request->sampling,
            .run_count = out->run_count,
            .runs_on = request->timing->plan.ignores_failure,
        };
    if (session_run_in_turn(sessions, count, collections, err) < 0)
        return -1;
    for (size_t i = 0; i < count; i++) {
        out->interrupt = collections[i].interrupt;
        out->is_denied_kernel = out->is_denied_kernel || collections[i].is_denied_kernel;
        if (result == 0)
            result = name(request, first + i, &collections[i], err);
        out->profiles[first + i] = collections[i].profile;
        out->has_profile[first + i] = true;
        open_files_close(&collections[i].files);
    }
    return result;
}

static int record_with_commands(const struct profiles_request *request, size_t side,
                                struct compared_profiles *out, struct error *err)
{
    const struct timed_program *program = &request->timing->programs[side];

    if (run_command(program->prepare, "--prepare", err) < 0 || record(request, side, 1, out, err) < 0)
        return -1;
    return run_command(program->conclude, "--conclude", err);
}

int compared_profiles_record(const struct profiles_request *request, struct compared_profiles *out,
                             struct error *err)
{
    const struct timed_program *programs = request->timing->programs;
    bool has_commands = false;

    for (size_t side = 0; side < TIMING_SIDES; side++)
        has_commands = has_commands || programs[side].prepare || programs[side].conclude;
    *out = (struct compared_profiles){.run_count = has_commands ? 1 : count_runs(request)};
    if (!has_commands)
        return record(request, 0, TIMING_SIDES, out, err);
    for (size_t side = 0; side < TIMING_SIDES && !out->interrupt; side++)
        if (record_with_commands(request, side, out, err) < 0)
            return -1;
    return 0;
}

void compared_profiles_done(struct compared_profiles *profiles)
{
    for (size_t side = 0; side < TIMING_SIDES; side++)
        if (profiles->has_profile[side])
            profile_done(&profiles->profiles[side]);
}

#include "compared/compare_profiles.h"

#include <math.h>

#include "proc/run.h"
#include "record/session.h"
#include "symbolize/symbolize.h"

enum {
    FREQUENCY_HZ = 997,
    WANTED_RUNS = 10, /* their deviation is known to a quarter then */
    MOST_RUNS = 200,
};

/*
 * How often each is run: for about two seconds of CPU time of the one that takes less, which are some two
 * thousand samples, and ten runs, but not so often that all takes more than ten seconds; at least
 * `least_runs`.
 */
static unsigned count_runs(const struct profiles_request *request)
{
    static const double wanted_cpu_seconds = 2;
    static const double most_seconds = 10;
    double cpu = fmin(request->cpu_seconds[TIMING_BEFORE], request->cpu_seconds[TIMING_AFTER]);
    double elapsed = request->elapsed_seconds[TIMING_BEFORE] + request->elapsed_seconds[TIMING_AFTER];
    double wanted = cpu > 0 ? fmax(ceil(wanted_cpu_seconds / cpu), WANTED_RUNS) : MOST_RUNS;
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

/* Profiles so many of the programs, from this one on, in turn. */
static int record(const struct profiles_request *request, size_t first, size_t count,
                  struct compared_profiles *out, struct error *err)
{
    struct session_request sessions[TIMING_SIDES];
    struct collection collections[TIMING_SIDES];
    struct symbolize_request names = {.kernel_symbols = "/proc/kallsyms", .may_ask_kernel = true};

    for (size_t i = 0; i < count; i++)
        sessions[i] = (struct session_request){
            .launch = request->timing->programs[first + i].launch,
            .sampling = {.frequency_hz = FREQUENCY_HZ},
            .run_count = out->run_count,
            .runs_on = request->timing->plan.ignores_failure,
        };
    if (session_run_in_turn(sessions, count, collections, err) < 0)
        return -1;
    for (size_t i = 0; i < count; i++) {
        struct profile *profile = &out->profiles[first + i];

        *profile = collections[i].profile;
        out->has_profile[first + i] = true;
        out->interrupt = collections[i].interrupt;
        out->is_denied_kernel = out->is_denied_kernel || collections[i].is_denied_kernel;
        symbolize_profile(profile, &names);
        open_files_close(&collections[i].files);
    }
    return 0;
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

#include "compared/compare_profiles.h"

#include <math.h>

#include "proc/run.h"
#include "record/session.h"
#include "symbolize/symbolize.h"

enum { FREQUENCY_HZ = 997, MOST_RUNS = 200 };

unsigned compared_profiles_runs(const struct profiles_request *request)
{
    static const double wanted_cpu_seconds = 2;
    static const double most_seconds = 10;
    double cpu = fmin(request->cpu_seconds[TIMING_BEFORE], request->cpu_seconds[TIMING_AFTER]);
    double elapsed = request->elapsed_seconds[TIMING_BEFORE] + request->elapsed_seconds[TIMING_AFTER];
    double wanted = cpu > 0 ? ceil(wanted_cpu_seconds / cpu) : MOST_RUNS;
    double most = elapsed > 0 ? floor(most_seconds / elapsed) : MOST_RUNS;
    double runs = fmin(fmin(wanted, most), MOST_RUNS);

    return runs > 1 ? (unsigned)runs : 1;
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

static int record(const struct timed_program *program, bool runs_on, struct compared_profiles *out,
                  struct profile *profile, struct error *err)
{
    struct collection collection = {0};
    struct session_request session = {
        .launch = program->launch,
        .sampling = {.frequency_hz = FREQUENCY_HZ},
        .run_count = out->run_count,
        .runs_on = runs_on,
    };
    struct symbolize_request names = {.kernel_symbols = "/proc/kallsyms", .may_ask_kernel = true};

    if (session_run(&session, &collection, err) < 0)
        return -1;
    *profile = collection.profile;
    out->was_interrupted = collection.was_interrupted;
    out->is_denied_kernel = collection.is_denied_kernel;
    symbolize_profile(profile, &names);
    return 0;
}

static int record_side(const struct profiles_request *request, enum timing_side side,
                       struct compared_profiles *out, struct error *err)
{
    const struct timed_program *program = &request->timing->programs[side];

    if (run_command(program->prepare, "--prepare", err) < 0 ||
        record(program, request->timing->plan.ignores_failure, out, &out->profiles[side], err) < 0)
        return -1;
    out->has_profile[side] = true;
    return run_command(program->conclude, "--conclude", err);
}

int compared_profiles_record(const struct profiles_request *request, struct compared_profiles *out,
                             struct error *err)
{
    const struct timed_program *programs = request->timing->programs;
    bool has_commands = false;

    for (size_t side = 0; side < TIMING_SIDES; side++)
        has_commands = has_commands || programs[side].prepare || programs[side].conclude;
    *out = (struct compared_profiles){.run_count = has_commands ? 1 : compared_profiles_runs(request)};
    for (size_t side = 0; side < TIMING_SIDES && !out->was_interrupted; side++)
        if (record_side(request, (enum timing_side)side, out, err) < 0)
            return -1;
    return 0;
}

void compared_profiles_done(struct compared_profiles *profiles)
{
    for (size_t side = 0; side < TIMING_SIDES; side++)
        if (profiles->has_profile[side])
            profile_done(&profiles->profiles[side]);
}

#include "compared/compare_profiles.h"

#include <math.h>

#include "files/heap_warnings.h"
#include "proc/owner.h"
#include "record/event_list.h"
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
    double wanted = !is_of_time(&request->sampling) ? WANTED_RUNS_OF_THINGS
                    : cpu > 0                       ? fmax(ceil(wanted_cpu_seconds / cpu), WANTED_RUNS)
                                                    : MOST_RUNS;
    double most = request->pair_seconds > 0 ? floor(most_seconds / request->pair_seconds) : MOST_RUNS;
    unsigned runs = (unsigned)fmin(fmin(wanted, most), MOST_RUNS);
    unsigned least = request->least_runs > 0 ? request->least_runs : 1;

    return runs > least ? runs : least;
}

/* Names what was recorded, as every recording does (record.h). */
static int name(const struct profiles_request *request, size_t side, struct collection *collection,
                struct error *err)
{
    struct symbolize_request names = {.kernel_symbols = "/proc/kallsyms", .may_ask_kernel = true};
    SCOPED(text_done) struct text of = {0};

    if (symbolize_recorded(&collection->profile, &collection->files.jit_dumps, &names,
                           &collection->jit_doubts, err) < 0)
        return -1;
    text_format(&of, "%s: ", request->timing->programs[side].label);
    if (request->warnings)
        heap_warn(request->options, &collection->profile, PROFILE_NONE, text_string(&of), request->warnings);
    return heap_calls_leave_out(&collection->profile, err);
}

static int record(const struct profiles_request *request, const struct session_request *sessions,
                  struct compared_profiles *out, struct error *err)
{
    struct collection collections[TIMING_SIDES];
    int result = 0;

    if (session_run_in_turn(sessions, TIMING_SIDES, collections, err) < 0)
        return -1;
    for (size_t side = 0; side < TIMING_SIDES; side++) {
        out->interrupt = collections[side].interrupt;
        out->is_denied_kernel = out->is_denied_kernel || collections[side].is_denied_kernel;
        if (result == 0)
            result = name(request, side, &collections[side], err);
        out->profiles[side] = collections[side].profile;
        out->has_profile[side] = true;
        open_files_close(&collections[side].files);
    }
    return result;
}

int compared_profiles_record(const struct profiles_request *request, struct compared_profiles *out,
                             struct error *err)
{
    struct session_request sessions[TIMING_SIDES];
    bool is_raised = false;
    int result = 0;

    *out = (struct compared_profiles){.run_count = count_runs(request)};
    for (size_t side = 0; side < TIMING_SIDES; side++) {
        const struct timed_program *program = &request->timing->programs[side];

        sessions[side] = (struct session_request){
            .launch = program->launch,
            .sampling = request->sampling,
            .run_count = out->run_count,
            .runs_on = request->timing->plan.ignores_failure,
            .prepare = program->prepare,
            .conclude = program->conclude,
        };
    }
    /* Under sudo we have changed our user, and so only root may watch what we start (prctl(2),
     * PR_SET_DUMPABLE). */
    is_raised = owner_raise();
    result = record(request, sessions, out, err);
    owner_lower(is_raised);
    return result;
}

void compared_profiles_done(struct compared_profiles *profiles)
{
    for (size_t side = 0; side < TIMING_SIDES; side++)
        if (profiles->has_profile[side])
            profile_done(&profiles->profiles[side]);
}

#include "timing/measure.h"

#include <string.h>

#include "base/clock.h"
#include "cargo/args.h"
#include "proc/spawn.h"

/* Between a page and none; 16-byte steps of it change how the stack is aligned to a page. */
enum { PADDING_BYTES_MAX = 4096 };

enum timing_side timing_side_of_run(size_t run)
{
    return (run + 1) / 2 % 2 ? TIMING_AFTER : TIMING_BEFORE;
}

size_t timing_runs(const struct timing_plan *plan, uint64_t pair_ns)
{
    static const uint64_t whole_ns = UINT64_C(6000000000);
    uint64_t fitting = whole_ns / (pair_ns > 0 ? pair_ns : 1);

    if (fitting < plan->least_runs)
        return plan->least_runs;
    return fitting < plan->most_runs ? (size_t)fitting : plan->most_runs;
}

struct measuring {
    const struct timing_request *request;
    struct timings *timings;
    struct run_guard guard;
    uint64_t seed; /* of the padding */
};

/* --- One run --------------------------------------------------------------------------- */

/* The failure of what is no measured program: `what` names its option. */
static int run_command(struct measuring *measuring, const char *const *command, const char *what,
                       struct error *err)
{
    struct launch launch = {.argv = command, .input = "/dev/null", .output = LAUNCH_OUTPUT_NONE};
    struct timed_run run = {0};

    if (!command || measuring->guard.signal)
        return 0;
    if (timed_run(&measuring->guard, &launch, &run, err) < 0)
        return error_wrap(err, "%s", what);
    if (measuring->guard.signal ||
        process_check(command[0], (struct process_status){run.exit_code, run.signal}, err) == 0)
        return 0;
    /* Another code than 1 would be taken for something that we tell. */
    err->exit_code = EXIT_CODE_FAILED;
    return error_wrap(err, "%s", what);
}

/* xorshift64 (Marsaglia, 2003): the same lengths in each comparison. */
static size_t next_padding(struct measuring *measuring)
{
    measuring->seed ^= measuring->seed << 13;
    measuring->seed ^= measuring->seed >> 7;
    measuring->seed ^= measuring->seed << 17;
    return (size_t)(measuring->seed % PADDING_BYTES_MAX);
}

static int run_padded(struct measuring *measuring, const struct timed_program *program, struct timed_run *out,
                      struct error *err)
{
    static const char name[] = "CARGO_CPROF_PADDING=";
    SCOPED(cargo_words_done) struct cargo_words words = {0};
    SCOPED(text_done) struct text padding = {0};
    SCOPED(arena_done) struct arena arena = {0};
    struct launch launch = program->launch;

    text_add_string(&padding, name);
    text_add_repeated(&padding, 'x', next_padding(measuring));
    for (const char *const *at = launch.environment; at && *at; at++)
        cargo_words_add(&words, *at);
    cargo_words_add(&words, text_string(&padding));
    launch.environment = cargo_words_keep(&arena, &words);
    return timed_run(&measuring->guard, &launch, out, err);
}

static int check_end(const struct timing_request *request, const struct timed_program *program,
                     const struct timed_run *run, struct error *err)
{
    if (request->plan.ignores_failure ||
        process_check(program->label, (struct process_status){run->exit_code, run->signal}, err) == 0)
        return 0;
    error_hint(err, "%s--ignore-failure measures it all the same",
               program->launch.output == LAUNCH_OUTPUT_NONE ? "--show-output shows what it says; " : "");
    err->exit_code = EXIT_CODE_FAILED;
    return -1;
}

/* With the commands around it. `out` is only set when no signal came. */
static int run_one(struct measuring *measuring, enum timing_side side, struct timed_run *out,
                   struct error *err)
{
    const struct timed_program *program = &measuring->request->programs[side];
    struct timed_run run = {0};

    if (run_command(measuring, program->prepare, "--prepare", err) < 0 ||
        run_padded(measuring, program, &run, err) < 0)
        return -1;
    if (run_guard_is_interrupted(&measuring->guard))
        return 0;
    if (check_end(measuring->request, program, &run, err) < 0)
        return -1;
    *out = run;
    return run_command(measuring, program->conclude, "--conclude", err);
}

/* --- All runs -------------------------------------------------------------------------- */

static bool is_there(const struct measuring *measuring, enum timing_side side)
{
    return measuring->request->programs[side].launch.argv;
}

static int run_pair(struct measuring *measuring, size_t pair, bool counts, struct error *err)
{
    struct timed_run runs[TIMING_SIDES] = {{0}};

    for (size_t i = 0; i < TIMING_SIDES; i++) {
        enum timing_side side = timing_side_of_run(pair * TIMING_SIDES + i);

        if (!is_there(measuring, side))
            continue;
        if (run_one(measuring, side, &runs[side], err) < 0)
            return -1;
        if (measuring->guard.signal)
            return 0;
    }
    for (size_t side = 0; counts && side < TIMING_SIDES; side++)
        if (is_there(measuring, (enum timing_side)side))
            *vec_add(&measuring->timings->runs[side]) = runs[side];
    return 0;
}

static int run_pairs(struct measuring *measuring, struct error *err)
{
    const struct timing_plan *plan = &measuring->request->plan;
    struct timings *timings = measuring->timings;
    uint64_t start_ns = 0;

    for (size_t i = 0; i < plan->warmup_runs && !measuring->guard.signal; i++)
        if (run_pair(measuring, i, false, err) < 0)
            return -1;
    start_ns = clock_now_ns();
    timings->planned_runs = plan->least_runs;
    for (size_t i = 0; i < timings->planned_runs && !measuring->guard.signal; i++) {
        if (run_pair(measuring, i, true, err) < 0)
            return -1;
        timings->pair_ns = (clock_now_ns() - start_ns) / (i + 1);
        if (i == 0)
            timings->planned_runs = timing_runs(plan, timings->pair_ns);
    }
    return 0;
}

/* Cleaning up is what a person who stops it would miss most. */
static int finish(struct measuring *measuring, int result, struct error *err)
{
    struct error ignored = {0};
    int signal = measuring->guard.signal;

    measuring->guard.signal = 0;
    if (run_command(measuring, measuring->request->plan.finish, "--cleanup", result < 0 ? &ignored : err) < 0)
        result = -1;
    if (signal)
        measuring->guard.signal = signal;
    return result;
}

int timing_run(const struct timing_request *request, struct timings *out, struct error *err)
{
    struct measuring measuring = {.request = request, .timings = out, .seed = UINT64_C(0x9e3779b97f4a7c15)};
    int result = 0;

    *out = (struct timings){0};
    if (run_guard_begin(&measuring.guard, err) < 0)
        return -1;
    result = run_command(&measuring, request->plan.setup, "--setup", err);
    if (result == 0)
        result = run_pairs(&measuring, err);
    result = finish(&measuring, result, err);
    out->signal = measuring.guard.signal;
    run_guard_end(&measuring.guard);
    return result;
}

void timings_done(struct timings *timings)
{
    for (size_t side = 0; side < TIMING_SIDES; side++)
        vec_done(&timings->runs[side]);
}

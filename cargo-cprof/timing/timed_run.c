#include "timing/timed_run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/scan.h"
#include "cargo/args.h"
#include "proc/own_signals.h"
#include "proc/spawn.h"

/* Set for the process that measures: struct instructions as text. */
#define VARIABLE "CARGO_CPROF_TIMES_RUN"

enum { GRACE_MS = 2000 };

/* What the program is to be started with. */
struct instructions {
    uint64_t output;           /* an enum launch_output */
    uint64_t blocked;          /* bit N - 1 for signal N */
    uint64_t is_child_ignored; /* SIGCHLD; all else that is ignored is inherited */
    const char *input;         /* empty: ours */
};

/* What that process writes to its standard output. Both are the same program: no form for others to read. */
struct answer {
    bool has_failed;
    struct timed_run run;
    struct error err;
};

/* --- The process that measures --------------------------------------------------------- */

bool timed_run_is_wanted(void)
{
    return getenv(VARIABLE);
}

static bool read_instructions(const char *text, struct instructions *out)
{
    struct scan scan = scan_of(slice_of(text));

    if (!scan_decimal(&scan, &out->output) || !scan_byte(&scan, ' ') || !scan_hex(&scan, &out->blocked) ||
        !scan_byte(&scan, ' ') || !scan_decimal(&scan, &out->is_child_ignored) || !scan_byte(&scan, ' '))
        return false;
    out->input = scan.rest.data;
    return true;
}

static sigset_t set_of(uint64_t bits)
{
    sigset_t set;

    sigemptyset(&set);
    for (int number = 1; number < NSIG; number++)
        if (bits >> (number - 1) & 1)
            sigaddset(&set, number);
    return set;
}

static int measure(const char *const *arguments, const struct instructions *how, struct timed_run *out,
                   struct error *err)
{
    static const char *const changes[] = {VARIABLE, NULL};
    sigset_t signals = set_of(how->blocked);
    struct launch launch = {
        .argv = arguments,
        .environment = changes,
        .output = (enum launch_output)how->output,
        .input = how->input[0] ? how->input : NULL,
        .signals = &signals,
    };
    struct target target = TARGET_NONE;

    if (target_launch(&launch, &target, err) < 0)
        return -1;
    if (target_release(&target, arguments[0], err) < 0) {
        target_done(&target);
        return -1;
    }
    target_wait(&target);
    *out = (struct timed_run){
        .wall_ns = target.end.wall_ns,
        .user_ns = target.end.user_ns,
        .system_ns = target.end.system_ns,
        .peak_bytes = target.end.peak_bytes,
        .own_bytes = target.end.own_bytes,
        .exit_code = target.end.exit_code,
        .signal = target.end.signal,
    };
    target_done(&target);
    return 0;
}

int timed_run_answer(const char *const *arguments)
{
    struct answer answer = {0};
    struct instructions how;
    const char *told = getenv(VARIABLE);
    int descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

    /* The program must not get hold of the pipe: its end tells that the answer is complete. */
    if (!told || !read_instructions(told, &how) || !arguments[0] || descriptor < 0 ||
        dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return EXIT_CODE_FAILED;
    if (how.is_child_ignored)
        signal(SIGCHLD, SIG_IGN);
    own_signals_take();
    answer.has_failed = measure(arguments, &how, &answer.run, &answer.err) < 0;
    return write(descriptor, &answer, sizeof(answer)) == sizeof(answer) ? 0 : EXIT_CODE_FAILED;
}

/* --- The process that asks ------------------------------------------------------------- */

int run_guard_begin(struct run_guard *out, struct error *err)
{
    *out = (struct run_guard){0};
    descendants_adopt(&out->descendants);
    if (interrupts_take(&out->interrupts, err) == 0)
        return 0;
    descendants_done(&out->descendants);
    return -1;
}

void run_guard_end(struct run_guard *guard)
{
    if (guard->signal)
        descendants_end(&guard->descendants);
    interrupts_done(&guard->interrupts);
    descendants_done(&guard->descendants);
}

bool run_guard_is_interrupted(struct run_guard *guard)
{
    struct interrupt interrupt;

    while (interrupts_next(&guard->interrupts, &interrupt))
        if (interrupt.signal != SIGCHLD && !guard->signal)
            guard->signal = interrupt.signal;
    return guard->signal != 0;
}

/* Whether there is something to read, within the time; -1: however long it takes. Signals end the waiting. */
static bool wait_for_answer(struct run_guard *guard, int descriptor, int timeout_ms)
{
    struct pollfd both[] = {{.fd = descriptor, .events = POLLIN},
                            {.fd = guard->interrupts.descriptor, .events = POLLIN}};
    bool was_interrupted = guard->signal != 0;

    do {
        int ready = poll(both, was_interrupted ? 1 : 2, timeout_ms);

        if (ready == 0 || (ready < 0 && errno != EINTR))
            return false;
        if (!was_interrupted && run_guard_is_interrupted(guard))
            return false;
    } while (!both[0].revents);
    return true;
}

static uint64_t bits_of(const sigset_t *set)
{
    uint64_t bits = 0;

    for (int number = 1; number < NSIG; number++)
        if (sigismember(set, number) == 1)
            bits |= UINT64_C(1) << (number - 1);
    return bits;
}

/* The environment of what is started, and what we have to say to our other process. */
static const char *const *variables_for(struct arena *arena, const struct run_guard *guard,
                                        const struct launch *what)
{
    SCOPED(cargo_words_done) struct cargo_words words = {0};

    for (const char *const *at = what->environment; at && *at; at++)
        cargo_words_add(&words, *at);
    cargo_words_add(&words, arena_format(arena, VARIABLE "=%d %" PRIx64 " %d %s", (int)what->output,
                                         bits_of(&guard->interrupts.saved), own_signals_was_child_ignored(),
                                         what->input ? what->input : ""));
    return cargo_words_keep(arena, &words);
}

static int start(const struct run_guard *guard, const struct launch *what, struct process *out,
                 struct error *err)
{
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(cargo_words_done) struct cargo_words words = {0};
    struct spawn spawn = {.directory = what->directory, .output = SPAWN_PIPE};

    cargo_words_add(&words, "/proc/self/exe");
    for (const char *const *at = what->argv; *at; at++)
        cargo_words_add(&words, *at);
    spawn.argv = cargo_words_keep(&arena, &words);
    spawn.environment = variables_for(&arena, guard, what);
    return spawn_start(&spawn, out, err);
}

/* Ends the program, and our other process with it. */
static void stop(struct run_guard *guard, struct process *process)
{
    descendants_signal(&guard->descendants, SIGTERM);
    (void)wait_for_answer(guard, process->output, GRACE_MS);
    descendants_end(&guard->descendants);
    process->pid = -1;
}

static int take_answer(struct process *process, struct timed_run *out, struct error *err)
{
    struct answer answer = {0};
    struct process_status status;
    ssize_t got = read(process->output, &answer, sizeof(answer));

    if (process_wait(process, &status, err) < 0)
        return -1;
    if (got != sizeof(answer))
        return error_set(err, ERROR_IO, "the process that measures ended early, with exit code %d",
                         status.exit_code);
    if (answer.has_failed) {
        *err = answer.err;
        return -1;
    }
    *out = answer.run;
    return 0;
}

int timed_run(struct run_guard *guard, const struct launch *what, struct timed_run *out, struct error *err)
{
    struct process process = {0};
    int result = 0;

    if (run_guard_is_interrupted(guard))
        return 0;
    if (start(guard, what, &process, err) < 0)
        return -1;
    if (wait_for_answer(guard, process.output, -1))
        result = take_answer(&process, out, err);
    else
        stop(guard, &process);
    process_close_pipes(&process);
    return result;
}

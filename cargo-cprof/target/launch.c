#include "target/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/file.h"
#include "proc/environment.h"
#include "proc/own_signals.h"
#include "proc/owner.h"
#include "proc/spawn.h"
#include "process/pid_list.h"
#include "target/execute.h"
#include "target/refusal.h"
#include "target/run_delay.h"

enum { NO_SUCH_PROGRAM = 127, CANNOT_EXECUTE = 126 };

enum { DISK_BLOCK_BYTES = 512 }; /* of getrusage(2), whatever those of a disk are */

enum failed_step { FAILED_PROGRAM, FAILED_LAYOUT, FAILED_STREAMS, FAILED_NOTHING };

/* What the child tells when it cannot become the program; before it tries to, that nothing has failed. */
struct failure {
    struct refusal refusal;
    enum failed_step step;
    uint64_t own_bytes; /* the most memory it had in use */
};

/* A program to become, with what that takes allocated. */
struct program {
    char **argv;
    char **environment;
    char **for_shell; /* as of execute() */
};

/* Two pipes: on `go` the child waits for one byte, on `why` it tells of a failure. */
struct pipes {
    int go[2];
    int why[2];
};

static void pipes_close(struct pipes *pipes)
{
    file_close_descriptor(&pipes->go[0]);
    file_close_descriptor(&pipes->go[1]);
    file_close_descriptor(&pipes->why[0]);
    file_close_descriptor(&pipes->why[1]);
}

static _Noreturn void give_up(int why, struct failure failure)
{
    ssize_t written = write(why, &failure, sizeof(failure));

    _exit(written == sizeof(failure) ? CANNOT_EXECUTE : EXIT_CODE_FAILED);
}

/* Opens `path` in place of the stream. */
static bool redirect(const char *path, int flags, int stream)
{
    int descriptor = open(path, flags | O_CLOEXEC);
    bool is_there = descriptor >= 0 && dup2(descriptor, stream) >= 0;

    /* A stream that was closed may have got its own number: dup2 then leaves it closed at exec. */
    if (is_there && descriptor == stream)
        return fcntl(stream, F_SETFD, 0) == 0;
    if (descriptor >= 0)
        close(descriptor);
    return is_there;
}

static bool set_streams(const struct launch *what)
{
    static const char nothing[] = "/dev/null";

    if (what->input && !redirect(what->input, O_RDONLY, STDIN_FILENO))
        return false;
    if (what->output == LAUNCH_OUTPUT_NONE)
        return redirect(nothing, O_WRONLY, STDOUT_FILENO) && redirect(nothing, O_WRONLY, STDERR_FILENO);
    return what->output == LAUNCH_OUTPUT_OURS || dup2(STDERR_FILENO, STDOUT_FILENO) >= 0;
}

static struct failure failure_of(int cause, enum failed_step step)
{
    return (struct failure){{cause, 0}, step, 0};
}

static uint64_t peak_bytes_of(const struct rusage *usage)
{
    return (uint64_t)usage->ru_maxrss * 1024;
}

/* The kernel counts what is in use until now among the program's peak (exec_mmap in its fs/exec.c). */
static void tell_own_memory(int why)
{
    struct failure none = {.step = FAILED_NOTHING};
    struct rusage usage = {0};

    getrusage(RUSAGE_SELF, &usage);
    none.own_bytes = peak_bytes_of(&usage);
    if (write(why, &none, sizeof(none)) != sizeof(none))
        _exit(EXIT_CODE_FAILED);
}

/* Beside what setarch(8) and the like have asked for. */
static bool fix_layout(void)
{
    const unsigned long only_asks = 0xffffffff; /* personality(2) */
    int now = personality(only_asks);

    return now >= 0 && personality((unsigned long)now | ADDR_NO_RANDOMIZE) >= 0;
}

/* The child, up to its exec. Only what is safe between fork and exec is called. */
static _Noreturn void be_the_program(const struct launch *what, const struct program *program,
                                     const struct pipes *pipes)
{
    char byte = 0;

    /* Our own end must not keep the pipe open: its closing tells that we are gone. */
    close(pipes->go[1]);
    own_signals_give_back();
    if (read(pipes->go[0], &byte, 1) != 1)
        _exit(EXIT_CODE_FAILED);
    if (what->is_privileged)
        owner_stay_raised();
    else
        owner_give_up();
    /* Where we are killed, nobody is left to end it. Another user's rights, from here on, would lose this. */
    prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
    if (what->has_fixed_layout && !fix_layout())
        give_up(pipes->why[1], failure_of(errno, FAILED_LAYOUT));
    if (!set_streams(what))
        give_up(pipes->why[1], failure_of(errno, FAILED_STREAMS));
    if (what->directory && chdir(what->directory) < 0)
        give_up(pipes->why[1], failure_of(errno, FAILED_PROGRAM));
    tell_own_memory(pipes->why[1]);
    /* A signal that came before ends it now: what is not there yet could not be watched. */
    sigprocmask(SIG_SETMASK, what->signals, NULL);
    give_up(pipes->why[1], (struct failure){execute(program->argv, program->environment, program->for_shell),
                                            FAILED_PROGRAM, 0});
}

static struct program program_of(struct arena *arena, const struct launch *what)
{
    struct program program = {.environment = environment_changed(arena, what->environment)};
    size_t count = 0;

    while (what->argv[count])
        count++;
    program.for_shell = ARENA_ARRAY(arena, count + 2, char *);
    memcpy(&program.argv, &what->argv, sizeof(program.argv)); /* execve() does not change them */
    return program;
}

/* 0 or an errno. */
static int start(const struct launch *what, const struct program *program, struct pipes *pipes,
                 struct target *target)
{
    if (pipe_clear_of_streams(pipes->go) < 0 || pipe_clear_of_streams(pipes->why) < 0)
        return errno;
    target->pid = fork();
    if (target->pid < 0)
        return errno;
    if (target->pid == 0)
        be_the_program(what, program, pipes);
    return 0;
}

int target_launch(const struct launch *what, struct target *out, struct error *err)
{
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(pipes_close) struct pipes pipes = {{-1, -1}, {-1, -1}};
    struct target target = TARGET_NONE;
    struct program program = program_of(&arena, what);
    int cause = start(what, &program, &pipes, &target);

    if (cause) {
        spawn_hint_shortage(cause, err);
        return error_set(err, ERROR_IO, "start %s: %s", what->argv[0], strerror(cause));
    }
    target.release = pipes.go[1];
    target.failure = pipes.why[0];
    target.strangers = what->strangers;
    pipes.go[1] = -1;
    pipes.why[0] = -1;
    *out = target;
    return 0;
}

static bool read_told(int descriptor, struct failure *out)
{
    ssize_t got = -1;

    do
        got = read(descriptor, out, sizeof(*out));
    while (got < 0 && errno == EINTR);
    return got == sizeof(*out);
}

/* Why exec failed; a cause of 0 once it has succeeded, which closes the other end. */
static struct failure told_failure(int descriptor, uint64_t *own_bytes)
{
    struct failure failure = {0};

    while (read_told(descriptor, &failure)) {
        if (failure.step != FAILED_NOTHING)
            return failure;
        *own_bytes = failure.own_bytes;
    }
    return (struct failure){0};
}

static int explain(struct failure failure, const char *program, struct error *err)
{
    if (failure.step == FAILED_STREAMS)
        return error_set(err, ERROR_IO, "the standard streams of %s: %s", program,
                         strerror(failure.refusal.cause));
    if (failure.step == FAILED_LAYOUT) {
        error_hint(err, "containers often forbid it: leave out --no-aslr, or run with --security-opt "
                        "seccomp=unconfined");
        return error_set(err, ERROR_DENIED, "--no-aslr: personality: %s", strerror(failure.refusal.cause));
    }
    (void)refusal_explain(failure.refusal, program, err);
    /* As of env, nohup, time and the other utilities that start programs (POSIX.1, XCU 1.4 and env(1)). */
    err->exit_code = err->kind == ERROR_MISSING ? NO_SUCH_PROGRAM : CANNOT_EXECUTE;
    return -1;
}

int target_release(struct target *target, const char *program, struct error *err)
{
    struct failure failure = {0};

    target->machine_delay_ns = run_delay_of_machine_ns();
    target->own_cpu_ns = clock_cpu_ns_of_process(target->pid);
    target->start_ns = clock_now_ns();
    if (write(target->release, "", 1) != 1)
        failure.refusal.cause = errno;
    file_close_descriptor(&target->release);
    if (!failure.refusal.cause)
        failure = told_failure(target->failure, &target->own_bytes);
    file_close_descriptor(&target->failure);
    if (!failure.refusal.cause)
        return 0;
    target_wait(target);
    return explain(failure, program, err);
}

static uint64_t time_ns(struct timeval time)
{
    return (uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_usec * 1000U;
}

/* From the first of the two as far as it goes, then from the second. */
static void take_off(uint64_t amount, uint64_t *first, uint64_t *second)
{
    uint64_t of_first = amount < *first ? amount : *first;
    uint64_t rest = amount - of_first;

    *first -= of_first;
    *second -= rest < *second ? rest : *second;
}

/* What we became the parent of before the program was started, as by an exec of a shell with jobs. */
static bool is_stranger(const struct target *target, pid_t pid)
{
    return target->strangers && pids_have(target->strangers, pid);
}

/* One child of ours has ended: the program, or one that came from it and lost its parent. */
static void note_end(struct target *target, pid_t pid, int status, const struct rusage *usage)
{
    uint64_t user_ns = time_ns(usage->ru_utime);
    uint64_t system_ns = time_ns(usage->ru_stime);

    target->end.disk_bytes += (uint64_t)usage->ru_inblock * DISK_BLOCK_BYTES;
    if (pid != target->pid) {
        target->end.cpu_ns += user_ns + system_ns;
        target->end.all_user_ns += user_ns;
        return;
    }
    take_off(target->own_cpu_ns, &system_ns, &user_ns);
    target->end.cpu_ns += user_ns + system_ns;
    target->end.all_user_ns += user_ns;
    target->pid = 0;
    target->has_ended = true;
    target->end.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    target->end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    target->end.user_ns = user_ns;
    target->end.system_ns = system_ns;
    target->end.peak_bytes = peak_bytes_of(usage);
    target->end.own_bytes = target->own_bytes;
    target->end.wall_ns = clock_now_ns() - target->start_ns;
    target->end.machine_delay_ns = run_delay_of_machine_ns() - target->machine_delay_ns;
}

/* Returns whether there was an end to take. */
static bool take_end(struct target *target, int options)
{
    struct rusage usage = {0};
    siginfo_t ended = {0};
    int status = 0;
    int result = 0;

    do
        result = waitid(P_ALL, 0, &ended, WEXITED | WNOWAIT | options);
    while (result < 0 && errno == EINTR);
    if (result < 0 || ended.si_pid == 0)
        return false;
    /* What the system tells of it is gone once it was waited for. */
    if (ended.si_pid == target->pid)
        target->end.run_delay_ns = run_delay_of_process_ns(target->pid);
    if (wait4(ended.si_pid, &status, 0, &usage) != ended.si_pid)
        return false;
    if (!is_stranger(target, ended.si_pid))
        note_end(target, ended.si_pid, status, &usage);
    return true;
}

void target_update(struct target *target)
{
    while (take_end(target, WNOHANG))
        continue;
}

/* Who sends SIGSTOP sends SIGCONT to the same process, and not to us. */
bool target_is_stopped(const struct target *target)
{
    siginfo_t stopped = {0};

    return target->pid > 0 && waitid(P_PID, (id_t)target->pid, &stopped, WSTOPPED | WNOWAIT | WNOHANG) == 0 &&
           stopped.si_pid == target->pid && stopped.si_status != SIGSTOP;
}

bool target_signal(const struct target *target, int signal)
{
    return target->pid <= 0 || kill(target->pid, signal) == 0 || errno != EPERM;
}

void target_wait(struct target *target)
{
    while (target->pid > 0 && take_end(target, 0))
        continue;
}

bool target_has_orphans(void)
{
    siginfo_t unused;

    return waitid(P_ALL, 0, &unused, WEXITED | WNOWAIT | WNOHANG) == 0;
}

void target_done(struct target *target)
{
    if (target->pid > 0 && target->release >= 0) {
        file_close_descriptor(&target->release);
        target_wait(target);
    }
    file_close_descriptor(&target->release);
    file_close_descriptor(&target->failure);
    *target = TARGET_NONE;
}

#include "target/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "proc/environment.h"

enum { CANNOT_EXECUTE = 127 };

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

/* Two pipes: on `go` the child waits for one byte, on `why` it tells the errno of a failure. */
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

/* A pipe clear of the standard streams, which the program gets as they are, closed ones too. */
static int open_pipe(int pair[2])
{
    int low[2];

    if (pipe2(low, O_CLOEXEC) < 0)
        return -1;
    pair[0] = fcntl(low[0], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    pair[1] = fcntl(low[1], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    file_close_descriptor(&low[0]);
    file_close_descriptor(&low[1]);
    return pair[0] < 0 || pair[1] < 0 ? -1 : 0;
}

static _Noreturn void give_up(int why, int cause)
{
    ssize_t written = write(why, &cause, sizeof(cause));

    _exit(written == sizeof(cause) ? CANNOT_EXECUTE : EXIT_CODE_FAILED);
}

/* The child, up to its exec. Only what is safe between fork and exec is called. */
static _Noreturn void be_the_program(const struct launch *what, char **environment, const struct pipes *pipes,
                                     const sigset_t *mask)
{
    char byte = 0;
    char **arguments = NULL;

    /* Our own end must not keep the pipe open: its closing tells that we are gone. */
    close(pipes->go[1]);
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, mask, NULL);
    if (read(pipes->go[0], &byte, 1) != 1)
        _exit(EXIT_CODE_FAILED);
    if (what->directory && chdir(what->directory) < 0)
        give_up(pipes->why[1], errno);
    memcpy(&arguments, &what->argv, sizeof(arguments)); /* execvpe() does not change them */
    execvpe(what->argv[0], arguments, environment);
    give_up(pipes->why[1], errno);
}

static sigset_t signals_we_take(void)
{
    static const int numbers[] = {SIGCHLD, SIGINT, SIGQUIT, SIGTERM, SIGHUP};
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < ARRAY_COUNT(numbers); i++)
        sigaddset(&set, numbers[i]);
    return set;
}

/* 0 or an errno. */
static int start(const struct launch *what, char **environment, struct pipes *pipes, struct target *target)
{
    sigset_t taken = signals_we_take();

    if (open_pipe(pipes->go) < 0 || open_pipe(pipes->why) < 0)
        return errno;
    sigprocmask(SIG_BLOCK, &taken, &target->saved);
    target->signals = signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK);
    if (target->signals >= 0)
        target->pid = fork();
    if (target->signals < 0 || target->pid < 0) {
        int cause = errno;

        target->pid = 0;
        file_close_descriptor(&target->signals);
        sigprocmask(SIG_SETMASK, &target->saved, NULL);
        return cause;
    }
    if (target->pid == 0)
        be_the_program(what, environment, pipes, &target->saved);
    return 0;
}

int target_launch(const struct launch *what, struct target *out, struct error *err)
{
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(pipes_close) struct pipes pipes = {{-1, -1}, {-1, -1}};
    struct target target = {.release = -1, .failure = -1, .signals = -1};
    int cause = start(what, environment_changed(&arena, what->environment), &pipes, &target);

    if (cause)
        return error_set(err, ERROR_IO, "start %s: %s", what->argv[0], strerror(cause));
    target.release = pipes.go[1];
    target.failure = pipes.why[0];
    pipes.go[1] = -1;
    pipes.why[0] = -1;
    *out = target;
    return 0;
}

/* The errno with which exec failed; 0 once it has succeeded, which closes the other end. */
static int told_failure(int failure)
{
    int cause = 0;
    ssize_t got = -1;

    do
        got = read(failure, &cause, sizeof(cause));
    while (got < 0 && errno == EINTR);
    return got == sizeof(cause) ? cause : 0;
}

int target_release(struct target *target, const char *program, struct error *err)
{
    int cause = 0;

    target->start_ns = now_ns();
    if (write(target->release, "", 1) != 1)
        cause = errno;
    file_close_descriptor(&target->release);
    if (!cause)
        cause = told_failure(target->failure);
    file_close_descriptor(&target->failure);
    if (!cause)
        return 0;
    target_wait(target);
    if (cause == ENOENT || cause == ENOTDIR)
        return error_set(err, ERROR_MISSING, "%s: no such program", program);
    return error_set(err, cause == EACCES ? ERROR_DENIED : ERROR_IO, "start %s: %s", program,
                     strerror(cause));
}

int target_descriptor(const struct target *target)
{
    return target->signals;
}

static uint64_t time_ns(struct timeval time)
{
    return (uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_usec * 1000U;
}

static void take_end(struct target *target, int options)
{
    struct rusage usage = {0};
    int status = 0;
    pid_t pid = 0;

    if (target->pid == 0)
        return;
    do
        pid = wait4(target->pid, &status, options, &usage);
    while (pid < 0 && errno == EINTR);
    if (pid == 0)
        return;
    target->pid = 0;
    target->has_ended = true;
    target->end = (struct target_end){
        .exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
        .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
        .cpu_ns = time_ns(usage.ru_utime) + time_ns(usage.ru_stime),
        .wall_ns = now_ns() - target->start_ns,
    };
}

bool target_update(struct target *target)
{
    struct signalfd_siginfo info;
    bool goes_on = true;

    while (read(target->signals, &info, sizeof(info)) == sizeof(info)) {
        if (info.ssi_signo == SIGCHLD)
            continue;
        if (target->has_ended)
            goes_on = false;
        if (info.ssi_signo == SIGINT && ++target->interrupt_count > 1)
            goes_on = false;
        if (target->pid > 0 && (info.ssi_signo == SIGTERM || info.ssi_signo == SIGHUP))
            kill(target->pid, (int)info.ssi_signo);
    }
    take_end(target, WNOHANG);
    return goes_on;
}

void target_wait(struct target *target)
{
    take_end(target, 0);
}

void target_kill(struct target *target)
{
    if (target->pid > 0)
        kill(target->pid, SIGKILL);
    target_wait(target);
}

void target_done(struct target *target)
{
    if (target->signals <= 0)
        return;
    if (target->pid > 0 && target->release >= 0) {
        file_close_descriptor(&target->release);
        target_wait(target);
    }
    file_close_descriptor(&target->release);
    file_close_descriptor(&target->failure);
    file_close_descriptor(&target->signals);
    sigprocmask(SIG_SETMASK, &target->saved, NULL);
    *target = (struct target){.release = -1, .failure = -1, .signals = -1};
}

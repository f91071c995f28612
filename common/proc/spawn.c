#include "proc/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/slice.h"
#include "proc/environment.h"
#include "proc/signal_name.h"

static size_t count_strings(const char *const *strings)
{
    size_t count = 0;

    while (strings && strings[count])
        count++;
    return count;
}

static char **copy_strings(struct arena *arena, const char *const *strings)
{
    size_t count = count_strings(strings);
    char **copy = ARENA_ARRAY(arena, count + 1, char *);

    for (size_t i = 0; i < count; i++)
        copy[i] = arena_copy(arena, slice_of(strings[i]));
    return copy;
}

static void close_pair(int pair[2])
{
    file_close_descriptor(&pair[0]);
    file_close_descriptor(&pair[1]);
}

int pipe_clear_of_streams(int pair[2])
{
    int low[2];

    pair[0] = pair[1] = -1;
    if (pipe2(low, O_CLOEXEC) < 0)
        return -1;
    pair[0] = fcntl(low[0], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    pair[1] = fcntl(low[1], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close_pair(low);
    return pair[0] < 0 || pair[1] < 0 ? -1 : 0;
}

/* The pipes of one child, by the number of the stream in it: [0] reads, [1] writes. */
struct pipes {
    int pair[3][2];
};

static void pipes_close(struct pipes *pipes)
{
    for (size_t i = 0; i < ARRAY_COUNT(pipes->pair); i++)
        close_pair(pipes->pair[i]);
}

/* 0 or an errno. */
static int add_stream(posix_spawn_file_actions_t *actions, enum spawn_stream kind, int stream, int pair[2])
{
    bool is_input = stream == STDIN_FILENO;

    if (kind == SPAWN_INHERIT)
        return 0;
    if (kind == SPAWN_NULL)
        return posix_spawn_file_actions_addopen(actions, stream, "/dev/null", is_input ? O_RDONLY : O_WRONLY,
                                                0);
    if (pipe_clear_of_streams(pair) < 0)
        return errno;
    return posix_spawn_file_actions_adddup2(actions, pair[is_input ? 0 : 1], stream);
}

/* 0 or an errno. */
static int add_actions(posix_spawn_file_actions_t *actions, const struct spawn *what, struct pipes *pipes)
{
    const enum spawn_stream kinds[] = {what->input, what->output, what->error};
    int cause = 0;

    for (int stream = 0; stream < 3 && !cause; stream++)
        cause = add_stream(actions, kinds[stream], stream, pipes->pair[stream]);
    if (!cause && what->directory)
        cause = posix_spawn_file_actions_addchdir_np(actions, what->directory);
    return cause;
}

void spawn_hint_shortage(int cause, struct error *err)
{
    if (cause == EMFILE)
        error_hint(err, "a process may not have more files open: allow more with `ulimit -n`");
    else if (cause == ENFILE)
        error_hint(err, "the machine may not have more files open: sysctl fs.file-max");
    else if (cause == EAGAIN)
        error_hint(err, "you may not have more processes and threads: allow more with `ulimit -u`, or, in a "
                        "container or service, with its limit of tasks (pids.max)");
    else if (cause == ENOMEM)
        error_hint(err, "there is not enough memory: `free -h`, or the limit of `ulimit -v`");
}

static int explain(const struct spawn *what, int cause, struct error *err)
{
    struct stat folder;

    if (what->directory && stat(what->directory, &folder) < 0)
        return error_set(err, ERROR_IO, "enter %s: %s", what->directory, strerror(errno));
    if (what->directory && !S_ISDIR(folder.st_mode))
        return error_set(err, ERROR_IO, "enter %s: %s", what->directory, strerror(ENOTDIR));
    if (cause == ENOENT || cause == ENOTDIR)
        return error_set(err, ERROR_MISSING, "%s: no such program", what->argv[0]);
    spawn_hint_shortage(cause, err);
    return error_set(err, cause == EACCES ? ERROR_DENIED : ERROR_IO, "start %s: %s", what->argv[0],
                     strerror(cause));
}

/* Takes an end out of the pipes, so that closing them leaves it open. */
static int keep_end(int *end)
{
    int descriptor = *end;

    *end = -1;
    return descriptor;
}

/* 0 or an errno. */
static int add_attributes(posix_spawnattr_t *attributes, const struct spawn *what)
{
    int cause = what->blocked ? posix_spawnattr_setsigmask(attributes, what->blocked) : 0;

    return cause || !what->blocked ? cause : posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK);
}

int spawn_start(const struct spawn *what, struct process *out, struct error *err)
{
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(pipes_close) struct pipes pipes = {{{-1, -1}, {-1, -1}, {-1, -1}}};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    pid_t pid = -1;
    int cause = 0;

    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    cause = add_actions(&actions, what, &pipes);
    if (!cause)
        cause = add_attributes(&attributes, what);
    if (!cause)
        cause = posix_spawnp(&pid, what->argv[0], &actions, &attributes, copy_strings(&arena, what->argv),
                             environment_changed(&arena, what->environment));
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (cause)
        return explain(what, cause, err);
    *out = (struct process){
        .pid = pid,
        .input = keep_end(&pipes.pair[STDIN_FILENO][1]),
        .output = keep_end(&pipes.pair[STDOUT_FILENO][0]),
        .error = keep_end(&pipes.pair[STDERR_FILENO][0]),
    };
    return 0;
}

void process_close_pipes(struct process *process)
{
    file_close_descriptor(&process->input);
    file_close_descriptor(&process->output);
    file_close_descriptor(&process->error);
}

struct process_status process_status_of_signal(int number)
{
    return (struct process_status){.exit_code = 128 + number, .signal = number};
}

int process_wait(struct process *process, struct process_status *out, struct error *err)
{
    int status = 0;

    while (waitpid(process->pid, &status, 0) < 0)
        if (errno != EINTR)
            return error_set(err, ERROR_IO, "wait for process %d: %s", (int)process->pid, strerror(errno));
    process->pid = -1;
    if (WIFSIGNALED(status))
        *out = process_status_of_signal(WTERMSIG(status));
    else
        *out = (struct process_status){.exit_code = WEXITSTATUS(status)};
    return 0;
}

/* Whether it has ended within the time; it is not waited for. */
static bool ends_within(pid_t pid, int timeout_ms)
{
    SCOPED(file_close_descriptor) int descriptor = (int)syscall(SYS_pidfd_open, pid, 0);
    struct pollfd end = {.fd = descriptor, .events = POLLIN};
    int ready = 0;

    if (descriptor < 0)
        return false;
    do
        ready = poll(&end, 1, timeout_ms);
    while (ready < 0 && errno == EINTR);
    return ready > 0;
}

void process_end(struct process *process)
{
    enum { GRACE_MS = 2000 };
    struct process_status ended;
    struct error ignored = {0};

    kill(process->pid, SIGTERM);
    if (!ends_within(process->pid, GRACE_MS))
        kill(process->pid, SIGKILL);
    if (process_wait(process, &ended, &ignored) < 0)
        process->pid = -1;
}

int process_check(const char *program, struct process_status status, struct error *err)
{
    SCOPED(text_done) struct text signal = {0};

    signal_name_add(&signal, status.signal);
    if (status.signal)
        error_record(err, ERROR_CHILD, "%s was ended by %s", program, text_string(&signal));
    else if (status.exit_code)
        error_record(err, ERROR_CHILD, "%s failed with exit code %d", program, status.exit_code);
    else
        return 0;
    err->exit_code = status.exit_code;
    return -1;
}

#include "record/around_run.h"

#include <poll.h>
#include <sys/wait.h>

#include "proc/owner.h"
#include "proc/spawn.h"

/* What came meanwhile: its own end, what means something to programs, or what ends us. */
static void take_signals(struct session *session)
{
    struct interrupt interrupt;

    while (interrupts_next(&session->interrupts, &interrupt)) {
        if (interrupt.signal == SIGCHLD || interrupt.signal == SIGUSR1 || interrupt.signal == SIGUSR2)
            continue;
        if (++session->interrupt_count == 1)
            session->interrupt = interrupt.signal;
    }
}

static bool has_ended(pid_t pid)
{
    siginfo_t end = {0};

    return waitid(P_PID, (id_t)pid, &end, WEXITED | WNOWAIT | WNOHANG) < 0 || end.si_pid == pid;
}

static void wait_for_end(struct session *session, pid_t pid)
{
    enum { LOOK_AGAIN_MS = 100 };
    struct pollfd signals = {.fd = session->interrupts.descriptor, .events = POLLIN};

    while (session->interrupt_count == 0 && !has_ended(pid)) {
        poll(&signals, 1, LOOK_AGAIN_MS);
        take_signals(session);
    }
}

static int run(struct session *session, const char *const *command, struct error *err)
{
    struct spawn spawn = {.argv = command,
                          .input = SPAWN_NULL,
                          .output = SPAWN_NULL,
                          .error = SPAWN_NULL,
                          .blocked = &session->interrupts.saved};
    struct process process;
    struct process_status status;
    bool is_raised = owner_is_raised();
    int started = 0;

    /* What is run around the program is the caller's, as the program is. */
    owner_lower(is_raised);
    started = spawn_start(&spawn, &process, err);
    if (is_raised)
        (void)owner_raise();
    if (started < 0)
        return -1;
    wait_for_end(session, process.pid);
    if (session->interrupt_count > 0) {
        process_end(&process);
        return 0;
    }
    if (process_wait(&process, &status, err) < 0)
        return -1;
    if (process_check(command[0], status, err) == 0)
        return 0;
    /* Another code than 1 would be taken for something that we tell. */
    err->exit_code = EXIT_CODE_FAILED;
    return -1;
}

int around_run(struct session *session, const char *const *command, const char *what, struct error *err)
{
    if (!command || session->interrupt_count > 0)
        return 0;
    if (run(session, command, err) < 0)
        return error_wrap(err, "%s", what);
    descendants_done(&session->descendants);
    descendants_adopt(&session->descendants);
    return 0;
}

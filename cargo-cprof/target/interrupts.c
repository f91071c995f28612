#include "target/interrupts.h"

#include <errno.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/ending_signals.h"
#include "base/file.h"
#include "proc/spawn.h"

static sigset_t signals_we_take(void)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGUSR2);
    ending_signals_add(&set);
    return set;
}

static sigset_t signals_ignored(void)
{
    sigset_t taken = signals_we_take();
    sigset_t ignored;
    struct sigaction action;

    sigemptyset(&ignored);
    for (int number = 1; number < NSIG; number++)
        if (sigismember(&taken, number) == 1 && sigaction(number, NULL, &action) == 0 &&
            action.sa_handler == SIG_IGN)
            sigaddset(&ignored, number);
    return ignored;
}

int interrupts_take(struct interrupts *out, struct error *err)
{
    struct interrupts interrupts;
    sigset_t taken = signals_we_take();

    interrupts.ignored = signals_ignored();
    sigprocmask(SIG_BLOCK, &taken, &interrupts.saved);
    interrupts.descriptor = signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK);
    if (interrupts.descriptor < 0) {
        int cause = errno;

        sigprocmask(SIG_SETMASK, &interrupts.saved, NULL);
        spawn_hint_shortage(cause, err);
        return error_set(err, ERROR_IO, "signalfd: %s", strerror(cause));
    }
    *out = interrupts;
    return 0;
}

bool interrupts_next(const struct interrupts *interrupts, struct interrupt *out)
{
    struct signalfd_siginfo info;

    while (read(interrupts->descriptor, &info, sizeof(info)) == sizeof(info)) {
        bool is_sent = info.ssi_code <= 0; /* by a process: sigaction(2), "The siginfo_t argument" */
        bool is_ignored = sigismember(&interrupts->ignored, (int)info.ssi_signo) == 1;

        if (is_ignored && (info.ssi_signo != SIGINT || !is_sent))
            continue;
        *out = (struct interrupt){is_ignored ? SIGTERM : (int)info.ssi_signo, !is_sent};
        return true;
    }
    return false;
}

void interrupts_done(struct interrupts *interrupts)
{
    struct interrupt interrupt;

    if (interrupts->descriptor < 0)
        return;
    while (interrupts_next(interrupts, &interrupt))
        continue;
    file_close_descriptor(&interrupts->descriptor);
    sigprocmask(SIG_SETMASK, &interrupts->saved, NULL);
}

static void go_on(int signal_number)
{
    (void)signal_number;
}

void interrupts_spare_one(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    const struct sigaction spare = {.sa_handler = go_on, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    struct sigaction before;

    for (size_t i = 0; i < ARRAY_COUNT(signals); i++)
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(signals[i], &spare, NULL);
}

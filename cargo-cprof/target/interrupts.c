#include "target/interrupts.h"

#include <errno.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/file.h"

static sigset_t signals_we_take(void)
{
    static const int numbers[] = {SIGCHLD, SIGINT, SIGQUIT, SIGTERM, SIGHUP};
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < ARRAY_COUNT(numbers); i++)
        sigaddset(&set, numbers[i]);
    return set;
}

int interrupts_take(struct interrupts *out, struct error *err)
{
    struct interrupts interrupts;
    sigset_t taken = signals_we_take();

    sigprocmask(SIG_BLOCK, &taken, &interrupts.saved);
    interrupts.descriptor = signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK);
    if (interrupts.descriptor < 0) {
        int cause = errno;

        sigprocmask(SIG_SETMASK, &interrupts.saved, NULL);
        return error_set(err, ERROR_IO, "signalfd: %s", strerror(cause));
    }
    *out = interrupts;
    return 0;
}

bool interrupts_next(const struct interrupts *interrupts, int *signal)
{
    struct signalfd_siginfo info;

    if (read(interrupts->descriptor, &info, sizeof(info)) != sizeof(info))
        return false;
    *signal = (int)info.ssi_signo;
    return true;
}

void interrupts_done(struct interrupts *interrupts)
{
    int signal = 0;

    if (interrupts->descriptor < 0)
        return;
    while (interrupts_next(interrupts, &signal))
        continue;
    file_close_descriptor(&interrupts->descriptor);
    sigprocmask(SIG_SETMASK, &interrupts->saved, NULL);
}

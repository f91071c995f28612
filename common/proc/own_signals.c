#include "proc/own_signals.h"

#include <signal.h>
#include <stddef.h>

#include "base/compiler.h"

static void go_on(int signal_number)
{
    (void)signal_number;
}

static bool is_ignored(int signal_number)
{
    struct sigaction now;

    return sigaction(signal_number, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

void own_signals_take(void)
{
    static const int of_writes[] = {SIGPIPE, SIGXFSZ};
    const struct sigaction nothing = {.sa_handler = go_on, .sa_flags = SA_RESTART};

    for (size_t i = 0; i < ARRAY_COUNT(of_writes); i++)
        if (!is_ignored(of_writes[i]))
            sigaction(of_writes[i], &nothing, NULL);
    if (is_ignored(SIGCHLD))
        sigaction(SIGCHLD, &nothing, NULL);
}

bool own_signals_was_child_ignored(void)
{
    struct sigaction now;

    return sigaction(SIGCHLD, NULL, &now) == 0 && now.sa_handler == go_on;
}

void own_signals_give_back(void)
{
    if (own_signals_was_child_ignored())
        signal(SIGCHLD, SIG_IGN);
}

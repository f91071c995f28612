#include "proc/ending.h"

#include <poll.h>
#include <stdbool.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/ending_signals.h"
#include "base/file.h"
#include "proc/process_list.h"

/* Those of them that are neither blocked nor ignored. */
static sigset_t those_let_through(const sigset_t *blocked)
{
    sigset_t all;

    sigemptyset(&all);
    ending_signals_add(&all);
    for (int number = 1; number < NSIG; number++) {
        struct sigaction now;
        bool is_spared = sigismember(blocked, number) == 1 || sigaction(number, NULL, &now) < 0 ||
                         now.sa_handler == SIG_IGN;

        if (sigismember(&all, number) == 1 && is_spared)
            sigdelset(&all, number);
    }
    return all;
}

void ending_hold(struct ending *out)
{
    sigset_t held;

    *out = (struct ending){.signals = -1};
    pthread_sigmask(SIG_SETMASK, NULL, &out->blocked);
    held = those_let_through(&out->blocked);
    out->signals = signalfd(-1, &held, SFD_CLOEXEC);
    if (out->signals >= 0)
        pthread_sigmask(SIG_BLOCK, &held, NULL);
}

int ending_wait(struct ending *ending, int descriptor)
{
    enum { DATA, SIGNAL, COUNT };
    struct pollfd polls[COUNT] = {{.fd = descriptor, .events = POLLIN},
                                  {.fd = ending->signals, .events = POLLIN}};
    struct signalfd_siginfo info;

    while (poll(polls, COUNT, -1) < 0)
        continue;
    if (polls[SIGNAL].revents & POLLIN && read(ending->signals, &info, sizeof(info)) == sizeof(info))
        ending->came = (int)info.ssi_signo;
    return ending->came;
}

void ending_hand_on(const struct ending *ending, const struct process *process)
{
    SCOPED(process_list_done) struct process_list list = {0};
    struct process_line *top = NULL;

    /* Stopped, it starts nothing that is not in the list. */
    kill(process->pid, SIGSTOP);
    process_list_read(&list);
    top = list.ourselves == getpid() ? process_list_find(&list, process->pid) : NULL;
    if (top) {
        top->is_marked = true;
        process_list_mark_children(&list);
    }
    for (size_t i = 0; i < list.count; i++)
        if (list.items[i].is_marked && &list.items[i] != top && list.items[i].group == getpgrp())
            kill(list.items[i].pid, ending->came);
    kill(process->pid, ending->came);
    kill(process->pid, SIGCONT);
}

void ending_release(struct ending *ending)
{
    file_close_descriptor(&ending->signals);
    pthread_sigmask(SIG_SETMASK, &ending->blocked, NULL);
    if (ending->came)
        raise(ending->came);
}

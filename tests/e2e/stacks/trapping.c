/*
 * trapping: a signal's handler does all the work, of an instruction that traps in a function with a frame
 * that has called none. Stacks by frame pointers are main, calls, what the handler returns to, handle and
 * work.
 */
#include <signal.h>
#include <ucontext.h>

#include "cpu_time.h"

static volatile unsigned sum; /* what is written here keeps the functions apart */

__attribute__((noinline)) static void work(void)
{
    double end = now() + 1;

    while (now() < end)
        for (unsigned i = 0; i < 100000; i++)
            sum += i;
}

static void handle(int number, siginfo_t *information, void *context)
{
    (void)number;
    (void)information;
    work();
    sum++;
    ((ucontext_t *)context)->uc_mcontext.pc += 4;
}

__attribute__((noinline)) static void traps(void)
{
    __asm__ volatile("brk #1");
    sum++;
}

__attribute__((noinline)) static void calls(void)
{
    traps();
    sum++;
}

int main(void)
{
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};

    sigaction(SIGTRAP, &action, NULL);
    calls();
    return 0;
}

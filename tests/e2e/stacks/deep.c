/*
 * deep [closed] DEPTH SECONDS: calls itself so many times, works for a second of CPU time at the bottom, or
 * for so many seconds if that is less, and begins anew until it has used so many. What is sampled just before
 * it leaves the bottom is gone when a recorder that waits for a CPU of a busy machine looks: that is to be a
 * small part of all. closed: no other process of the same user may read its memory.
 */
#include <stdlib.h>
#include <sys/prctl.h>

#include "cpu_time.h"

static volatile unsigned sum;
static double work_seconds = 1;

__attribute__((noinline)) static void work(void)
{
    double end = now() + work_seconds;

    while (now() < end)
        for (unsigned i = 0; i < 10000; i++)
            sum += i;
}

/* 112 bytes of stack a call. */
__attribute__((noinline)) static unsigned deep(unsigned depth)
{
    char room[80];
    unsigned result = 1;

    __asm__ volatile("" ::"r"(room) : "memory");
    if (depth == 0)
        work();
    else
        result += deep(depth - 1);
    __asm__ volatile("" ::"r"(room) : "memory");
    return result;
}

int main(int argc, char **argv)
{
    double seconds = strtod(argv[argc - 1], NULL);
    double end = now() + seconds;

    if (argc > 3 && prctl(PR_SET_DUMPABLE, 0) < 0)
        return 1;
    work_seconds = seconds < 1 ? seconds : 1;
    while (now() < end)
        sum += deep((unsigned)strtoul(argv[argc - 2], NULL, 10));
    return 0;
}

/*
 * replaced COUNT: works for 5 ms of CPU time below more stack than is copied of one, then executes itself
 * anew from there, so many times.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cpu_time.h"

static volatile unsigned sum;

__attribute__((noinline)) static void work(const char *program, long count)
{
    double end = now() + 0.005;
    char text[32];

    while (now() < end)
        for (unsigned i = 0; i < 10000; i++)
            sum += i;
    snprintf(text, sizeof(text), "%ld", count - 1);
    if (count > 1)
        execl(program, program, text, (char *)NULL);
}

__attribute__((noinline)) static void deep(const char *program, long count)
{
    char room[200000];

    memset(room, 1, sizeof(room));
    __asm__ volatile("" ::"r"(room) : "memory");
    work(program, count);
    __asm__ volatile("" ::"r"(room) : "memory");
}

int main(int argc, char **argv)
{
    if (argc > 1)
        deep(argv[0], strtol(argv[1], NULL, 10));
    return 0;
}

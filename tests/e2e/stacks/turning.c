/*
 * turning SECONDS: calls itself 1,200 deep and works at the bottom, 100 KB down, for half a second of CPU
 * time; then red and blue in turn, thousands of times a second, call the same functions, and red_end or
 * blue_end works at the bottom, 45 KB down. No byte of the common frames tells which.
 */
#include <stdlib.h>

#include "cpu_time.h"

enum { DEEPER = 1200, DEEP = 550 };

typedef void end_fn(void);

static volatile unsigned sum; /* what is written here keeps the functions apart */
static end_fn *volatile end_of_all;
static double until;

__attribute__((noinline)) static void still_end(void)
{
    while (now() < until)
        for (unsigned i = 0; i < 10000; i++)
            sum += i;
}

__attribute__((noinline)) static void red_end(void)
{
    for (unsigned i = 0; i < 50000; i++)
        sum += i;
}

__attribute__((noinline)) static void blue_end(void)
{
    for (unsigned i = 0; i < 50000; i++)
        sum += i;
}

/* 80 bytes of stack a call. */
__attribute__((noinline)) static unsigned common(unsigned depth)
{
    char room[64];
    unsigned result = 1;

    __asm__ volatile("" ::"r"(room) : "memory");
    if (depth == 0)
        end_of_all();
    else
        result += common(depth - 1);
    __asm__ volatile("" ::"r"(room) : "memory");
    return result;
}

__attribute__((noinline)) static void red(void)
{
    end_of_all = red_end;
    sum += common(DEEP);
}

__attribute__((noinline)) static void blue(void)
{
    end_of_all = blue_end;
    sum += common(DEEP);
}

int main(int argc, char **argv)
{
    double end = now() + strtod(argv[argc - 1], NULL);

    until = now() + 0.5;
    end_of_all = still_end;
    sum += common(DEEPER);
    while (now() < end) {
        red();
        blue();
    }
    return 0;
}

/*
 * counting SECONDS: calls in the middle of a deep stack keep 56 KiB of variables, some of which what they
 * call counts up all the time.
 */
#include <stdlib.h>
#include <string.h>

#include "cpu_time.h"

enum { OUTER_CALLS = 300, INNER_CALLS = 100, COUNTERS = 16, VARIABLES = (56 << 10) / sizeof(unsigned) };

static volatile unsigned sum; /* what is written here keeps the functions apart */

__attribute__((noinline)) static void work(unsigned *variables)
{
    for (unsigned i = 0; i < 10000; i++)
        variables[i % COUNTERS * (VARIABLES / COUNTERS)] += i;
}

__attribute__((noinline)) static void inner(unsigned depth, unsigned *variables)
{
    volatile char room[64] = {0};

    if (depth == 0)
        work(variables);
    else
        inner(depth - 1, variables);
    sum += room[0];
}

__attribute__((noinline)) static void keep(double end)
{
    unsigned variables[VARIABLES];

    memset(variables, 0, sizeof(variables));
    while (now() < end)
        inner(INNER_CALLS, variables);
    sum += variables[sum % VARIABLES];
}

__attribute__((noinline)) static void outer(unsigned depth, double end)
{
    if (depth == 0)
        keep(end);
    else
        outer(depth - 1, end);
    sum++;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    outer(OUTER_CALLS, now() + strtod(argv[1], NULL));
    return 0;
}

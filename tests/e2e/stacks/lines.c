/* A program with two loops in one function, of which the first goes three times as often round as the other,
 * and a third in one that calls memcpy. It says for how many seconds of CPU time it was in each of the two.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

__attribute__((noinline)) static void loops(volatile unsigned *sum, unsigned count, double times[3])
{
    times[0] = now();
    for (unsigned i = 0; i < 3 * count; i++)
        *sum += i; /* three quarters */
    times[1] = now();
    for (unsigned i = 0; i < count; i++)
        *sum += i; /* a quarter */
    times[2] = now();
}

__attribute__((noinline)) static void copies(char *to, const char *from, size_t size, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        memcpy(to + i % 64, from, size); /* the copy */
}

int main(int count, char **arguments)
{
    volatile unsigned sum = 0;
    double times[3];
    char *block = malloc(1 << 20);

    loops(&sum, count > 1 ? (unsigned)atoi(arguments[1]) : 1000, times);
    printf("%f %f\n", times[1] - times[0], times[2] - times[1]);
    memset(block, 0, 1 << 20);
    copies(block, block + (1 << 19), 100000, count > 2 ? (unsigned)atoi(arguments[2]) : 1);
    return block[0];
}

/* A function that is inlined into one that does as much besides, and one of like name that is not inlined. */
#include <stdlib.h>

__attribute__((always_inline)) static inline void part(volatile unsigned *sum, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        *sum += i;
}

__attribute__((noinline)) static void host(volatile unsigned *sum, unsigned count)
{
    part(sum, count);
    for (unsigned i = 0; i < count; i++)
        *sum ^= i;
}

__attribute__((noinline)) static void part_alone(volatile unsigned *sum, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        *sum -= i;
}

int main(int count, char **arguments)
{
    unsigned rounds = count > 1 ? (unsigned)atoi(arguments[1]) : 1000;
    volatile unsigned sum = 0;

    host(&sum, rounds);
    part_alone(&sum, rounds / 2);
    return 0;
}

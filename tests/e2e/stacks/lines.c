/* A program with two loops in one function, of which the first goes three times as often round as the other,
 * and a third in one that calls memcpy. */
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) static void loops(volatile unsigned *sum, unsigned count)
{
    for (unsigned i = 0; i < 3 * count; i++)
        *sum += i; /* three quarters */
    for (unsigned i = 0; i < count; i++)
        *sum += i; /* a quarter */
}

__attribute__((noinline)) static void copies(char *to, const char *from, size_t size, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        memcpy(to + i % 64, from, size); /* the copy */
}

int main(int count, char **arguments)
{
    volatile unsigned sum = 0;
    char *block = malloc(1 << 20);

    loops(&sum, count > 1 ? (unsigned)atoi(arguments[1]) : 1000);
    memset(block, 0, 1 << 20);
    copies(block, block + (1 << 19), 100000, count > 2 ? (unsigned)atoi(arguments[2]) : 1);
    return block[0];
}

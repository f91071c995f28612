/* Reads a line, works for a second of CPU time in a function of the name PLACE, says so and reads another. */
#include <stdio.h>
#include <time.h>

static volatile unsigned sum;

__attribute__((noinline)) void PLACE(void)
{
    while (clock() < CLOCKS_PER_SEC)
        for (unsigned i = 0; i < 100000; i++)
            sum += i;
}

__attribute__((noinline)) static void call(void)
{
    PLACE();
    sum++;
}

int main(void)
{
    char line[8];

    if (!fgets(line, sizeof(line), stdin))
        return 1;
    call();
    puts("done");
    fflush(stdout);
    return fgets(line, sizeof(line), stdin) ? 0 : 1;
}

/*
 * changing shown|hidden SECONDS: red and blue in turn, thousands of times a second, call the same functions
 * 1,500 deep, and at the bottom red_end or blue_end works. "shown": which of them is kept in each frame;
 * "hidden": no byte of the common frames tells.
 */
#include <stdlib.h>
#include <string.h>

#include "cpu_time.h"

enum { DEPTH = 1500 };

typedef void end_fn(void);

static volatile unsigned sum; /* what is written here keeps the functions apart */
static end_fn *volatile end_of_all;

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

__attribute__((noinline)) static unsigned common(unsigned depth, end_fn *end)
{
    end_fn *volatile room[10] = {end, 0};
    unsigned result = 1;

    if (depth == 0)
        end_of_all();
    else
        result += common(depth - 1, end);
    return result + (room[0] != end);
}

__attribute__((noinline)) static void red(int shows)
{
    end_of_all = red_end;
    sum += common(DEPTH, shows ? red_end : 0);
}

__attribute__((noinline)) static void blue(int shows)
{
    end_of_all = blue_end;
    sum += common(DEPTH, shows ? blue_end : 0);
}

int main(int argc, char **argv)
{
    double end = now() + strtod(argv[argc - 1], NULL);
    int shows = strcmp(argv[1], "shown") == 0;

    while (now() < end) {
        red(shows);
        blue(shows);
    }
    return 0;
}

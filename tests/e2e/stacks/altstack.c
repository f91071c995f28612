/*
 * altstack WHERE WHO SECONDS: is interrupted by signals all the time, whose handlers work for a while on a
 * stack of their own. WHERE is that: "near" in a variable of main's, "far" in memory of its own. WHO is
 * interrupted: "red" for a fifth of a second each time, or "both", red and blue in turn, for less than a
 * millisecond.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "cpu_time.h"

enum { STACK_BYTES = 16 << 10 };

static volatile unsigned sum; /* what is written here keeps the functions apart */
static double each = 0.0005;

__attribute__((noinline)) static void in_handler(void)
{
    double end = now() + each;

    while (now() < end)
        for (unsigned i = 0; i < 1000; i++)
            sum += i;
}

static void handle_red(int number)
{
    (void)number;
    in_handler();
    sum++;
}

static void handle_blue(int number)
{
    (void)number;
    in_handler();
    sum--;
}

__attribute__((noinline)) static void red(void)
{
    raise(SIGUSR1);
    sum++;
}

__attribute__((noinline)) static void blue(void)
{
    raise(SIGUSR2);
    sum--;
}

int main(int argc, char **argv)
{
    char near[STACK_BYTES];
    void *far = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stack_t stack = {.ss_size = STACK_BYTES};
    struct sigaction of_red = {.sa_handler = handle_red, .sa_flags = SA_ONSTACK};
    struct sigaction of_blue = {.sa_handler = handle_blue, .sa_flags = SA_ONSTACK};
    double end = now() + strtod(argv[argc - 1], NULL);
    int is_red = argc > 2 && strcmp(argv[2], "red") == 0;

    if (argc < 4 || far == MAP_FAILED)
        return 1;
    stack.ss_sp = strcmp(argv[1], "near") == 0 ? (void *)near : far;
    each = is_red ? 0.2 : each;
    if (sigaltstack(&stack, NULL) < 0 || sigaction(SIGUSR1, &of_red, NULL) < 0 ||
        sigaction(SIGUSR2, &of_blue, NULL) < 0)
        return 1;
    while (now() < end) {
        red();
        if (!is_red)
            blue();
    }
    return 0;
}

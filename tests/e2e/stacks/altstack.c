/*
 * altstack KIND SECONDS: is interrupted by signals all the time, whose handler works on a stack of its own.
 * KIND says where that is: "near" in a variable of main's, "far" in memory of its own.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { STACK_BYTES = 16 << 10 };

static volatile unsigned sum;

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

__attribute__((noinline)) static void in_handler(void)
{
    double end = now() + 0.2;

    while (now() < end)
        for (unsigned i = 0; i < 10000; i++)
            sum += i;
}

static void handle(int number)
{
    (void)number;
    in_handler();
    sum++;
}

__attribute__((noinline)) static void interrupted(void)
{
    raise(SIGUSR1);
    sum++;
}

__attribute__((noinline)) static void work(double end)
{
    while (now() < end)
        interrupted();
    sum++;
}

int main(int argc, char **argv)
{
    char near[STACK_BYTES];
    void *far = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stack_t stack = {.ss_size = STACK_BYTES};
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};

    if (argc < 3 || far == MAP_FAILED)
        return 1;
    stack.ss_sp = strcmp(argv[1], "near") == 0 ? (void *)near : far;
    if (sigaltstack(&stack, NULL) < 0 || sigaction(SIGUSR1, &action, NULL) < 0)
        return 1;
    work(now() + strtod(argv[2], NULL));
    return 0;
}

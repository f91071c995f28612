/*
 * led_over KIND SECONDS: works on stacks of its own, to which code with unwind information leads. KIND says
 * how: "still" goes over to one and from there to another, and works there all the time; with "turning" red
 * and blue in turn, thousands of times a second, have the same function go over, and red_end or blue_end
 * works there; with "staying" each works for 0.4 s of CPU time before the other does. No byte of that stack
 * tells which.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "cpu_time.h"

enum { STACK_BYTES = 1 << 18 };

typedef void end_fn(void);

void call_on(char *stack_end, end_fn *called);

__asm__(".text\n"
        ".globl call_on\n.type call_on, @function\n"
        "call_on:\n"
        ".cfi_startproc\n"
        "push %rbp\n"
        ".cfi_def_cfa_offset 16\n"
        ".cfi_offset %rbp, -16\n"
        "mov %rsp, %rbp\n"
        ".cfi_def_cfa_register %rbp\n"
        "mov %rdi, %rsp\n"
        "call *%rsi\n"
        "mov %rbp, %rsp\n"
        "pop %rbp\n"
        ".cfi_def_cfa %rsp, 8\n"
        "ret\n"
        ".cfi_endproc\n"
        ".size call_on, .-call_on\n");

static volatile unsigned sum; /* what is written here keeps the functions apart */
static end_fn *volatile end_of_all;
static double until;
static char *stacks[2];
static double stay; /* seconds of each turn; 0: one of 50,000 rounds */

__attribute__((noinline)) static void second(void)
{
    while (now() < until)
        for (unsigned i = 0; i < 10000; i++)
            sum += i;
    sum++;
}

__attribute__((noinline)) static void first(void)
{
    call_on(stacks[1] + STACK_BYTES, second);
    sum++;
}

__attribute__((noinline)) static void still(void)
{
    call_on(stacks[0] + STACK_BYTES, first);
    sum++;
}

__attribute__((noinline)) static void red_end(void)
{
    double end = stay > 0 ? now() + stay : 0;

    do {
        for (unsigned i = 0; i < 50000; i++)
            sum += i;
    } while (stay > 0 && now() < end);
}

__attribute__((noinline)) static void blue_end(void)
{
    double end = stay > 0 ? now() + stay : 0;

    do {
        for (unsigned i = 0; i < 50000; i++)
            sum += i;
    } while (stay > 0 && now() < end);
}

__attribute__((noinline)) static void common(void)
{
    end_of_all();
    sum++;
}

__attribute__((noinline)) static void red(void)
{
    end_of_all = red_end;
    call_on(stacks[0] + STACK_BYTES, common);
    sum++;
}

__attribute__((noinline)) static void blue(void)
{
    end_of_all = blue_end;
    call_on(stacks[0] + STACK_BYTES, common);
    sum++;
}

int main(int argc, char **argv)
{
    until = now() + strtod(argv[argc - 1], NULL);
    for (int i = 0; i < 2; i++) {
        stacks[i] = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (stacks[i] == MAP_FAILED)
            return 1;
    }
    if (argc > 2 && strcmp(argv[1], "still") == 0)
        still();
    if (argc > 2 && strcmp(argv[1], "staying") == 0)
        stay = 0.4;
    while (now() < until) {
        red();
        blue();
    }
    return 0;
}

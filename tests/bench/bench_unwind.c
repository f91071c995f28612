/*
 * What a frame costs the walk up a stack: 200 calls of 5 functions, all rules known.
 *
 * usage: bench_unwind
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "unwind/unwind.h"

enum { FRAMES = 200, FUNCTIONS = 5, WORDS = 6, ROUNDS = 20000, STACK_START = 0x7000, CODE = 0x400000 };

static void find(void *context, uint64_t address, struct unwind_rule *out)
{
    (void)context;
    *out = (struct unwind_rule){.row = {.cfa_rule = CFI_CFA_REGISTER,
                                        .cfa_register = REGISTERS_SP,
                                        .cfa_offset = 8 * WORDS,
                                        .return_rule = CFI_AT_CFA,
                                        .return_offset = -8,
                                        .frame_rule = CFI_AT_CFA,
                                        .frame_offset = -16},
                                .place = (uint32_t)address};
}

static double now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

int main(void)
{
    uint64_t stack[FRAMES * WORDS] = {0};
    struct registers registers = {.known = UINT64_MAX};
    struct unwinder unwinder;
    struct unwind_request request = {.registers = &registers,
                                     .stack_start = STACK_START,
                                     .stack = {(const char *)stack, sizeof(stack)},
                                     .find = find,
                                     .generation = 1};
    double best = 1e9;

    for (size_t i = 0; i + 1 < FRAMES; i++)
        stack[i * WORDS + WORDS - 1] = CODE + 0x1000 * (i % FUNCTIONS) + 0x123;
    registers.values[REGISTERS_IP] = CODE;
    registers.values[REGISTERS_SP] = STACK_START;
    unwinder_init(&unwinder);
    for (int attempt = 0; attempt < 5; attempt++) {
        double start = now_ns();
        double each = 0;

        for (int round = 0; round < ROUNDS; round++)
            (void)unwind(&unwinder, &request);
        each = (now_ns() - start) / ROUNDS / (double)unwinder.frame_count;
        best = each < best ? each : best;
    }
    printf("unwind: %.1f ns a frame, %zu frames\n", best, unwinder.frame_count);
    unwinder_done(&unwinder);
    return 0;
}

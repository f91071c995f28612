/* Goes over to a stack of its own, zeroed, in inline assembly: call frame information knows nothing of that.
 */
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

enum { STACK_BYTES = 1 << 16, STEPS = 100000, SECONDS = 1 };

static volatile uint64_t sink;

__attribute__((noinline)) static void work(void)
{
    for (int i = 0; i < STEPS; i++)
        sink = sink * 31 + 7;
}

__attribute__((noinline)) static void move_stack(char *top)
{
    __asm__ volatile("mov %%rsp, %%r12\n\tmov %0, %%rsp\n\tcall *%1\n\tmov %%r12, %%rsp"
                     :
                     : "r"(top), "r"(work)
                     : "r12", "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory", "cc");
}

int main(void)
{
    char *stack = calloc(1, STACK_BYTES);
    clock_t end = clock() + SECONDS * CLOCKS_PER_SEC;

    if (!stack)
        return 1;
    while (clock() < end)
        move_stack(stack + STACK_BYTES - 256);
    free(stack);
    return 0;
}

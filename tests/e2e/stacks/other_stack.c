/* Works for 0.4 s of CPU time on a stack of its own, to which code without unwind information has led. */
#include <stdlib.h>
#include <time.h>

void call_on(char *stack_end, void (*work)(void));

__asm__(".text\n"
        ".globl call_on\n.type call_on, @function\n"
        "call_on:\n"
        "push %rbp\n"
        "mov %rsp, %rbp\n"
        "mov %rdi, %rsp\n"
        "call *%rsi\n"
        "mov %rbp, %rsp\n"
        "pop %rbp\n"
        "ret\n"
        ".size call_on, .-call_on\n");

static volatile unsigned long sink;

/* What lies above the stack changes all the time. */
static unsigned long beside[1 << 13];

static void work(void)
{
    while (clock() < 0.4 * CLOCKS_PER_SEC)
        for (unsigned i = 0; i < 1000000; i++)
            beside[i % (1 << 13)] = sink += i;
}

int main(void)
{
    static char stack[1 << 16] __attribute__((aligned(16)));

    call_on(stack + sizeof(stack), work);
    return beside[0] == 1;
}

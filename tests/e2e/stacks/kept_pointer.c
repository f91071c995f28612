/*
 * Works for two seconds of CPU time in hand-written code that has its caller's stack pointer in odd places,
 * as libraries for cryptography have: in the red zone of a stack pointer that wanders, and in a register that
 * the functions which it calls leave alone.
 */
#include <time.h>

extern void wandering(long count);
extern void holding(long count);
extern void lower_half(void);

__asm__(".text\n"
        ".globl wandering\n.type wandering, @function\n"
        "wandering: .cfi_startproc\n"
        " mov %rsp, %rax\n"
        " .cfi_def_cfa_register rax\n"
        " sub $0x400, %rsp\n"
        " and $-256, %rsp\n"
        " mov %rax, 0x98(%rsp)\n"
        /* CFA: what is at rsp + 152, plus 8 */
        " .cfi_escape 0x0f, 0x06, 0x77, 0x98, 0x01, 0x06, 0x23, 0x08\n"
        "1: mov 0x98(%rsp), %rax\n"
        " lea -0x80(%rsp), %rsp\n"
        " mov %rax, -8(%rsp)\n"
        /* at rsp - 8 */
        " .cfi_escape 0x0f, 0x05, 0x77, 0x78, 0x06, 0x23, 0x08\n"
        " mov $1000, %ecx\n"
        "2: dec %ecx\n"
        " jnz 2b\n"
        " lea 0x80(%rsp), %rsp\n"
        " .cfi_escape 0x0f, 0x06, 0x77, 0x98, 0x01, 0x06, 0x23, 0x08\n"
        " dec %rdi\n"
        " jnz 1b\n"
        " mov 0x98(%rsp), %rsi\n"
        " .cfi_def_cfa rsi, 8\n"
        " lea (%rsi), %rsp\n"
        " .cfi_def_cfa_register rsp\n"
        " ret\n"
        " .cfi_endproc\n.size wandering, .-wandering\n"
        ".globl holding\n.type holding, @function\n"
        "holding: .cfi_startproc\n"
        " lea (%rsp), %rax\n"
        " .cfi_def_cfa_register rax\n"
        " sub $0x188, %rsp\n"
        "1: call lower_half\n"
        " dec %rdi\n"
        " jnz 1b\n"
        " lea (%rax), %rsp\n"
        " .cfi_def_cfa_register rsp\n"
        " ret\n"
        " .cfi_endproc\n.size holding, .-holding\n"
        ".globl lower_half\n.type lower_half, @function\n"
        "lower_half: .cfi_startproc\n"
        " mov $1000, %ecx\n"
        "1: dec %ecx\n"
        " jnz 1b\n"
        " ret\n"
        " .cfi_endproc\n.size lower_half, .-lower_half\n");

__attribute__((noinline, noclone)) static int hashes(void)
{
    wandering(1000);
    return 1;
}

__attribute__((noinline, noclone)) static int seals(void)
{
    holding(1000);
    return 1;
}

int main(void)
{
    int done = 0;

    while (clock() < 2 * CLOCKS_PER_SEC)
        done += hashes() + seals();
    return done == 0;
}

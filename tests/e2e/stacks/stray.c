/*
 * A function whose call frame information says nothing of how it has moved the stack pointer, by what its
 * code does not tell either: a word that is no address of code stands where its return address should be.
 */
void busy(void);
void misled(void (*work)(void), long bytes);

__asm__(".text\n"
        ".globl misled\n.type misled, @function\n"
        "misled:\n.cfi_startproc\n"
        "movabs $0x123456789000, %rax\n"
        "sub %rsi, %rsp\n"
        "mov %rax, (%rsp)\n"
        "mov %rax, 8(%rsp)\n"
        "call *%rdi\n"
        "add $24, %rsp\n"
        "ret\n"
        ".cfi_endproc\n.size misled, . - misled\n"
        ".section .note.GNU-stack,\"\",@progbits\n.text\n");

static volatile unsigned long counter;

void __attribute__((noinline)) busy(void)
{
    for (unsigned long i = 0; i < 400000000; i++)
        counter += i;
}

int main(void)
{
    misled(busy, 24);
    return (int)(counter & 1);
}

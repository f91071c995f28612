/*
 * Functions whose call frame information says nothing of what they have on the stack: the return address of a
 * call that is over, in another function, stands where their own should be; of stray a word that is no
 * address of code. What misled has pushed its code tells, by how much the others have moved the stack pointer
 * nothing does.
 */
void busy(void);
void busy_below_lost(void);
void busy_below_stray(void);
void misled(void (*work)(void));
void lost(void (*work)(void), unsigned long bytes);
void stray(void (*work)(void), unsigned long bytes);
void others_caller(void);

__asm__(".text\n"
        ".globl nothing\n.type nothing, @function\n"
        "nothing:\n.cfi_startproc\n"
        "ret\n"
        ".cfi_endproc\n.size nothing, . - nothing\n"

        ".globl others_caller\n.type others_caller, @function\n"
        "others_caller:\n.cfi_startproc\n"
        "call nothing\n"
        "1:\n"
        "ret\n"
        ".cfi_endproc\n.size others_caller, . - others_caller\n"

        ".globl misled\n.type misled, @function\n"
        "misled:\n.cfi_startproc\n"
        "movabs $0x123456789000, %rax\n"
        "push %rax\n"
        "push %rax\n"
        "lea 1b(%rip), %rax\n"
        "push %rax\n"
        "call *%rdi\n"
        "add $24, %rsp\n"
        "ret\n"
        ".cfi_endproc\n.size misled, . - misled\n"

        ".globl lost\n.type lost, @function\n"
        "lost:\n.cfi_startproc\n"
        "sub %rsi, %rsp\n"
        "lea 1b(%rip), %rax\n"
        "mov %rax, (%rsp)\n"
        "call *%rdi\n"
        "add $8, %rsp\n"
        "ret\n"
        ".cfi_endproc\n.size lost, . - lost\n"

        ".globl stray\n.type stray, @function\n"
        "stray:\n.cfi_startproc\n"
        "movabs $0x123456789000, %rax\n"
        "sub %rsi, %rsp\n"
        "mov %rax, (%rsp)\n"
        "mov %rax, 8(%rsp)\n"
        "call *%rdi\n"
        "add $24, %rsp\n"
        "ret\n"
        ".cfi_endproc\n.size stray, . - stray\n"
        ".section .note.GNU-stack,\"\",@progbits\n.text\n");

static volatile unsigned long counter;

void __attribute__((noinline)) busy(void)
{
    for (unsigned long i = 0; i < 400000000; i++)
        counter += i;
}

void __attribute__((noinline)) busy_below_lost(void)
{
    for (unsigned long i = 0; i < 400000000; i++)
        counter += i;
}

void __attribute__((noinline)) busy_below_stray(void)
{
    for (unsigned long i = 0; i < 400000000; i++)
        counter += i;
}

int main(void)
{
    others_caller();
    misled(busy);
    lost(busy_below_lost, 8);
    stray(busy_below_stray, 24);
    return (int)(counter & 1);
}

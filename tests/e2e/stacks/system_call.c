/* A function whose last instruction is a system call, behind which another function begins. */

extern void yielding(void);

#if defined(__x86_64__)
#define ASK "mov $24, %eax\nsyscall\n"
#elif defined(__aarch64__)
#define ASK "mov x8, #124\nsvc #0\n"
#endif

__asm__(".text\n"
        ".type yielding, @function\n.globl yielding\nyielding:\n.cfi_startproc\n" ASK
        ".cfi_endproc\n.size yielding, . - yielding\n"
        ".type behind, @function\nbehind:\n.cfi_startproc\nret\n.cfi_endproc\n.size behind, . - behind\n");

int main(void)
{
    for (int i = 0; i < 1500000; i++)
        yielding();
    return 0;
}

/*
 * A function whose last instruction is a system call, behind which another function begins. It is getppid,
 * which leaves the processor to nobody.
 */

extern void calling(void);

#if defined(__x86_64__)
#define ASK "mov $110, %eax\nsyscall\n"
#elif defined(__aarch64__)
#define ASK "mov x8, #173\nsvc #0\n"
#endif

__asm__(".text\n"
        ".type calling, @function\n.globl calling\ncalling:\n.cfi_startproc\n" ASK
        ".cfi_endproc\n.size calling, . - calling\n"
        ".type behind, @function\nbehind:\n.cfi_startproc\nret\n.cfi_endproc\n.size behind, . - behind\n");

int main(void)
{
    for (int i = 0; i < 5000000; i++)
        calling();
    return 0;
}

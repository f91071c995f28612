/*
 * Functions that take an address off their stack before they call, told by call frame information as it is
 * made from pushes and pops: a thread's first function in musl, and one that keeps its return address
 * elsewhere.
 */
#include <time.h>

void start_thread(void (*work)(void *), void *stack_end, void *argument);
void keep_elsewhere(void (*work)(void *), void *place); /* room for two addresses */

/* clone with CLONE_VM, _FS, _FILES, _SIGHAND, _THREAD and _SYSVSEM; and exit. */
__asm__(".text\n"
        ".globl start_thread\n.type start_thread, @function\n"
        "start_thread:\n.cfi_startproc\n"
        "mov %rdi, %r9\n"
        "sub $8, %rsi\n"
        "mov %rdx, (%rsi)\n"
        "mov $0x50f00, %edi\n"
        "mov $56, %eax\n"
        "syscall\n"
        "test %eax, %eax\n"
        "jnz 1f\n"
        "xor %ebp, %ebp\n"
        "pop %rdi\n.cfi_adjust_cfa_offset -8\n"
        "call *%r9\n"
        "mov %eax, %edi\n"
        "xor %eax, %eax\n"
        "mov $60, %al\n"
        "syscall\n"
        "hlt\n"
        "1:\n.cfi_adjust_cfa_offset 8\n"
        "ret\n"
        ".cfi_endproc\n.size start_thread, . - start_thread\n"

        ".globl keep_elsewhere\n.type keep_elsewhere, @function\n"
        "keep_elsewhere:\n.cfi_startproc\n"
        "pop (%rsi)\n.cfi_adjust_cfa_offset -8\n"
        "mov %rbx, 8(%rsi)\n"
        "mov %rsi, %rbx\n"
        "call *%rdi\n"
        "push (%rbx)\n.cfi_adjust_cfa_offset 8\n"
        "mov 8(%rbx), %rbx\n"
        "ret\n"
        ".cfi_endproc\n.size keep_elsewhere, . - keep_elsewhere\n"
        ".section .note.GNU-stack,\"\",@progbits\n.text\n");

static volatile unsigned long counter;
static volatile int is_over;

/* 0.4 s of CPU time. */
static void burn(void)
{
    struct timespec now;
    long now_ms = 0;
    long end_ms = 0;

    do {
        for (int i = 0; i < 100000; i++)
            counter = counter * 31 + 1;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        now_ms = now.tv_sec * 1000 + now.tv_nsec / 1000000;
        end_ms = end_ms ? end_ms : now_ms + 400;
    } while (now_ms < end_ms);
}

__attribute__((noinline)) static void in_thread(void *unused)
{
    (void)unused;
    burn();
    is_over = 1;
}

__attribute__((noinline)) static void below_main(void *unused)
{
    (void)unused;
    burn();
    is_over = 0;
}

int main(void)
{
    static _Alignas(16) char stack[1 << 16];
    static void *place[2];
    const struct timespec soon = {.tv_nsec = 1000000};

    start_thread(in_thread, stack + sizeof(stack), NULL);
    while (!is_over)
        nanosleep(&soon, NULL);
    keep_elsewhere(below_main, place);
    return is_over;
}

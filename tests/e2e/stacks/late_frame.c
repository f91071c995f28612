/*
 * Works for a second of CPU time in a function written by hand that pushes another register before the frame
 * pointer, so that what stands where its return address should is no address.
 */
#include <time.h>

void late_frame(unsigned long count);

__asm__(".text\n"
        ".globl late_frame\n"
        ".type late_frame, @function\n"
        "late_frame:\n"
        "    push %rbx\n"
        "    push %rbp\n"
        "    mov %rsp, %rbp\n"
        "    mov $0x1234567, %ebx\n"
        "    push %rbx\n"
        "    mov %rbx, 8(%rbp)\n"
        "1:  dec %rdi\n"
        "    jnz 1b\n"
        "    pop %rbx\n"
        "    pop %rbp\n"
        "    pop %rbx\n"
        "    ret\n"
        ".size late_frame, . - late_frame\n");

__attribute__((noinline)) static void caller(void)
{
    late_frame(10000000);
    __asm__ volatile("" ::: "rbx", "memory");
}

__attribute__((noinline)) static void outer(void)
{
    while (clock() < CLOCKS_PER_SEC)
        caller();
    __asm__ volatile("" ::: "memory");
}

int main(void)
{
    outer();
    return 0;
}

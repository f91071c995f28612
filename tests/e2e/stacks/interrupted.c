/*
 * interrupted [unnamed]: a signal's handler does all the work, of what it interrupts in a function that is
 * called as the C library called one that frees memory. The handler returns to where the C library has it
 * return to, or to code without a symbol.
 */
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cpu_time.h"

static volatile unsigned sum; /* what is written here keeps the functions apart */

__attribute__((noinline)) static void work(void)
{
    double end = now() + 1;

    while (now() < end)
        for (unsigned i = 0; i < 100000; i++)
            sum += i;
}

static void handle(int number)
{
    (void)number;
    work();
    sum++;
}

__attribute__((noinline)) void cfree(void)
{
    syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGUSR1);
    sum++;
}

#ifdef __x86_64__
extern const uintptr_t return_address;

__asm__(".text\n"
        "    nop\n"
        "    .p2align 4\n"
        ".Lreturn:\n"
        "    mov $15, %rax\n"
        "    syscall\n"
        ".section .data.rel.ro, \"aw\"\n"
        "    .p2align 3\n"
        ".globl return_address\n"
        "return_address:\n"
        "    .quad .Lreturn\n"
        ".text\n");

/* As the kernel has it (rt_sigaction(2)). */
static int handle_unnamed(void)
{
    struct {
        void (*handler)(int);
        unsigned long flags;
        uintptr_t restorer;
        unsigned long mask;
    } action = {handle, 0x04000000, return_address, 0}; /* SA_RESTORER */

    return (int)syscall(SYS_rt_sigaction, SIGUSR1, &action, NULL, sizeof(action.mask));
}
#else
static int handle_unnamed(void)
{
    return -1;
}
#endif

int main(int argc, char **argv)
{
    struct sigaction action = {.sa_handler = handle};

    (void)argv;
    if ((argc > 1 ? handle_unnamed() : sigaction(SIGUSR1, &action, NULL)) < 0)
        return 1;
    cfree();
    return 0;
}

/*
 * Every kind of function that a walk up the stack has to get past, each for 0.2 s of CPU time or what the
 * argument says. All stacks are main, outer, the function named after the kind, and work (but of bare_leaf,
 * which works itself).
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_time.h"

typedef void shape_fn(void);

static double seconds = 0.2;
static volatile unsigned sum;

void work(void); /* for the assembly below */

__attribute__((noinline, used)) void work(void)
{
    double end = now() + seconds;

    while (now() < end)
        for (unsigned i = 0; i < 20000; i++)
            sum += i;
}

/* 48 KB in one frame. */
__attribute__((noinline)) static void big_frame(void)
{
    char room[48 << 10];

    memset(room, 1, sizeof(room));
    __asm__ volatile("" ::"r"(room) : "memory");
    work();
    __asm__ volatile("" ::"r"(room) : "memory");
}

static void handler(int number)
{
    (void)number;
    work();
}

__attribute__((noinline)) static void in_signal(void)
{
    raise(SIGUSR1);
    sum++;
}

#if defined(__x86_64__)
/*
 * by_expression: CFA is what lies at rsp + 8 (a pointer to it), by DW_CFA_def_cfa_expression. by_base: CFA is
 * by rbx below a frame of unknown size. by_frame_pointer and bare_leaf: without call frame information.
 */
__asm__(".text\n"
        ".type by_expression, @function\n"
        "by_expression: .cfi_startproc\n"
        "  lea 8(%rsp), %rax\n"
        "  sub $24, %rsp\n"
        "  .cfi_def_cfa_offset 32\n"
        "  mov %rax, 8(%rsp)\n"
        "  .cfi_escape 0x0f, 5, 0x77, 8, 0x06, 0x23, 0\n"
        "  call work\n"
        "  add $24, %rsp\n"
        "  .cfi_def_cfa 7, 8\n"
        "  ret\n"
        "  .cfi_endproc\n"
        ".size by_expression, .-by_expression\n"
        ".type by_base, @function\n"
        "by_base: .cfi_startproc\n"
        "  push %rbx\n"
        "  .cfi_def_cfa_offset 16\n"
        "  .cfi_offset 3, -16\n"
        "  mov %rsp, %rbx\n"
        "  .cfi_def_cfa 3, 16\n"
        "  sub $4096, %rsp\n"
        "  and $-64, %rsp\n"
        "  call work\n"
        "  mov %rbx, %rsp\n"
        "  pop %rbx\n"
        "  .cfi_def_cfa 7, 8\n"
        "  ret\n"
        "  .cfi_endproc\n"
        ".size by_base, .-by_base\n"
        ".type by_frame_pointer, @function\n"
        "by_frame_pointer:\n"
        "  push %rbp\n"
        "  mov %rsp, %rbp\n"
        "  sub $64, %rsp\n"
        "  call work\n"
        "  leave\n"
        "  ret\n"
        ".size by_frame_pointer, .-by_frame_pointer\n"
        ".type bare_loop, @function\n"
        "bare_loop:\n"
        "  mov $3000000, %eax\n"
        "1: dec %eax\n"
        "  jnz 1b\n"
        "  ret\n"
        ".size bare_loop, .-bare_loop\n");

void by_expression(void);
void by_base(void);
void by_frame_pointer(void);
void bare_loop(void);

__attribute__((noinline)) static void bare_leaf(void)
{
    double end = now() + seconds;

    while (now() < end)
        bare_loop();
    sum++;
}
#endif

__attribute__((noinline)) static void outer(shape_fn *shape)
{
    shape();
    sum++;
}

int main(int argc, char **argv)
{
    static shape_fn *const shapes[] = {
        big_frame,
        in_signal,
#if defined(__x86_64__)
        by_expression,
        by_base,
        by_frame_pointer,
        bare_leaf,
#endif
    };

    if (argc > 1)
        seconds = strtod(argv[1], NULL);
    signal(SIGUSR1, handler);
    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
        outer(shapes[i]);
    return 0;
}

/*
 * Works for a second of CPU time in inline assembly that moves the stack pointer, of which the compiler's
 * call frame information tells nothing: by one word or several, zeros among them, by the address that a call
 * leaves, by that of a call of another function, with a call in between, and one that takes the frame pointer
 * for something else. For x86-64, without a red zone.
 */
#include <time.h>

#define APART __attribute__((noinline, noclone))
#define LOOP "mov $1000, %%ecx\n1: dec %%ecx\n jnz 1b\n"

static volatile long sink;

APART static void pushes_one(void)
{
    for (int i = 0; i < 100; i++)
        __asm__ volatile("push $77\n" LOOP "pop %%rcx" : : : "rcx", "memory");
}

APART static void pushes_many(void)
{
    volatile long room[9] = {1};

    for (int i = 0; i < 100; i++)
        __asm__ volatile("push $0\n push $0\n push $0\n push $5\n push $0\n" LOOP "add $40, %%rsp"
                         :
                         :
                         : "rcx", "memory");
    sink += room[0];
}

APART static void asks_where_it_is(void)
{
    for (int i = 0; i < 100; i++)
        __asm__ volatile("call 2f\n2: " LOOP "pop %%rcx" : : : "rcx", "memory");
}

/* A function without a frame, and the return address of the call in it. */
__asm__("called_there: .cfi_startproc\n ret\n .cfi_endproc\n"
        ".globl another, behind_call\n.type another, @function\n"
        "another: .cfi_startproc\n call called_there\n"
        "behind_call: ret\n .cfi_endproc\n.size another, . - another\n");

APART static void pushes_return_address(void)
{
    for (int i = 0; i < 100; i++)
        __asm__ volatile("lea behind_call(%%rip), %%rcx\n push %%rcx\n" LOOP "pop %%rcx"
                         :
                         :
                         : "rcx", "memory");
}

APART static void takes_frame_pointer(void)
{
    for (int i = 0; i < 100; i++)
        __asm__ volatile("push %%rbp\n mov $1000, %%ebp\n1: dec %%ebp\n jnz 1b\n pop %%rbp" : : : "memory");
}

__attribute__((used)) APART static void in_between(void)
{
    __asm__ volatile(LOOP : : : "rcx");
}

APART static void pushes_and_calls(void)
{
    for (int i = 0; i < 100; i++)
        __asm__ volatile("push %%rbx\n push $3\n call in_between\n pop %%rcx\n pop %%rbx"
                         :
                         :
                         : "rcx", "rax", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory");
}

/* Whose call it was is seen by the caller. */
#define CALLER(name, called)                                                                                 \
    APART static void name(void)                                                                             \
    {                                                                                                        \
        called();                                                                                            \
        sink++;                                                                                              \
    }

CALLER(calls_one, pushes_one)
CALLER(calls_many, pushes_many)
CALLER(calls_asks, asks_where_it_is)
CALLER(calls_pushes, pushes_return_address)
CALLER(calls_takes, takes_frame_pointer)
CALLER(calls_calls, pushes_and_calls)

int main(void)
{
    while (clock() < CLOCKS_PER_SEC) {
        calls_one();
        calls_many();
        calls_asks();
        calls_pushes();
        calls_takes();
        calls_calls();
    }
    return 0;
}

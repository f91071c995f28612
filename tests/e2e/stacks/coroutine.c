/* Works for 0.4 s of CPU time in a coroutine of makecontext(3), which nobody called. */
#include <time.h>
#include <ucontext.h>

static ucontext_t outside;
static ucontext_t inside;
static volatile unsigned long sink;

__attribute__((noinline)) static void work(void)
{
    for (unsigned i = 0; i < 1000000; i++)
        sink += i;
}

__attribute__((noinline)) static void coroutine(void)
{
    for (;;) {
        work();
        swapcontext(&inside, &outside);
    }
}

int main(void)
{
    static char stack[1 << 16];

    getcontext(&inside);
    inside.uc_stack.ss_sp = stack;
    inside.uc_stack.ss_size = sizeof(stack);
    inside.uc_link = &outside;
    makecontext(&inside, coroutine, 0);
    while (clock() < 0.4 * CLOCKS_PER_SEC)
        swapcontext(&outside, &inside);
    return 0;
}

/*
 * Works for 0.4 s of CPU time below two functions that it has made in its own data, which it then made code.
 * They have frame pointers.
 */
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { PAGE_BYTES = 4096, OUTER_AT = 256, TARGET_AT = 6 };

static unsigned char made[PAGE_BYTES] __attribute__((aligned(PAGE_BYTES))) = {1};
static volatile unsigned long counter;

__attribute__((noinline)) static void work(void)
{
    while (clock() < 0.4 * CLOCKS_PER_SEC)
        for (int i = 0; i < 1000000; i++)
            counter += 1;
}

/* push %rbp; mov %rsp, %rbp; movabs $target, %rax; call *%rax; pop %rbp; ret */
static void make(unsigned char *at, uintptr_t target)
{
    static const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5, 0x48, 0xb8, 0,    0,    0,
                                         0,    0,    0,    0,    0,    0xff, 0xd0, 0x5d, 0xc3};

    memcpy(at, code, sizeof(code));
    memcpy(at + TARGET_AT, &target, sizeof(target));
}

int main(void)
{
    make(made, (uintptr_t)work);
    make(made + OUTER_AT, (uintptr_t)made);
    if (mprotect(made, sizeof(made), PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
        return 1;
    ((void (*)(void))(uintptr_t)(made + OUTER_AT))();
    return 0;
}

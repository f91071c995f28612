/*
 * copied_code same|other: puts memory where its code is, as programs do that want it on huge pages, with that
 * code in it, or with other code where before() was. Works 0.2 s of CPU time in before() from the file, and
 * then 0.4 s there in either.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { PAGE_BYTES = 4096 };

static volatile unsigned long counter;

/* Alone on its page; the code that puts memory there is elsewhere. */
__attribute__((noinline, section("its_own"), aligned(4096))) void before(unsigned long steps);
__attribute__((noinline, section("its_own"), aligned(4096))) void before(unsigned long steps)
{
    for (; steps > 0; steps--)
        counter += 1;
}

__attribute__((noinline, section("its_own"), aligned(4096))) void behind(void);
__attribute__((noinline, section("its_own"), aligned(4096))) void behind(void)
{
    counter += 2;
}

__attribute__((noinline)) static void work(double seconds)
{
    clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);

    while (clock() < end)
        before(1000000);
}

/* mov $1000000, %ecx; dec %ecx; jne back; ret: the same for as long, and nothing like before(). */
static const unsigned char other_code[] = {0xb9, 0x40, 0x42, 0x0f, 0x00, 0xff, 0xc9, 0x75, 0xfc, 0xc3};

int main(int count, char **words)
{
    char *place = (char *)(uintptr_t)before;
    static char copy[PAGE_BYTES];

    if (count != 2)
        return 1;
    work(0.2);
    memcpy(copy, place, PAGE_BYTES);
    if (strcmp(words[1], "other") == 0)
        memcpy(copy, other_code, sizeof(other_code));
    if (mmap(place, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) !=
        place)
        return 2;
    memcpy(place, copy, PAGE_BYTES);
    if (mprotect(place, PAGE_BYTES, PROT_READ | PROT_EXEC) != 0)
        return 3;
    work(0.4);
    behind();
    return 0;
}

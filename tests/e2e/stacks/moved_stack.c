/*
 * Works for two seconds of CPU time below functions that move the stack pointer by what is not seen at a
 * glance: one whose frame is aligned to 64 bytes, and one with pages to probe. What `before` leaves on the
 * stack looks like calls of theirs. Each works as long as the others, more or less: how fast a loop is
 * depends on where it lies.
 */
#include <alloca.h>
#include <string.h>
#include <time.h>

#define APART __attribute__((noinline, noclone))

struct words {
    long items[9];
};

static struct words words;
static volatile int zero;
static volatile long sink;

static inline __attribute__((always_inline)) void work(long count)
{
    for (; count > 0; count--)
        __asm__ volatile("" : "+r"(count));
}

/* Its arguments stand on the stack: who calls it has a frame of its own. */
APART static long in_aligned(long a, struct words of)
{
    work(100000);
    return a + of.items[1] + zero;
}

APART static long aligned(long a)
{
    volatile char room[64] __attribute__((aligned(64)));
    long result = 0;

    room[zero] = 1;
    result = in_aligned(a, words);
    return result + room[zero];
}

APART static long calls_aligned(long a)
{
    volatile long room[7];

    room[0] = aligned(a + 1) + 1;
    return room[zero];
}

APART static long below_pages(long a)
{
    work(100000);
    return a + zero;
}

APART static long in_pages(long a)
{
    volatile char room[20000];

    room[zero] = 3;
    work(100000);
    return below_pages(a) + room[zero];
}

APART static long calls_pages(long a)
{
    return in_pages(a + 1) + 1;
}

APART static long with_frame_pointer(long a)
{
    char *room = alloca((size_t)(a & 63) + 17);

    memset(room, 1, (size_t)(a & 63) + 17);
    return calls_pages(a + room[3]) + room[5];
}

APART static long before(long a, int count)
{
    return count == 0 ? a + zero : before(a, count - 1) + 1;
}

int main(void)
{
    while (clock() < 2 * CLOCKS_PER_SEC) {
        sink += before(sink, 20) + calls_aligned(sink);
        sink += before(sink, 20) + with_frame_pointer(sink);
    }
    return 0;
}

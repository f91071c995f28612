/*
 * between SECONDS: main calls deep, whose stack is deeper than what is copied of it, and for a twentieth of
 * the time aside, from another place: whatever of deep's frames lies below those of aside stays as it was.
 */
#include <stdlib.h>
#include <time.h>

enum { ROOM_BYTES = 80000, STEPS = 12000000 };

static volatile unsigned sum; /* what is written here keeps the functions apart */

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

__attribute__((noinline)) static void below(volatile char *room)
{
    for (unsigned i = 0; i < STEPS; i++)
        sum += i;
    room[0]++;
}

__attribute__((noinline)) static void deep(void)
{
    volatile char room[ROOM_BYTES];

    for (unsigned i = 0; i < ROOM_BYTES; i++)
        room[i] = (char)i;
    below(room);
    sum += (unsigned char)room[0];
}

__attribute__((noinline)) static void aside(void)
{
    for (unsigned i = 0; i < STEPS / 20; i++)
        sum += i;
}

int main(int argc, char **argv)
{
    double end = now() + strtod(argv[argc - 1], NULL);

    while (now() < end) {
        deep();
        aside();
    }
    return 0;
}

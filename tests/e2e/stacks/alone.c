/*
 * alone [thread]: all work is done in main, or in the function that a thread begins with. With BARE defined
 * they use the frame pointer's register for something else.
 */
#include <pthread.h>

enum { STEPS = 200000000 };

static void *work(void *unused)
{
#ifdef BARE
    __asm__ volatile("xor %%ebp, %%ebp" ::: "rbp");
#endif
    for (volatile unsigned long i = 0; i < STEPS; i++)
        ;
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;

    (void)argv;
    if (argc > 1)
        return pthread_create(&thread, NULL, work, NULL) || pthread_join(thread, NULL);
#ifdef BARE
    __asm__ volatile("xor %%ebp, %%ebp" ::: "rbp");
#endif
    for (volatile unsigned long i = 0; i < STEPS; i++)
        ;
    return 0;
}

/* A library with a function that has 100 page faults. */
#include <sys/mman.h>
#include <time.h>

enum { PAGE_BYTES = 4096 };

void in_library(char *page);

void in_library(char *page)
{
    const struct timespec pause = {.tv_nsec = 1000};

    for (int i = 0; i < 100; i++) {
        *(volatile char *)page = 1;
        madvise(page, PAGE_BYTES, MADV_DONTNEED);
    }
    nanosleep(&pause, NULL);
}

/*
 * overflow LIBRARY: says "ready"; a line later it has had so many page faults that nobody has room for them,
 * loads the library and says "loaded"; a line later it calls the library's in_library() for a second of CPU
 * time.
 */
#include <dlfcn.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>

enum { FAULTS = 300000, PAGE_BYTES = 4096 };

/* Each processor has room of its own for what is recorded there. */
static void stay_on_this_processor(void)
{
    cpu_set_t here;

    CPU_ZERO(&here);
    CPU_SET(sched_getcpu(), &here);
    sched_setaffinity(0, sizeof(here), &here);
}

static void say(const char *what)
{
    puts(what);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    char *page = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void (*in_library)(char *page) = NULL;
    char line[8];
    void *library = NULL;
    clock_t end = 0;

    stay_on_this_processor();
    say("ready");
    if (argc < 2 || page == MAP_FAILED || !fgets(line, sizeof(line), stdin))
        return 1;
    for (int i = 0; i < FAULTS; i++) {
        *(volatile char *)page = 1;
        madvise(page, PAGE_BYTES, MADV_DONTNEED);
    }
    /* Names are the shortest of records: they take what room is left. */
    for (int i = 0; i < 20; i++)
        prctl(PR_SET_NAME, "overflow");
    library = dlopen(argv[1], RTLD_NOW);
    if (!library)
        return 2;
    *(void **)&in_library = dlsym(library, "in_library");
    say("loaded");
    if (!in_library || !fgets(line, sizeof(line), stdin))
        return 3;
    for (end = clock() + CLOCKS_PER_SEC; clock() < end;)
        in_library(page);
    return 0;
}

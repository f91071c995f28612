#include "base/shrunk_file.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct {
    char *memory; /* NULL: none */
    size_t length;
    size_t page_bytes;
    struct sigaction before;
} guarded;

/* What is of no page of the mapping goes to whom it would have gone. */
static void fill_page(int number, siginfo_t *info, void *context)
{
    int cause = errno;
    uintptr_t offset = (uintptr_t)info->si_addr - (uintptr_t)guarded.memory;

    (void)context;
    if (info->si_code != BUS_ADRERR || offset >= guarded.length ||
        mmap(guarded.memory + offset - offset % guarded.page_bytes, guarded.page_bytes,
             PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED) {
        sigaction(number, &guarded.before, NULL);
        raise(number);
    }
    errno = cause;
}

void shrunk_file_guard(void *memory, size_t length)
{
    struct sigaction action;

    memset(&action, 0, sizeof(action));
    action.sa_sigaction = fill_page;
    action.sa_flags = SA_SIGINFO;
    guarded.memory = memory;
    guarded.length = length;
    guarded.page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    sigaction(SIGBUS, &action, &guarded.before);
}

void shrunk_file_unguard(void)
{
    sigaction(SIGBUS, &guarded.before, NULL);
    guarded.memory = NULL;
    guarded.length = 0;
}

#include "process/remote.h"

#include <errno.h>
#include <sys/uio.h>

#include "process/living_thread.h"

/* NOLINTNEXTLINE(readability-non-const-parameter): the kernel writes to `out` */
size_t remote_read(uint32_t pid, uint64_t start, size_t length, char *out)
{
    struct iovec here = {out, length};
    struct iovec there = {(void *)(uintptr_t)start, length}; /* NOLINT(performance-no-int-to-ptr) */
    ssize_t count = process_vm_readv((pid_t)pid, &here, 1, &there, 1, 0);
    uint32_t living = count < 0 && errno == ESRCH ? living_thread(pid) : 0;

    if (living > 0)
        count = process_vm_readv((pid_t)living, &here, 1, &there, 1, 0);
    return count > 0 ? (size_t)count : 0;
}

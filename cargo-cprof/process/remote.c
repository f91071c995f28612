#include "process/remote.h"

#include <errno.h>
#include <sys/uio.h>

#include "process/living_thread.h"

/* How many bytes were read, or an errno below 0. */
/* NOLINTNEXTLINE(readability-non-const-parameter): the kernel writes to `out` */
static ssize_t read_thread(uint32_t tid, uint64_t start, size_t length, char *out)
{
    struct iovec here = {out, length};
    struct iovec there = {(void *)(uintptr_t)start, length}; /* NOLINT(performance-no-int-to-ptr) */
    ssize_t count = process_vm_readv((pid_t)tid, &here, 1, &there, 1, 0);

    return count < 0 ? -errno : count;
}

static ssize_t read_process(uint32_t pid, uint64_t start, size_t length, char *out)
{
    ssize_t count = read_thread(pid, start, length, out);
    uint32_t living = count == -ESRCH ? living_thread(pid) : 0;

    return living > 0 ? read_thread(living, start, length, out) : count;
}

size_t remote_read(uint32_t pid, uint64_t start, size_t length, char *out)
{
    ssize_t count = read_process(pid, start, length, out);

    return count > 0 ? (size_t)count : 0;
}

bool remote_is_gone(uint32_t pid, uint64_t address)
{
    char byte = 0;
    ssize_t count = read_process(pid, address, sizeof(byte), &byte);

    return count == -ESRCH || count == -EFAULT;
}

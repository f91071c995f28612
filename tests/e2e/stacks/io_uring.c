/*
 * Reads so many zeros that it takes a second: one of io_uring's own threads in this process does that
 * (io_uring(7), IOSQE_ASYNC). Says "refused" where io_uring is not to be had, or is done by kernel threads of
 * no process, as before Linux 5.12. Where the first thread waits for it, it is some calls deep, so that a
 * stack by frame pointers is long if the program has them.
 */
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { READS = 400, READ_BYTES = 16 << 20 };

struct queues {
    int ring;
    int zeros;
    char *buffer;
    struct io_uring_sqe *entry;
    unsigned *sent;
    unsigned *taken;
};

static __attribute__((noinline)) int read_once(const struct queues *queues)
{
    *queues->entry = (struct io_uring_sqe){.opcode = IORING_OP_READ,
                                           .flags = IOSQE_ASYNC,
                                           .fd = queues->zeros,
                                           .addr = (unsigned long)queues->buffer,
                                           .len = READ_BYTES};
    ++*queues->sent;
    if (syscall(SYS_io_uring_enter, queues->ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) != 1)
        return -1;
    ++*queues->taken;
    return 0;
}

/* Its folder has two links more than there are. */
static int thread_count(void)
{
    struct stat tasks;

    return stat("/proc/self/task", &tasks) == 0 ? (int)tasks.st_nlink - 2 : 0;
}

static __attribute__((noinline)) int read_often(const struct queues *queues)
{
    for (int i = 0; i < READS; i++) {
        if (read_once(queues) < 0)
            return -1;
        if (i == 0 && thread_count() == 1) {
            puts("refused");
            return 0;
        }
    }
    return 0;
}

int main(void)
{
    struct io_uring_params params = {0};
    int ring = (int)syscall(SYS_io_uring_setup, 1, &params);
    int shared = MAP_SHARED | MAP_POPULATE;
    int zeros = open("/dev/zero", O_RDONLY);
    char *buffer = malloc(READ_BYTES);
    struct io_uring_sqe *entry = NULL;
    char *indices = NULL;

    if (ring < 0) {
        puts("refused");
        return 0;
    }
    indices = mmap(NULL, params.cq_off.cqes + params.cq_entries * sizeof(struct io_uring_cqe),
                   PROT_READ | PROT_WRITE, shared, ring, IORING_OFF_SQ_RING);
    entry = mmap(NULL, sizeof(*entry), PROT_READ | PROT_WRITE, shared, ring, IORING_OFF_SQES);
    if (indices == MAP_FAILED || entry == MAP_FAILED || zeros < 0 || !buffer)
        return 1;
    return read_often(&(struct queues){.ring = ring,
                                       .zeros = zeros,
                                       .buffer = buffer,
                                       .entry = entry,
                                       .sent = (unsigned *)(indices + params.sq_off.tail),
                                       .taken = (unsigned *)(indices + params.cq_off.head)}) < 0
               ? 2
               : 0;
}

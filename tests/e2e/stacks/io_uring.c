/*
 * Reads so many zeros that it takes a second: one of io_uring's own threads in this process does that
 * (io_uring(7), IOSQE_ASYNC). Says "refused" where io_uring is not to be had.
 */
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { READS = 400, READ_BYTES = 16 << 20 };

int main(void)
{
    struct io_uring_params params = {0};
    int ring = (int)syscall(SYS_io_uring_setup, 1, &params);
    int shared = MAP_SHARED | MAP_POPULATE;
    int zeros = open("/dev/zero", O_RDONLY);
    char *buffer = malloc(READ_BYTES);
    struct io_uring_sqe *entry = NULL;
    char *queues = NULL;

    if (ring < 0) {
        puts("refused");
        return 0;
    }
    queues = mmap(NULL, params.cq_off.cqes + params.cq_entries * sizeof(struct io_uring_cqe),
                  PROT_READ | PROT_WRITE, shared, ring, IORING_OFF_SQ_RING);
    entry = mmap(NULL, sizeof(*entry), PROT_READ | PROT_WRITE, shared, ring, IORING_OFF_SQES);
    if (queues == MAP_FAILED || entry == MAP_FAILED || zeros < 0 || !buffer)
        return 1;
    for (int i = 0; i < READS; i++) {
        *entry = (struct io_uring_sqe){.opcode = IORING_OP_READ,
                                       .flags = IOSQE_ASYNC,
                                       .fd = zeros,
                                       .addr = (unsigned long)buffer,
                                       .len = READ_BYTES};
        ++*(unsigned *)(queues + params.sq_off.tail);
        if (syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) != 1)
            return 2;
        ++*(unsigned *)(queues + params.cq_off.head);
    }
    return 0;
}

/* The stack of the thread that asks for memory, and its registers. Nothing here sets errno. */
#ifndef PRELOAD_OWN_STACK_H
#define PRELOAD_OWN_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

/*
 * Writes the registers that a function is to leave as it found them, and where it is, to `values`, by the
 * numbers of sampler/registers.h. A macro, so that they are those of the function that it stands in.
 */
#if defined(__aarch64__)
#define OWN_STACK_CAPTURE(values)                                                                            \
    __asm__ volatile("stp x19, x20, [%0, 152]\n\tstp x21, x22, [%0, 168]\n\tstp x23, x24, [%0, 184]\n\t"     \
                     "stp x25, x26, [%0, 200]\n\tstp x27, x28, [%0, 216]\n\tstp x29, x30, [%0, 232]\n\t"     \
                     "mov x9, sp\n\tstr x9, [%0, 248]\n\tadr x9, 1f\n\tstr x9, [%0, 256]\n1:"                \
                     :                                                                                       \
                     : "r"(values)                                                                           \
                     : "x9", "memory")
#define OWN_STACK_CAPTURED (((UINT64_C(1) << 12) - 1) << 19 | UINT64_C(3) << 31)
#else
#define OWN_STACK_CAPTURE(values)                                                                            \
    __asm__ volatile("movq %%rbx, 24(%0)\n\tmovq %%rbp, 48(%0)\n\tmovq %%rsp, 56(%0)\n\t"                    \
                     "movq %%r12, 96(%0)\n\tmovq %%r13, 104(%0)\n\tmovq %%r14, 112(%0)\n\t"                  \
                     "movq %%r15, 120(%0)\n\tleaq 1f(%%rip), %%rax\n\tmovq %%rax, 128(%0)\n1:"               \
                     :                                                                                       \
                     : "r"(values)                                                                           \
                     : "rax", "memory")
#define OWN_STACK_CAPTURED (UINT64_C(1) << 3 | UINT64_C(3) << 6 | UINT64_C(15) << 12 | UINT64_C(1) << 16)
#endif

/* A part of the stack. */
struct stack_part {
    uintptr_t start;
    size_t length;
    bool is_there; /* for sure */
};

/*
 * From `start` on how much there is at most. `main_stack_end` is the end of the first thread's stack. Others'
 * own blocks are at the ends of theirs, which have 16 KiB at least (PTHREAD_STACK_MIN) with that; a program
 * may have gone over to another stack, of which nothing is known.
 */
struct stack_part own_stack_from(uintptr_t start, uintptr_t main_stack_end);

/*
 * Copies of the part what is there, to two places one after the other, the second of which may be empty:
 * together they are as long as the part. The system stops where there is no memory. Each page is a piece of
 * its own, as no piece is copied in part (process_vm_readv(2)). Returns how many bytes there were.
 */
size_t own_stack_copy(struct stack_part part, const struct iovec to[2]);

#endif

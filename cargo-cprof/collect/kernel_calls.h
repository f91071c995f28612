/*
 * The kernel's calls on top of a program's. Samples in system calls come through the same few again and
 * again: those are known without a search in the profile's stacks.
 */
#ifndef COLLECT_KERNEL_CALLS_H
#define COLLECT_KERNEL_CALLS_H

#include "profile/profile.h"
#include "sampler/sampler.h"

enum { KERNEL_CALLS_RECENT = 1024 };

struct kernel_call {
    uint64_t address; /* 0: no call */
    uint32_t caller;  /* the stack that it was made from, */
    uint32_t stack;   /* and the one that ends in it */
};

/* Zero-initialised is ready; of one profile. */
struct kernel_calls {
    bool has_module;
    uint32_t module;                                /* the profile's for the kernel */
    struct kernel_call recent[KERNEL_CALLS_RECENT]; /* each where its hash says */
};

/* The id of the stack that calls this address of the kernel's from `caller`, which may be PROFILE_NONE. */
uint32_t kernel_calls_add(struct kernel_calls *calls, struct profile *profile, uint32_t caller,
                          uint64_t address);

/*
 * Puts all that a sample tells of the kernel on top of the stack: the calls there, or else where it was.
 * Returns how many these are.
 */
size_t kernel_calls_add_all(struct kernel_calls *calls, struct profile *profile,
                            const struct sample_raw *sample, uint32_t *stack);

#endif

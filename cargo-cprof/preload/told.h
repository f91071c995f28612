/* The allocations that were told and are not taken back yet, by pointer. */
#ifndef PRELOAD_TOLD_H
#define PRELOAD_TOLD_H

#include <stdbool.h>
#include <stdint.h>

enum { TOLD_HEADS_BITS = 18 }; /* so many that most chains are empty: who frees looks no further */

extern uint32_t told_heads[1 << TOLD_HEADS_BITS];

static inline uint32_t told_head_of(uintptr_t pointer)
{
    return (uint32_t)(((uint64_t)pointer >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - TOLD_HEADS_BITS));
}

/* False where it is not among them for sure. */
static inline bool told_may_have(uintptr_t pointer)
{
    return __atomic_load_n(&told_heads[told_head_of(pointer)], __ATOMIC_ACQUIRE) != 0;
}

struct told {
    uintptr_t pointer;
    uint32_t next; /* told.c's */
    uint32_t generation;
    int64_t stands_for_bytes; /* with these so many */
};

/* Of this process, unless more are there than can be. */
void told_add(uintptr_t pointer, int64_t stands_for_bytes);

/* Puts one back that was taken. */
void told_add_again(const struct told *told);

/* Whether it was there, which it is no more then. */
bool told_take(uintptr_t pointer, struct told *out);

/* Whether it was told by a process that this one was forked off from. */
bool told_is_inherited(const struct told *told);

/* A process was forked off, with this thread alone. */
void told_begin_child(void);

#endif

/* A lock for a few instructions, of the threads of a process. Zero-initialised it is free. */
#ifndef PRELOAD_SPIN_LOCK_H
#define PRELOAD_SPIN_LOCK_H

#include <stdint.h>

#include "preload/records.h"

struct spin_lock {
    uint32_t is_held;
};

/* A thread that ended meanwhile does not keep it for ever. */
static inline void spin_lock_take(struct spin_lock *lock)
{
    enum { MOST_TRIES = 1 << 20 };

    for (unsigned i = 0; i < MOST_TRIES && __atomic_exchange_n(&lock->is_held, 1, __ATOMIC_ACQUIRE); i++)
        records_pause(i);
}

static inline void spin_lock_give(struct spin_lock *lock)
{
    __atomic_store_n(&lock->is_held, 0, __ATOMIC_RELEASE);
}

#endif

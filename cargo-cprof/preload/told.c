#include "preload/told.h"

#include "preload/records.h"
#include "preload/spin_lock.h"

enum {
    CHUNK_BITS = 12,
    CHUNKS = 1024,
    LOCKS = 64,
};

uint32_t told_heads[1 << TOLD_HEADS_BITS];
static struct spin_lock locks[LOCKS]; /* of the chains */
static struct spin_lock free_lock;
static uint32_t first_free; /* numbers are from 1 on everywhere here, in chains as well; 0: none */
static uint32_t used_count;
static struct told *chunks[CHUNKS];
static uint32_t generation; /* forks from the program that was started to this process */

static struct told *told_at(uint32_t number)
{
    return &chunks[(number - 1) >> CHUNK_BITS][(number - 1) & ((1u << CHUNK_BITS) - 1)];
}

/* A place for one, 0 when there is none. */
static uint32_t take_place(void)
{
    uint32_t number = 0;

    spin_lock_take(&free_lock);
    number = first_free;
    if (number) {
        first_free = told_at(number)->next;
    } else if (used_count >> CHUNK_BITS < CHUNKS) {
        struct told **chunk = &chunks[used_count >> CHUNK_BITS];

        if (!*chunk)
            *chunk = records_memory(sizeof(struct told) << CHUNK_BITS);
        number = *chunk ? ++used_count : 0;
    }
    spin_lock_give(&free_lock);
    return number;
}

void told_add_again(const struct told *told)
{
    uint32_t head = told_head_of(told->pointer);
    uint32_t number = take_place();

    if (!number)
        return;
    spin_lock_take(&locks[head % LOCKS]);
    *told_at(number) = *told;
    told_at(number)->next = told_heads[head];
    __atomic_store_n(&told_heads[head], number, __ATOMIC_RELEASE);
    spin_lock_give(&locks[head % LOCKS]);
}

void told_add(uintptr_t pointer, int64_t stands_for_bytes)
{
    const struct told told = {pointer, 0, generation, stands_for_bytes};

    told_add_again(&told);
}

bool told_is_inherited(const struct told *told)
{
    return told->generation != generation;
}

bool told_take(uintptr_t pointer, struct told *out)
{
    uint32_t head = told_head_of(pointer);
    uint32_t *link = &told_heads[head];
    uint32_t number = 0;

    spin_lock_take(&locks[head % LOCKS]);
    while (*link && told_at(*link)->pointer != pointer)
        link = &told_at(*link)->next;
    number = *link;
    if (number) {
        *out = *told_at(number);
        __atomic_store_n(link, told_at(number)->next, __ATOMIC_RELEASE);
    }
    spin_lock_give(&locks[head % LOCKS]);
    if (!number)
        return false;
    spin_lock_take(&free_lock);
    told_at(number)->next = first_free;
    first_free = number;
    spin_lock_give(&free_lock);
    return true;
}

void told_begin_child(void)
{
    generation++;
    for (unsigned i = 0; i < LOCKS; i++)
        spin_lock_give(&locks[i]);
    spin_lock_give(&free_lock);
}

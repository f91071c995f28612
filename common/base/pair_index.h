/*
 * Pairs of numbers to small dense ids: the same pair gets the same id, ids count up from 0, so a
 * caller's own array indexed by id makes a map of it. Nothing is allocated for a known pair.
 */
#ifndef BASE_PAIR_INDEX_H
#define BASE_PAIR_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct pair {
    uint64_t first;
    uint64_t second;
};

/* Zero-initialised is empty and ready. */
struct pair_index {
    VEC(struct pair) pairs; /* by id */
    uint32_t *table;        /* open addressing; id + 1, 0 for a free place */
    uint32_t table_size;    /* 0 or a power of two */
};

void pair_index_done(struct pair_index *index);

/* The id of the pair, new (it is then pairs.count - 1) or known. */
uint32_t pair_index_add(struct pair_index *index, uint64_t first, uint64_t second);

/* Whether the pair has an id. */
bool pair_index_has(const struct pair_index *index, uint64_t first, uint64_t second);

/* The id of the pair, UINT32_MAX when it was never added. */
uint32_t pair_index_find(const struct pair_index *index, uint64_t first, uint64_t second);

#endif

#include "base/pair_index.h"

#include "base/memory.h"

static uint32_t hash_pair(uint64_t first, uint64_t second)
{
    unsigned __int128 product = (unsigned __int128)(first ^ 0x9e3779b97f4a7c15U) * 0xa0761d6478bd642fU;
    uint64_t hash = ((uint64_t)product ^ (uint64_t)(product >> 64)) + second;

    product = (unsigned __int128)hash * 0xe7037ed1a0b428dbU;
    hash = (uint64_t)product ^ (uint64_t)(product >> 64);
    return (uint32_t)(hash ^ (hash >> 32));
}

/* The place in the table where the pair stands or would stand. The table has a free place. */
static uint32_t find_place(const struct pair_index *index, uint64_t first, uint64_t second)
{
    uint32_t mask = index->table_size - 1;
    uint32_t place = hash_pair(first, second) & mask;

    for (; index->table[place]; place = (place + 1) & mask) {
        const struct pair *pair = &index->pairs.items[index->table[place] - 1];

        if (pair->first == first && pair->second == second)
            break;
    }
    return place;
}

static void grow_table(struct pair_index *index)
{
    free(index->table);
    index->table_size = index->table_size ? index->table_size * 2 : 64;
    index->table = memory_new(index->table_size, sizeof(*index->table));
    for (uint32_t id = 0; id < index->pairs.count; id++) {
        const struct pair *pair = &index->pairs.items[id];

        index->table[find_place(index, pair->first, pair->second)] = id + 1;
    }
}

void pair_index_done(struct pair_index *index)
{
    vec_done(&index->pairs);
    free(index->table);
    *index = (struct pair_index){0};
}

uint32_t pair_index_add(struct pair_index *index, uint64_t first, uint64_t second)
{
    uint32_t place = 0;

    if (index->pairs.count * 2 >= index->table_size)
        grow_table(index);
    place = find_place(index, first, second);
    if (!index->table[place]) {
        *vec_add(&index->pairs) = (struct pair){first, second};
        index->table[place] = (uint32_t)index->pairs.count;
    }
    return index->table[place] - 1;
}

bool pair_index_has(const struct pair_index *index, uint64_t first, uint64_t second)
{
    return index->table_size > 0 && index->table[find_place(index, first, second)] != 0;
}

uint32_t pair_index_find(const struct pair_index *index, uint64_t first, uint64_t second)
{
    /* A free place holds 0, and 0 - 1 is what says that there is none. */
    return index->table ? index->table[find_place(index, first, second)] - 1 : UINT32_MAX;
}

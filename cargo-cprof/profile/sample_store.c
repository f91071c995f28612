#include "profile/sample_store.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/packing.h"

enum { NS_PER_SECOND = 1000000000 };

void sample_store_done(struct sample_store *store)
{
    for (size_t i = 0; i < store->blocks.count; i++)
        free(store->blocks.items[i].owned);
    vec_done(&store->blocks);
    free(store->open);
    free(store->sum_table);
    vec_done(&store->sums);
    vec_done(&store->seconds);
    *store = (struct sample_store){0};
}

static void add_value(uint64_t *sum, uint64_t value)
{
    if (__builtin_add_overflow(*sum, value, sum))
        *sum = UINT64_MAX;
}

/* Of thread and stack together (Fibonacci hashing); the upper bits are the good ones. */
static uint32_t hash_of(uint32_t thread, uint32_t stack)
{
    uint64_t product = (((uint64_t)thread << 32) + stack) * UINT64_C(0x9e3779b97f4a7c15);

    return (uint32_t)((product ^ product >> 29) >> 16);
}

/* Where the sum of thread and stack is noted, or would be. The table has a free place. */
static uint32_t place_of(const struct sample_store *store, uint32_t thread, uint32_t stack)
{
    uint32_t mask = store->sum_table_size - 1;
    uint32_t place = hash_of(thread, stack) & mask;

    for (; store->sum_table[place]; place = (place + 1) & mask) {
        const struct sample_sum *sum = &store->sums.items[store->sum_table[place] - 1];

        if (sum->thread == thread && sum->stack == stack)
            break;
    }
    return place;
}

static void grow_sum_table(struct sample_store *store)
{
    free(store->sum_table);
    store->sum_table_size = store->sum_table_size ? store->sum_table_size * 2 : 64;
    store->sum_table = memory_new(store->sum_table_size, sizeof(*store->sum_table));
    for (uint32_t i = 0; i < store->sums.count; i++) {
        const struct sample_sum *sum = &store->sums.items[i];

        store->sum_table[place_of(store, sum->thread, sum->stack)] = i + 1;
    }
}

static void add_to_sums(struct sample_store *store, const struct profile_sample *sample)
{
    struct sample_sum *sum = NULL;
    uint32_t place = 0;

    if (store->sums.count >= store->sum_table_size / 4 * 3)
        grow_sum_table(store);
    place = place_of(store, sample->thread, sample->stack);
    if (!store->sum_table[place]) {
        *vec_add(&store->sums) = (struct sample_sum){.thread = sample->thread, .stack = sample->stack};
        store->sum_table[place] = (uint32_t)store->sums.count;
    }
    sum = &store->sums.items[store->sum_table[place] - 1];
    sum->count++;
    add_value(&sum->value, sample->value);
}

static void add_to_seconds(struct sample_store *store, const struct profile_sample *sample)
{
    uint64_t second = sample->time_ns / NS_PER_SECOND;
    struct sample_second *last = NULL;

    if (store->seconds.count == 0 || store->seconds.items[store->seconds.count - 1].second != second)
        *vec_add(&store->seconds) = (struct sample_second){.second = second};
    last = &store->seconds.items[store->seconds.count - 1];
    last->count++;
    add_value(&last->value, sample->value);
}

void sample_store_add(struct sample_store *store, struct profile_sample sample)
{
    if (!store->open)
        store->open = memory_new(SAMPLE_BLOCK_MOST, sizeof(*store->open));
    store->open[store->open_count++] = sample;
    store->count++;
    add_to_sums(store, &sample);
    add_to_seconds(store, &sample);
    if (store->open_count == SAMPLE_BLOCK_MOST)
        sample_store_close_block(store);
}

void sample_store_close_block(struct sample_store *store)
{
    struct text bytes = {0};

    if (store->open_count == 0)
        return;
    sample_block_encode(&bytes, store->open, store->open_count);
    /* Without the room that a growing text keeps. */
    bytes.data = memory_resize(bytes.data, bytes.length, 1);
    *vec_add(&store->blocks) = (struct sample_block){
        .bytes = text_slice(&bytes),
        .owned = bytes.data,
        .content_bytes = bytes.length,
        .count = store->open_count,
        .first_time_ns = store->open[0].time_ns,
        .last_time_ns = store->open[store->open_count - 1].time_ns,
    };
    store->open_count = 0;
}

uint64_t sample_store_start_ns(const struct sample_store *store)
{
    if (store->blocks.count > 0)
        return store->blocks.items[0].first_time_ns;
    return store->open_count > 0 ? store->open[0].time_ns : UINT64_MAX;
}

struct sample_cursor sample_cursor_of(const struct sample_store *store)
{
    return (struct sample_cursor){.store = store};
}

void sample_cursor_done(struct sample_cursor *cursor)
{
    free(cursor->unpacked);
    text_done(&cursor->content);
    *cursor = (struct sample_cursor){0};
}

bool sample_store_unpack(const struct sample_block *block, struct text *content)
{
    if (block->bytes.length == block->content_bytes) {
        text_add(content, block->bytes);
        return true;
    }
    return packing_unpack_zstd(block->bytes, text_extend(content, block->content_bytes),
                               block->content_bytes);
}

static bool unpack(struct sample_cursor *cursor, const struct sample_block *block)
{
    const struct sample_limits none = {UINT32_MAX, UINT32_MAX};
    bool is_read = cursor->store->limits.thread_count > 0;

    text_clear(&cursor->content);
    cursor->count = block->count;
    return sample_store_unpack(block, &cursor->content) &&
           sample_block_decode(text_slice(&cursor->content), block->count,
                               is_read ? cursor->store->limits : none, cursor->unpacked) &&
           cursor->unpacked[0].time_ns == block->first_time_ns &&
           cursor->unpacked[block->count - 1].time_ns == block->last_time_ns;
}

/* Unpacks the next block, or takes those in none yet, which come last. */
static bool next_run(struct sample_cursor *cursor)
{
    const struct sample_store *store = cursor->store;
    size_t block = cursor->next_block++;

    if (block > store->blocks.count || cursor->is_damaged)
        return false;
    if (!cursor->unpacked)
        cursor->unpacked = memory_new(SAMPLE_BLOCK_MOST, sizeof(*cursor->unpacked));
    cursor->at = 0;
    if (block < store->blocks.count) {
        cursor->is_damaged = !unpack(cursor, &store->blocks.items[block]);
        if (cursor->is_damaged)
            cursor->count = 0;
        return !cursor->is_damaged;
    }
    cursor->count = store->open_count;
    if (store->open_count > 0)
        memcpy(cursor->unpacked, store->open, store->open_count * sizeof(*store->open));
    return true;
}

bool sample_cursor_next(struct sample_cursor *cursor, struct profile_sample *out)
{
    while (cursor->at == cursor->count)
        if (!next_run(cursor))
            return false;
    *out = cursor->unpacked[cursor->at++];
    return true;
}

#include "profile/sample_store.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "profile/chunks.h"
#include "profile/totals.h"

enum { NS_PER_SECOND = 1000000000 };

void sample_store_done(struct sample_store *store)
{
    for (size_t i = 0; i < store->blocks.count; i++)
        free(store->blocks.items[i].owned);
    vec_done(&store->blocks);
    free(store->open);
    sample_sums_done(&store->sums);
    vec_done(&store->seconds);
    *store = (struct sample_store){0};
}

static void add_to_seconds(struct sample_store *store, const struct profile_sample *sample)
{
    uint64_t second = sample->time_ns / NS_PER_SECOND;
    struct sample_second *last = NULL;

    if (store->seconds.count == 0 || store->seconds.items[store->seconds.count - 1].second != second)
        *vec_add(&store->seconds) = (struct sample_second){.second = second};
    last = &store->seconds.items[store->seconds.count - 1];
    last->count++;
    weight_add(&last->value, sample->value);
}

static void close_block(struct sample_store *store)
{
    struct sample_block block = {.count = store->open_count};
    struct text content = {0};

    if (store->open_count == 0)
        return;
    block.first_time_ns = store->open[0].time_ns;
    block.last_time_ns = store->open[store->open_count - 1].time_ns;
    sample_block_encode(&content, store->open, store->open_count);
    block.content_bytes = content.length;
    /* Short recordings need neither the file nor what packs. */
    if (store->file && store->open_count == SAMPLE_BLOCK_MOST) {
        block.number = block_file_add(store->file, &content);
    } else {
        /* Without the room that a growing text keeps. */
        block.owned = memory_resize(content.data, content.length, 1);
        block.stored = (struct slice){block.owned, content.length};
    }
    *vec_add(&store->blocks) = block;
    store->open_count = 0;
}

void sample_store_add(struct sample_store *store, struct profile_sample sample)
{
    if (!store->open)
        store->open = memory_new(SAMPLE_BLOCK_MOST, sizeof(*store->open));
    store->open[store->open_count++] = sample;
    store->count++;
    add_to_seconds(store, &sample);
    if (store->open_count == SAMPLE_BLOCK_MOST)
        close_block(store);
}

uint64_t sample_store_start_ns(const struct sample_store *store)
{
    if (store->blocks.count > 0)
        return store->blocks.items[0].first_time_ns;
    return store->open_count > 0 ? store->open[0].time_ns : UINT64_MAX;
}

uint64_t sample_store_end_ns(const struct sample_store *store)
{
    if (store->open_count > 0)
        return store->open[store->open_count - 1].time_ns;
    return store->blocks.count > 0 ? store->blocks.items[store->blocks.count - 1].last_time_ns : 0;
}

struct sample_cursor sample_cursor_of(const struct sample_store *store)
{
    return (struct sample_cursor){.store = store};
}

void sample_cursor_done(struct sample_cursor *cursor)
{
    free(cursor->unpacked);
    text_done(&cursor->stored);
    text_done(&cursor->content);
    *cursor = (struct sample_cursor){0};
}

bool sample_store_stored(const struct sample_store *store, const struct sample_block *block,
                         struct text *scratch, struct slice *stored)
{
    *stored = block->stored;
    if (stored->data || !store->file) /* a damaged file may have a block of no bytes */
        return stored->data != NULL;
    return block_file_read(store->file, block->number, scratch, stored);
}

static bool unpack(struct sample_cursor *cursor, const struct sample_block *block)
{
    const struct sample_limits none = {UINT32_MAX, UINT32_MAX};
    bool is_read = cursor->store->limits.thread_count > 0;
    struct slice stored = {0};

    text_clear(&cursor->content);
    cursor->count = block->count;
    return sample_store_stored(cursor->store, block, &cursor->stored, &stored) &&
           chunks_unpack(stored, block->content_bytes, &cursor->content) &&
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

bool sample_store_finish(struct sample_store *store)
{
    struct sample_cursor cursor = {.store = store, .next_block = store->summed_count};
    struct profile_sample sample;
    bool is_read = false;

    close_block(store);
    while (sample_cursor_next(&cursor, &sample))
        sample_sums_add(&store->sums, (struct sample_sum){sample.thread, sample.stack, 1, sample.value});
    sample_sums_settle(&store->sums);
    is_read = !cursor.is_damaged;
    sample_cursor_done(&cursor);
    store->summed_count = store->blocks.count;
    return is_read;
}

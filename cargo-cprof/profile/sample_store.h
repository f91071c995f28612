/*
 * The samples of a series, packed: some six bytes each instead of 24, so that a recording may go on for
 * hours. What they add up to by thread and stack, and by second, is kept as they come; only what needs
 * their order in time unpacks them.
 */
#ifndef PROFILE_SAMPLE_STORE_H
#define PROFILE_SAMPLE_STORE_H

#include "base/vec.h"
#include "profile/sample_block.h"

struct sample_block {
    struct slice bytes;   /* as of sample_block_encode, or a zstd frame that holds that; borrowed from */
    char *owned;          /* here, when it is the store's own, else from the file it was read from */
    size_t content_bytes; /* unpacked; the same as bytes.length when they are not packed */
    size_t count;
    uint64_t first_time_ns;
    uint64_t last_time_ns;
};

/* All samples of one thread with one stack. */
struct sample_sum {
    uint32_t thread;
    uint32_t stack;
    uint64_t count;
    uint64_t value; /* stops at UINT64_MAX */
};

/* All samples of one second. */
struct sample_second {
    uint64_t second; /* of the clock: its time_ns / 1,000,000,000 */
    uint64_t count;
    uint64_t value; /* stops at UINT64_MAX */
};

/* Zero-initialised is empty and ready. */
struct sample_store {
    struct sample_limits limits; /* of what was read; zeroed for a recording, which needs none */
    uint64_t count;
    VEC(struct sample_block) blocks;
    struct profile_sample *open; /* owned; SAMPLE_BLOCK_MOST places for those in no block yet; NULL: none */
    size_t open_count;
    VEC(struct sample_sum) sums;
    uint32_t
        *sum_table; /* owned; open addressing by thread and stack: index in `sums` + 1, 0 for a free place */
    uint32_t sum_table_size; /* 0 or a power of two; 0 for what was read, to which nothing is added */
    VEC(struct sample_second) seconds; /* those that have samples, rising */
};

void sample_store_done(struct sample_store *store);

/* Its time is not before that of the last one. */
void sample_store_add(struct sample_store *store, struct profile_sample sample);

/* The time of the first sample; UINT64_MAX when there is none. */
uint64_t sample_store_start_ns(const struct sample_store *store);

/* Appends what a block holds, as of sample_block_encode. False when it is damaged. */
bool sample_store_unpack(const struct sample_block *block, struct text *content);

/* Puts those that are in no block yet into one. */
void sample_store_close_block(struct sample_store *store);

/*
 * A walk over the samples in the order of time:
 *
 *     struct sample_cursor cursor = sample_cursor_of(store);
 *     while (sample_cursor_next(&cursor, &sample))
 *
 * To be released with sample_cursor_done. The store does not change meanwhile. A block of a file that was
 * made to deceive, damaged below a right checksum, ends the walk; `is_damaged` then tells so.
 */
struct sample_cursor {
    const struct sample_store *store;
    bool is_damaged;
    struct text content;             /* owned; scratch */
    struct profile_sample *unpacked; /* owned; of the block before next_block */
    size_t next_block;
    size_t at;
    size_t count;
};

struct sample_cursor sample_cursor_of(const struct sample_store *store);
void sample_cursor_done(struct sample_cursor *cursor);
bool sample_cursor_next(struct sample_cursor *cursor, struct profile_sample *out);

#endif

/*
 * The samples of a series, packed: some six bytes each instead of 24, and fewer where they go to a file, so
 * that a recording may go on for hours. What they add up to by second is known as they come; by thread and
 * stack it is worked out when all are there, for that takes longer than a sampler can be kept waiting.
 */
#ifndef PROFILE_SAMPLE_STORE_H
#define PROFILE_SAMPLE_STORE_H

#include "base/vec.h"
#include "profile/block_file.h"
#include "profile/sample_block.h"
#include "profile/sample_sums.h"

struct sample_block {
    struct slice stored;  /* as of sample_block_encode, or as chunks_pack packs that; borrowed from */
    char *owned;          /* here, when it is the store's own, else from the profile file it was read from; */
    size_t number;        /* when there is none, the block's in the store's file */
    size_t content_bytes; /* unpacked: as many as are stored when they are not packed */
    size_t count;
    uint64_t first_time_ns;
    uint64_t last_time_ns;
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
    struct sample_sums sums; /* of the first `summed_count` blocks */
    size_t summed_count;
    struct block_file *file;           /* borrowed; where full blocks are kept from now on; NULL: here */
    VEC(struct sample_second) seconds; /* those that have samples, rising */
};

void sample_store_done(struct sample_store *store);

/* Its time is not before that of the last one. */
void sample_store_add(struct sample_store *store, struct profile_sample sample);

/* The time of the first sample; UINT64_MAX when there is none. */
uint64_t sample_store_start_ns(const struct sample_store *store);

/* The time of the last sample; 0 when there is none. */
uint64_t sample_store_end_ns(const struct sample_store *store);

/*
 * A block's bytes as they are stored, where they lie or read into `scratch`, which is cleared. False when
 * they cannot be read.
 */
bool sample_store_stored(const struct sample_store *store, const struct sample_block *block,
                         struct text *scratch, struct slice *stored);

/*
 * To be called when all samples were added: puts those that are in no block yet into one and adds all up.
 * False when some cannot be read back from the store's file.
 */
MUST_CHECK bool sample_store_finish(struct sample_store *store);

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
    struct text stored;              /* owned; scratch */
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

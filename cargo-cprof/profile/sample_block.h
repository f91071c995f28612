/*
 * A run of samples packed into bytes, column by column: what a recording keeps in memory and what a profile
 * file holds (docs/formats.md). Numbers are LEB128 (DWARF 5, §7.6):
 *
 *     times    of each sample, what it is later than the one before; of the first, its time
 *     threads  as pairs: a thread, how many samples in a row are of it
 *     stacks   of each sample, how far its id plus 1 lies from that of the one before, the sign in bit 0;
 *              no stack counts as 0, and so does what is before the first
 *     values   as pairs, like threads
 */
#ifndef PROFILE_SAMPLE_BLOCK_H
#define PROFILE_SAMPLE_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"
#include "base/text.h"

/* In place of an id: there is none. */
#define PROFILE_NONE UINT32_MAX

struct profile_sample {
    uint64_t time_ns; /* of the clock that the recording used, rising */
    uint64_t value;   /* in the series' unit */
    uint32_t thread;
    uint32_t stack; /* PROFILE_NONE when no frame is known */
};

/* Blocks hold up to so many samples. */
enum { SAMPLE_BLOCK_MOST = 8192 };

/* What the ids in a block lie below. */
struct sample_limits {
    uint32_t thread_count;
    uint32_t stack_count;
};

/* Appends `count` samples, at most SAMPLE_BLOCK_MOST, whose times rise. */
void sample_block_encode(struct text *bytes, const struct profile_sample *samples, size_t count);

/*
 * Fills `out` with `count` samples. Returns false when the bytes are not exactly so many, hold a number that
 * is too large, or an id beyond the limits; `out` is then of no use.
 */
bool sample_block_decode(struct slice bytes, size_t count, struct sample_limits limits,
                         struct profile_sample *out);

#endif

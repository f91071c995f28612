/*
 * What samples add up to by thread and stack, packed: some six bytes each, as there may be millions. They are
 * in order, so that a profile file holds them as they are (docs/formats.md). Numbers are LEB128 (DWARF 5,
 * §7.6); of each sum
 *
 *     how far its thread lies from that of the one before, or from 0;
 *     its stack's id plus 1 (0: no stack), as what it lies further than that of the one before where the
 *     thread is the same;
 *     how many samples it is of, and the sum of their values.
 */
#ifndef PROFILE_SAMPLE_SUMS_H
#define PROFILE_SAMPLE_SUMS_H

#include "base/bytes.h"
#include "base/vec.h"
#include "profile/sample_block.h"

/* All samples of one thread with one stack. */
struct sample_sum {
    uint32_t thread;
    uint32_t stack; /* PROFILE_NONE: none is known */
    uint64_t count;
    uint64_t value; /* stops at UINT64_MAX */
};

/* Zero-initialised is empty and ready; to be released with sample_sums_done. */
struct sample_sums {
    size_t count; /* of the packed ones */
    struct text packed;
    VEC(struct sample_sum) loose; /* those that are not among the packed ones yet */
};

void sample_sums_done(struct sample_sums *sums);

/* Adds what may be there in part: counts and values of one thread and stack add up. */
void sample_sums_add(struct sample_sums *sums, struct sample_sum sum);

/* To be called before sums are walked over or written: packs what was added. */
void sample_sums_settle(struct sample_sums *sums);

/*
 * Takes `count` sums over from `bytes`, which are behind them then. False when they are none, are out of
 * order, refer to what is beyond the limits, or are not of `sample_count` samples together; `out` is then
 * untouched.
 */
bool sample_sums_read(struct bytes *bytes, size_t count, struct sample_limits limits, uint64_t sample_count,
                      struct sample_sums *out);

/*
 * A walk by thread, then by stack, "none" first:
 *
 *     struct sums_cursor cursor = sums_cursor_of(sums);
 *     while (sums_cursor_next(&cursor, &sum))
 *
 * The sums are settled and do not change meanwhile. There is nothing to release.
 */
struct sums_cursor {
    struct bytes bytes;
    struct sample_sum before; /* of no count at the start */
    bool has_begun;
};

struct sums_cursor sums_cursor_of(const struct sample_sums *sums);
bool sums_cursor_next(struct sums_cursor *cursor, struct sample_sum *out);

#endif

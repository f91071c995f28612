#include "profile/sample_sums.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "profile/totals.h"

/* So many are sorted at once: 24 MiB, and as much again while they are. */
enum { MOST_LOOSE = 1 << 20 };

void sample_sums_done(struct sample_sums *sums)
{
    text_done(&sums->packed);
    vec_done(&sums->loose);
    sums->count = 0;
}

void sample_sums_add(struct sample_sums *sums, struct sample_sum sum)
{
    *vec_add(&sums->loose) = sum;
    if (sums->loose.count == MOST_LOOSE)
        sample_sums_settle(sums);
}

/* --- Order --------------------------------------------------------------------------------------------- */

/* Rises in the order of sums: no stack comes first, its id plus 1 is 0. */
static uint64_t key_of(const struct sample_sum *sum)
{
    return (uint64_t)sum->thread << 32 | (uint32_t)(sum->stack + 1);
}

/* Sorts by one byte of the keys, and what is equal there as it was. False when all are equal. */
static bool sort_by_byte(const struct sample_sum *from, size_t count, unsigned shift, struct sample_sum *to)
{
    size_t places[256] = {0};
    size_t at = 0;

    for (size_t i = 0; i < count; i++)
        places[key_of(&from[i]) >> shift & 255]++;
    if (places[key_of(&from[0]) >> shift & 255] == count)
        return false;
    for (size_t byte = 0; byte < ARRAY_COUNT(places); byte++) {
        size_t of_byte = places[byte];

        places[byte] = at;
        at += of_byte;
    }
    for (size_t i = 0; i < count; i++)
        to[places[key_of(&from[i]) >> shift & 255]++] = from[i];
    return true;
}

/* Byte by byte from the lowest, as most keys differ in few: several times faster than comparing. */
static void sort_loose(struct sample_sums *sums)
{
    SCOPED(memory_free_at) struct sample_sum *other = memory_new(sums->loose.count, sizeof(*other));

    for (unsigned shift = 0; shift < 64; shift += 8) {
        struct sample_sum *from = sums->loose.items;

        if (!sort_by_byte(from, sums->loose.count, shift, other))
            continue;
        sums->loose.items = other;
        sums->loose.capacity = sums->loose.count;
        other = from;
    }
}

/* --- Packing ------------------------------------------------------------------------------------------- */

/* What is being written, in order. */
struct packer {
    struct text bytes;
    size_t count;
    struct sample_sum last; /* written when another one follows */
    struct sample_sum before;
    bool has_last;
};

static void write_last(struct packer *packer)
{
    const struct sample_sum *sum = &packer->last;
    const struct sample_sum *before = &packer->before;
    bool is_same_thread = packer->count > 0 && before->thread == sum->thread;

    text_add_uleb128(&packer->bytes, sum->thread - (packer->count > 0 ? before->thread : 0));
    text_add_uleb128(&packer->bytes,
                     (uint32_t)(sum->stack + 1) - (is_same_thread ? (uint32_t)(before->stack + 1) : 0));
    text_add_uleb128(&packer->bytes, sum->count);
    text_add_uleb128(&packer->bytes, sum->value);
    packer->before = *sum;
    packer->count++;
}

static void put(struct packer *packer, const struct sample_sum *sum)
{
    struct sample_sum *last = &packer->last;

    if (packer->has_last && key_of(last) == key_of(sum)) {
        last->count += sum->count;
        weight_add(&last->value, sum->value);
        return;
    }
    if (packer->has_last)
        write_last(packer);
    packer->last = *sum;
    packer->has_last = true;
}

void sample_sums_settle(struct sample_sums *sums)
{
    struct sums_cursor cursor = {.bytes = bytes_of(text_slice(&sums->packed), false)};
    struct packer packer = {0};
    struct sample_sum known;
    bool has_known = false;

    if (sums->loose.count == 0)
        return;
    sort_loose(sums);
    has_known = sums_cursor_next(&cursor, &known);
    for (size_t i = 0; i < sums->loose.count; i++) {
        const struct sample_sum *loose = &sums->loose.items[i];

        for (; has_known && key_of(&known) <= key_of(loose); has_known = sums_cursor_next(&cursor, &known))
            put(&packer, &known);
        put(&packer, loose);
    }
    for (; has_known; has_known = sums_cursor_next(&cursor, &known))
        put(&packer, &known);
    write_last(&packer);
    text_done(&sums->packed);
    vec_done(&sums->loose);
    sums->packed = packer.bytes;
    sums->count = packer.count;
}

/* --- Walking ------------------------------------------------------------------------------------------- */

struct sums_cursor sums_cursor_of(const struct sample_sums *sums)
{
    assert(sums->loose.count == 0);
    return (struct sums_cursor){.bytes = bytes_of(text_slice(&sums->packed), false)};
}

/* The next sum's key; false when there is none that is greater than the one before. */
static bool next_key(struct sums_cursor *cursor, struct sample_sum *out)
{
    uint64_t thread = bytes_uleb128(&cursor->bytes);
    uint64_t stack = bytes_uleb128(&cursor->bytes); /* the id plus 1 */

    if (cursor->bytes.failed || thread > UINT32_MAX || stack > UINT32_MAX)
        return false;
    if (cursor->has_begun && thread == 0) {
        if (stack == 0)
            return false;
        stack += (uint32_t)(cursor->before.stack + 1);
    }
    if (cursor->has_begun)
        thread += cursor->before.thread;
    *out = (struct sample_sum){.thread = (uint32_t)thread, .stack = (uint32_t)stack - 1};
    return thread <= UINT32_MAX && stack <= UINT32_MAX;
}

bool sums_cursor_next(struct sums_cursor *cursor, struct sample_sum *out)
{
    struct sample_sum sum;

    if (bytes_left(&cursor->bytes) == 0 || !next_key(cursor, &sum))
        return false;
    sum.count = bytes_uleb128(&cursor->bytes);
    sum.value = bytes_uleb128(&cursor->bytes);
    if (cursor->bytes.failed)
        return false;
    cursor->before = sum;
    cursor->has_begun = true;
    *out = sum;
    return true;
}

bool sample_sums_read(struct bytes *bytes, size_t count, struct sample_limits limits, uint64_t sample_count,
                      struct sample_sums *out)
{
    struct sums_cursor cursor = {.bytes = *bytes};
    struct sample_sum sum;
    uint64_t counted = 0;

    for (size_t i = 0; i < count; i++)
        if (!sums_cursor_next(&cursor, &sum) || sum.thread >= limits.thread_count ||
            (uint32_t)(sum.stack + 1) > limits.stack_count || sum.count == 0 ||
            __builtin_add_overflow(counted, sum.count, &counted))
            return false;
    if (counted != sample_count)
        return false;
    text_add(&out->packed, slice_range(bytes->all, bytes->at, cursor.bytes.at));
    out->count = count;
    *bytes = cursor.bytes;
    return true;
}

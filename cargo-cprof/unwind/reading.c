#include "unwind/reading.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
    TAIL_BYTES = 4096,
    LEAST_TAIL_BYTES = 256, /* fewer words may be the same by chance */
};

bool reading_is_memory(struct reading_source source, uint64_t address)
{
    char byte = 0;

    return source.read(source.context, address, sizeof(byte), &byte) == sizeof(byte);
}

void reading_done(struct reading *reading, size_t *total_bytes)
{
    *total_bytes -= reading->capacity;
    free(reading->bytes);
    *reading = (struct reading){0};
}

bool reading_make_room(struct reading *reading, size_t length, size_t *total_bytes)
{
    reading->length = 0;
    if (*total_bytes - reading->capacity + length > READING_MOST_IN_ALL)
        return false;
    if (reading->capacity >= length)
        return true;
    free(reading->bytes);
    reading->bytes = memory_new(length, 1);
    *total_bytes += length - reading->capacity;
    reading->capacity = length;
    return true;
}

uint64_t reading_end_of_copy(const struct unwind_request *walk)
{
    return walk->stack_start + walk->stack.length;
}

uint64_t reading_start_for(const struct unwind_request *walk)
{
    return walk->stack_start & ~(uint64_t)(READING_PAGE_BYTES - 1);
}

static size_t tail_bytes(const struct unwind_request *walk)
{
    size_t quarter = walk->stack.length / 4;

    return quarter < TAIL_BYTES ? quarter : TAIL_BYTES;
}

uint64_t reading_tail_start(const struct unwind_request *walk)
{
    return reading_end_of_copy(walk) - tail_bytes(walk);
}

/*
 * What is above the copy first: were it the other way round, callers could change after their callees had
 * been found unchanged.
 */
bool reading_fill(struct reading *reading, struct reading_source source, const struct unwind_request *walk,
                  uint64_t end)
{
    uint64_t start = reading_start_for(walk);
    uint64_t middle = reading_end_of_copy(walk);
    size_t below = middle - start;
    size_t above = source.read(source.context, middle, end - middle, reading->bytes + below);

    reading->length = 0;
    if (above == 0 || source.read(source.context, start, below, reading->bytes) < below)
        return false;
    reading->start = start;
    reading->middle = middle;
    reading->length = below + above;
    reading->is_to_end = above < end - middle;
    return true;
}

bool reading_holds(const struct reading *reading, uint64_t start, size_t length)
{
    uint64_t offset = start - reading->start; /* of what lies before: past any length */

    return reading->length >= length && offset <= reading->length - length;
}

/* Whether at most one word in 64 of those from `start` on, of which both have `length` bytes, is another. */
static bool is_nearly_same(const struct reading *reading, const struct unwind_request *walk, uint64_t start,
                           size_t length)
{
    enum { WORD = sizeof(uint64_t), FEW = 64 };
    const char *here = reading->bytes + (start - reading->start);
    const char *there = walk->stack.data + (start - walk->stack_start);
    size_t may_change = length / WORD / FEW;

    for (size_t i = 0; i < length / WORD; i++)
        if (memcmp(here + i * WORD, there + i * WORD, WORD) != 0 && may_change-- == 0)
            return false;
    return true;
}

/* Whether the reading has what the sample's copy has in the words up to `end`; see reading_has_tail. */
static bool agrees(const struct reading *reading, const struct unwind_request *walk, uint64_t end,
                   uint64_t frame_start)
{
    size_t length = tail_bytes(walk);
    uint64_t start = end - length;

    if (length < LEAST_TAIL_BYTES || start < walk->stack_start || !reading_holds(reading, start, length))
        return false;
    if (memcmp(reading->bytes + (start - reading->start), walk->stack.data + (start - walk->stack_start),
               length) == 0)
        return true;
    if (frame_start > start)
        return false;
    start = frame_start > reading->start ? frame_start : reading->start;
    start = start > walk->stack_start ? start : walk->stack_start;
    return is_nearly_same(reading, walk, start, end - start);
}

bool reading_has_tail(const struct reading *reading, const struct unwind_request *walk, uint64_t frame_start)
{
    return agrees(reading, walk, reading_end_of_copy(walk), frame_start);
}

bool reading_is_around(const struct reading *reading, const struct unwind_request *walk)
{
    uint64_t end = reading_end_of_copy(walk);

    return agrees(reading, walk, end < reading->middle ? end : reading->middle, reading->frame_start);
}

bool reading_is_as_deep(const struct reading *reading, const struct unwind_request *walk)
{
    return reading->length > 0 && walk->stack_start + tail_bytes(walk) <= reading->middle;
}

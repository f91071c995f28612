#include "process/address_space.h"

#include <string.h>

void address_space_done(struct address_space *space)
{
    vec_done(&space->mappings);
}

void address_space_clear(struct address_space *space)
{
    space->mappings.count = 0;
}

void address_space_copy(struct address_space *to, const struct address_space *from)
{
    to->mappings.count = 0;
    for (size_t i = 0; i < from->mappings.count; i++)
        *vec_add(&to->mappings) = from->mappings.items[i];
}

/* Index of the first mapping that ends past the address. */
static size_t first_ending_past(const struct address_space *space, uint64_t avma)
{
    size_t low = 0;
    size_t high = space->mappings.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (space->mappings.items[middle].end_avma > avma)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Puts a mapping at this index. */
static void insert(struct address_space *space, size_t index, struct mapping mapping)
{
    (void)vec_add(&space->mappings);
    memmove(&space->mappings.items[index + 1], &space->mappings.items[index],
            (space->mappings.count - 1 - index) * sizeof(mapping));
    space->mappings.items[index] = mapping;
}

static void remove_range(struct address_space *space, size_t first, size_t end)
{
    if (first == end)
        return;
    memmove(&space->mappings.items[first], &space->mappings.items[end],
            (space->mappings.count - end) * sizeof(struct mapping));
    space->mappings.count -= end - first;
}

/* Frees a range, so that nothing overlaps it; returns the index at which it may be put. */
static size_t make_room(struct address_space *space, uint64_t start, uint64_t end)
{
    size_t first = first_ending_past(space, start);
    size_t past;

    if (first < space->mappings.count && space->mappings.items[first].start_avma < start) {
        struct mapping rest = space->mappings.items[first];

        space->mappings.items[first].end_avma = start;
        rest.file_offset += start - rest.start_avma;
        rest.start_avma = start;
        insert(space, ++first, rest);
    }
    for (past = first; past < space->mappings.count; past++) {
        struct mapping *old = &space->mappings.items[past];

        if (old->end_avma > end && old->start_avma < end) {
            old->file_offset += end - old->start_avma;
            old->start_avma = end;
        }
        if (old->start_avma >= end)
            break;
    }
    remove_range(space, first, past);
    return first;
}

void address_space_add(struct address_space *space, struct mapping mapping)
{
    if (mapping.start_avma < mapping.end_avma)
        insert(space, make_room(space, mapping.start_avma, mapping.end_avma), mapping);
}

const struct mapping *address_space_find(const struct address_space *space, uint64_t avma)
{
    size_t index = first_ending_past(space, avma);

    if (index == space->mappings.count || space->mappings.items[index].start_avma > avma)
        return NULL;
    return &space->mappings.items[index];
}

#include "process/address_space.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/*
 * By address, never overlapping. The room for further ones is a gap where the last one was added: mmap(2)
 * goes downward in addresses, others upward, and either adds the next one near the last, so that few have to
 * move.
 */
struct mapping_list {
    struct mapping *items; /* owned */
    size_t count;
    size_t capacity;
    size_t below_count; /* before the gap; those past it end where the room ends */
    size_t owner_count;
};

void address_space_done(struct address_space *space)
{
    struct mapping_list *list = space->list;

    space->list = NULL;
    if (!list || --list->owner_count > 0)
        return;
    free(list->items);
    free(list);
}

void address_space_clear(struct address_space *space)
{
    address_space_done(space);
}

void address_space_copy(struct address_space *to, const struct address_space *from)
{
    struct mapping_list *list = from->list;

    if (list)
        list->owner_count++;
    address_space_done(to);
    to->list = list;
}

static size_t gap_count(const struct mapping_list *list)
{
    return list->capacity - list->count;
}

/* By address, from 0 to below the count. */
static const struct mapping *mapping_at(const struct mapping_list *list, size_t index)
{
    return &list->items[index < list->below_count ? index : index + gap_count(list)];
}

size_t address_space_count(const struct address_space *space)
{
    return space->list ? space->list->count : 0;
}

const struct mapping *address_space_at(const struct address_space *space, size_t index)
{
    return mapping_at(space->list, index);
}

/* The list, to be changed: nobody else's. */
static struct mapping_list *own_list(struct address_space *space)
{
    struct mapping_list *own = space->list;

    if (own && own->owner_count == 1)
        return own;
    own = memory_new(1, sizeof(*own));
    own->owner_count = 1;
    own->count = own->below_count = own->capacity = address_space_count(space);
    own->items = memory_resize(NULL, own->capacity, sizeof(*own->items));
    for (size_t i = 0; i < own->count; i++)
        own->items[i] = *address_space_at(space, i);
    address_space_done(space);
    space->list = own;
    return own;
}

/* Index of the first mapping that ends past the address. */
static size_t first_ending_past(const struct mapping_list *list, uint64_t avma)
{
    size_t low = 0;
    size_t high = list->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (mapping_at(list, middle)->end_avma > avma)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void move(struct mapping_list *list, size_t to, size_t from, size_t count)
{
    memmove(&list->items[to], &list->items[from], count * sizeof(*list->items));
}

/* Moves the gap to this index. */
static void gap_to(struct mapping_list *list, size_t index)
{
    size_t gap = gap_count(list);

    if (index < list->below_count)
        move(list, index + gap, index, list->below_count - index);
    else
        move(list, list->below_count, list->below_count + gap, index - list->below_count);
    list->below_count = index;
}

/* Adds a mapping at the start of the gap. */
static void add_below(struct mapping_list *list, struct mapping mapping)
{
    size_t above_count = list->count - list->below_count;

    if (gap_count(list) == 0) {
        list->capacity = list->capacity > 0 ? list->capacity * 2 : 8;
        list->items = memory_resize(list->items, list->capacity, sizeof(*list->items));
        move(list, list->capacity - above_count, list->below_count, above_count);
    }
    list->items[list->below_count++] = mapping;
    list->count++;
}

/* The first mapping past the gap, or NULL. */
static struct mapping *first_above(struct mapping_list *list)
{
    return list->count > list->below_count ? &list->items[list->below_count + gap_count(list)] : NULL;
}

static void cut_start(struct mapping *mapping, uint64_t start)
{
    mapping->file_offset += start - mapping->start_avma;
    mapping->start_avma = start;
}

/* Frees a range, so that nothing overlaps it; the gap is there. */
static void make_room(struct mapping_list *list, uint64_t start, uint64_t end)
{
    struct mapping *old = NULL;

    gap_to(list, first_ending_past(list, start));
    old = first_above(list);
    if (old && old->start_avma < start) {
        struct mapping before = *old;

        before.end_avma = start;
        cut_start(old, start);
        add_below(list, before);
        old = first_above(list);
    }
    for (; old && old->end_avma <= end; old = first_above(list))
        list->count--;
    if (old && old->start_avma < end)
        cut_start(old, end);
}

void address_space_add(struct address_space *space, struct mapping mapping)
{
    struct mapping_list *list = NULL;

    if (mapping.start_avma >= mapping.end_avma)
        return;
    list = own_list(space);
    make_room(list, mapping.start_avma, mapping.end_avma);
    add_below(list, mapping);
}

const struct mapping *address_space_find(const struct address_space *space, uint64_t avma)
{
    const struct mapping_list *list = space->list;
    size_t index = 0;

    if (!list)
        return NULL;
    index = first_ending_past(list, avma);
    if (index == list->count || mapping_at(list, index)->start_avma > avma)
        return NULL;
    return mapping_at(list, index);
}

void address_space_settle(struct address_space *space, uint64_t avma, bool is_copy)
{
    struct mapping_list *list = space->list;
    size_t index = list ? first_ending_past(list, avma) : 0;
    struct mapping *mapping = NULL;

    if (!list || index == list->count)
        return;
    gap_to(list, index);
    mapping = first_above(list);
    if (mapping->start_avma > avma || !mapping->may_be_copy)
        return;
    mapping->may_be_copy = false;
    if (is_copy)
        mapping->module = mapping->original;
}

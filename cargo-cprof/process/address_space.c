#include "process/address_space.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Sorted, never overlapping. */
struct mapping_list {
    VEC(struct mapping) items;
    size_t owner_count;
};

void address_space_done(struct address_space *space)
{
    struct mapping_list *list = space->list;

    space->list = NULL;
    if (!list || --list->owner_count > 0)
        return;
    vec_done(&list->items);
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

size_t address_space_count(const struct address_space *space)
{
    return space->list ? space->list->items.count : 0;
}

const struct mapping *address_space_at(const struct address_space *space, size_t index)
{
    return &space->list->items.items[index];
}

/* The list, to be changed: nobody else's. */
static struct mapping_list *own_list(struct address_space *space)
{
    struct mapping_list *own = space->list;

    if (own && own->owner_count == 1)
        return own;
    own = memory_new(1, sizeof(*own));
    own->owner_count = 1;
    for (size_t i = 0; i < address_space_count(space); i++)
        *vec_add(&own->items) = *address_space_at(space, i);
    address_space_done(space);
    space->list = own;
    return own;
}

/* Index of the first mapping that ends past the address. */
static size_t first_ending_past(const struct mapping_list *list, uint64_t avma)
{
    size_t low = 0;
    size_t high = list->items.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (list->items.items[middle].end_avma > avma)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Puts a mapping at this index. */
static void insert(struct mapping_list *list, size_t index, struct mapping mapping)
{
    (void)vec_add(&list->items);
    memmove(&list->items.items[index + 1], &list->items.items[index],
            (list->items.count - 1 - index) * sizeof(mapping));
    list->items.items[index] = mapping;
}

static void remove_range(struct mapping_list *list, size_t first, size_t end)
{
    if (first == end)
        return;
    memmove(&list->items.items[first], &list->items.items[end],
            (list->items.count - end) * sizeof(struct mapping));
    list->items.count -= end - first;
}

/* Frees a range, so that nothing overlaps it; returns the index at which it may be put. */
static size_t make_room(struct mapping_list *list, uint64_t start, uint64_t end)
{
    size_t first = first_ending_past(list, start);
    size_t past;

    if (first < list->items.count && list->items.items[first].start_avma < start) {
        struct mapping rest = list->items.items[first];

        list->items.items[first].end_avma = start;
        rest.file_offset += start - rest.start_avma;
        rest.start_avma = start;
        insert(list, ++first, rest);
    }
    for (past = first; past < list->items.count; past++) {
        struct mapping *old = &list->items.items[past];

        if (old->end_avma > end && old->start_avma < end) {
            old->file_offset += end - old->start_avma;
            old->start_avma = end;
        }
        if (old->start_avma >= end)
            break;
    }
    remove_range(list, first, past);
    return first;
}

void address_space_add(struct address_space *space, struct mapping mapping)
{
    struct mapping_list *list = NULL;

    if (mapping.start_avma >= mapping.end_avma)
        return;
    list = own_list(space);
    insert(list, make_room(list, mapping.start_avma, mapping.end_avma), mapping);
}

const struct mapping *address_space_find(const struct address_space *space, uint64_t avma)
{
    const struct mapping_list *list = space->list;
    size_t index = 0;

    if (!list)
        return NULL;
    index = first_ending_past(list, avma);
    if (index == list->items.count || list->items.items[index].start_avma > avma)
        return NULL;
    return &list->items.items[index];
}

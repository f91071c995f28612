#include "base/vec.h"

#include "base/memory.h"

void *vec_room(void *items, size_t count, size_t *capacity, size_t item_bytes)
{
    if (count < *capacity)
        return items;
    *capacity = *capacity ? *capacity * 2 : 8;
    return memory_resize(items, *capacity, item_bytes);
}

void *vec_fit(void *items, size_t count, size_t *capacity, size_t item_bytes)
{
    *capacity = count;
    return memory_resize(items, count, item_bytes);
}

#include "facts/global_allocator.h"

bool global_allocator_has(struct slice name)
{
    return slice_find(name, SLICE(" as core::alloc::global::GlobalAlloc>::")) < name.length;
}

#include "facts/global_allocator.h"

bool global_allocator_has(struct slice name)
{
    return slice_has(name, SLICE(" as core::alloc::global::GlobalAlloc>::"));
}

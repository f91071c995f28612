#include "record/heap_warnings.h"

#include <inttypes.h>

#include "cli/command.h"
#include "facts/series_unit.h"
#include "symbolize/own_allocator.h"

static bool has_heap(const struct profile *profile)
{
    for (uint32_t i = 0; i < profile->series.count; i++)
        if (series_is_of_heap(profile, i))
            return true;
    return false;
}

void heap_warn(const struct options *options, const struct collection *collection)
{
    const struct profile *profile = &collection->profile;
    const char *allocator = NULL;

    if (!has_heap(profile))
        return;
    if (collection->heap_program_count == 0) {
        command_warn(options,
                     "no program told of its memory: one that is linked statically, as for musl, or that is "
                     "set-user-ID does not; -e page-faults tells where memory is first written to");
        return;
    }
    allocator = own_allocator_of(profile);
    if (allocator)
        command_warn(options,
                     "what %s gives is not in the heap's figures: it is linked into the program, and malloc "
                     "is not asked; build without it to see that memory",
                     allocator);
    if (collection->heap_missed_count > 0)
        command_warn(options, "%" PRIu64 " times a program could not tell of its memory",
                     collection->heap_missed_count);
}

#include "record/heap_warnings.h"

#include "facts/series_unit.h"
#include "symbolize/own_allocator.h"

/* What is to be said, as far as that depends on nothing but what was recorded; NULL: nothing. */
static const char *doubt_of(const struct collection *collection)
{
    if (collection->heap_foreign_count > 0)
        return "programs in another PID or time namespace, as in a container, tell nothing of their memory: "
               "record them inside of it";
    /* Where a program cut it off nobody knows; that is told as damage. */
    if (collection->heap_program_count == 0 && collection->damaged_count == 0)
        return "no program told of its memory: one that is linked statically, as for musl, that is "
               "set-user-ID or that has a sanitizer does not; -e page-faults tells where memory is first "
               "written to";
    return NULL;
}

void heap_warn(const struct options *options, const struct collection *collection, const char *of,
               struct warnings *warnings)
{
    const struct profile *profile = &collection->profile;
    const char *doubt = doubt_of(collection);
    const char *allocator = NULL;

    if (!series_of_heap_exist(profile))
        return;
    if (doubt)
        warnings_add(warnings, options, "%s%s", of, doubt);
    if (collection->heap_program_count == 0)
        return;
    allocator = own_allocator_of(profile);
    if (allocator)
        warnings_add(
            warnings, options,
            "%swhat %s gives is not in the heap's figures: it is linked into the program, and malloc "
            "is not asked; build without it to see that memory",
            of, allocator);
    if (collection->heap_missed_count > 0)
        warnings_add(warnings, options,
                     "%snot all that programs were given is told: one was stopped, or ended, as it told of "
                     "it, or wrote "
                     "over what is told",
                     of);
}

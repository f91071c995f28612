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

/* Memory that malloc does not give, of programs that may have no sample. */
static void warn_of_elsewhere(const struct options *options, const struct collection *collection,
                              const char *of, struct warnings *warnings)
{
    const struct heap_elsewhere *elsewhere = &collection->heap_elsewhere;
    const char *allocator = own_allocator_of(&collection->profile);
    SCOPED(text_done) struct text name = {0};

    text_add_terminal(&name, slice_of(elsewhere->own_malloc[0] ? elsewhere->own_malloc : elsewhere->program));
    if (allocator)
        warnings_add(
            warnings, options,
            "%swhat %s gives is not in the heap's figures: it is linked into the program, and malloc "
            "is not asked; build without it to see that memory",
            of, allocator);
    else if (elsewhere->own_malloc[0])
        warnings_add(warnings, options,
                     "%swhat %s is given is not in the heap's figures: it brings a malloc of its own, as of "
                     "jemalloc or a sanitizer; build without it to see that memory",
                     of, text_string(&name));
    else if (elsewhere->bytes > 0)
        warnings_add(warnings, options,
                     "%s%s had %llu MiB at its end, and hardly any of malloc: memory of mmap, or of an "
                     "allocator that is linked into it, is not in the heap's figures; -e page-faults tells "
                     "where it is first written to",
                     of, text_string(&name), (unsigned long long)(elsewhere->bytes >> 20));
}

static void warn_of_silent(const struct options *options, const struct heap_silent *silent, const char *of,
                           struct warnings *warnings)
{
    SCOPED(text_done) struct text names = {0};

    if (silent->count == 0)
        return;
    for (size_t i = 0; i < HEAP_SILENT_NAMES && silent->names[i][0]; i++) {
        text_add_string(&names, i > 0 ? ", " : "");
        text_add_terminal(&names, slice_of(silent->names[i]));
    }
    if (silent->has_more_names)
        text_add_string(&names, ", ...");
    warnings_add(warnings, options,
                 "%s%u of %u programs told nothing of their memory: %s; one that is started with a cleared "
                 "environment (without LD_PRELOAD), as another user, or that is linked statically does not",
                 of, silent->count, silent->of_count, text_string(&names));
}

void heap_warn(const struct options *options, const struct collection *collection, const char *of,
               struct warnings *warnings)
{
    const struct profile *profile = &collection->profile;
    const char *doubt = doubt_of(collection);

    if (!series_of_heap_exist(profile))
        return;
    if (doubt)
        warnings_add(warnings, options, "%s%s", of, doubt);
    if (collection->heap_program_count == 0)
        return;
    warn_of_silent(options, &collection->heap_silent, of, warnings);
    warn_of_elsewhere(options, collection, of, warnings);
    if (collection->heap_missed_count > 0)
        warnings_add(warnings, options,
                     "%snot all that programs were given is told: one was stopped, or ended, as it told of "
                     "it, or wrote over what is told",
                     of);
    if (collection->heap_lacks_slots)
        warnings_add(
            warnings, options,
            "%smore than 16,384 threads and processes: of some that ended without telling it, as with "
            "_exit, what they were given last is not in the heap's figures",
            of);
}

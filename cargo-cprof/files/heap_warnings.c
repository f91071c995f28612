#include "files/heap_warnings.h"

#include <inttypes.h>

#include "facts/quality.h"
#include "facts/series_unit.h"
#include "symbolize/own_allocator.h"

/* What is said, and what each line of it begins with. */
struct heap_telling {
    const struct options *options;
    const struct profile *profile;
    const struct heap_lacks *lacks;
    const char *of;
    struct warnings *warnings;
};

/* Where a program cut off what is told nobody knows what any told: that is told as damage. */
static void warn_of_none(const struct heap_telling *telling)
{
    const struct heap_lacks *lacks = telling->lacks;
    SCOPED(text_done) struct text damage = {0};

    if (lacks->damaged_count > 0) {
        quality_add_damage(&damage, lacks->damaged_count);
        warnings_add(telling->warnings, telling->options, "%s%s", telling->of, text_string(&damage));
    }
    if (lacks->foreign_count > 0)
        warnings_add(telling->warnings, telling->options,
                     "%sprograms in another PID or time namespace, as in a container, tell nothing of their "
                     "memory: record them inside of it",
                     telling->of);
    else if (lacks->told_count == 0 && lacks->damaged_count == 0)
        warnings_add(telling->warnings, telling->options,
                     "%sno program told of its memory: one that is linked statically, as for musl, that is "
                     "set-user-ID or that has a sanitizer does not; -e page-faults tells where memory is "
                     "first written to",
                     telling->of);
}

static void warn_of_silent(const struct heap_telling *telling)
{
    const struct heap_lacks *lacks = telling->lacks;
    SCOPED(text_done) struct text names = {0};

    if (lacks->silent_count == 0)
        return;
    for (size_t i = 0; i < HEAP_SILENT_NAMES && lacks->silent_names[i] != PROFILE_NO_STRING; i++) {
        text_add_string(&names, i > 0 ? ", " : "");
        text_add_terminal(&names, profile_text(telling->profile, lacks->silent_names[i]));
    }
    if (lacks->has_more_silent)
        text_add_string(&names, ", ...");
    warnings_add(telling->warnings, telling->options,
                 "%s%" PRIu32 " of %" PRIu32
                 " programs told nothing of their memory: %s; one that is started with a cleared environment "
                 "(without LD_PRELOAD), as another user, or that is linked statically does not",
                 telling->of, lacks->silent_count, lacks->silent_of_count, text_string(&names));
}

static void warn_of_allocator(const struct heap_telling *telling, struct slice allocator)
{
    SCOPED(text_done) struct text name = {0};

    text_add_terminal(&name, allocator);
    warnings_add(telling->warnings, telling->options,
                 "%swhat %s gives is not in the heap's figures: it is linked into the program, and malloc is "
                 "not asked; build without it to see that memory",
                 telling->of, text_string(&name));
}

/* Whether what it gives is in the figures, or another warning says that it is not. */
static bool is_told_of(const struct heap_lacks *lacks, struct slice allocator)
{
    if (lacks->own_malloc)
        return slice_is(allocator, OWN_ALLOCATOR_UNNAMED);
    return lacks->is_followed && own_allocator_may_tell(allocator);
}

/* Memory that malloc does not give, of programs that may have no sample: what tells most of it. */
static void warn_of_elsewhere(const struct heap_telling *telling)
{
    const struct heap_lacks *lacks = telling->lacks;
    struct slice allocator = profile_text(telling->profile, lacks->allocator);
    SCOPED(text_done) struct text name = {0};

    text_add_terminal(
        &name, profile_text(telling->profile, lacks->own_malloc ? lacks->own_malloc : lacks->elsewhere));
    if (lacks->allocator && !is_told_of(lacks, allocator))
        warn_of_allocator(telling, allocator);
    else if (lacks->own_malloc)
        warnings_add(telling->warnings, telling->options,
                     "%swhat %s is given is not in the heap's figures: it brings a malloc of its own, as of "
                     "jemalloc or a sanitizer; build without it to see that memory",
                     telling->of, text_string(&name));
    else if (lacks->elsewhere_bytes > 0)
        warnings_add(telling->warnings, telling->options,
                     "%s%s had %" PRIu64 " MiB at a time, and hardly any of malloc: memory of mmap, or of "
                     "an allocator that is linked into it, is not in the heap's figures; -e page-faults "
                     "tells where it is first written to",
                     telling->of, text_string(&name), lacks->elsewhere_bytes >> 20);
}

static void warn_of_untold(const struct heap_telling *telling)
{
    if (telling->lacks->missed_count > 0)
        warnings_add(telling->warnings, telling->options,
                     "%snot all that programs were given is told: one was stopped, or ended, as it told of "
                     "it, or wrote over what is told",
                     telling->of);
    if (telling->lacks->lacks_slots)
        warnings_add(
            telling->warnings, telling->options,
            "%smore than 16,384 threads and processes: of some that ended without telling it, as with "
            "_exit, what they were given last is not in the heap's figures",
            telling->of);
}

void heap_warn(const struct options *options, const struct profile *profile, uint32_t series, const char *of,
               struct warnings *warnings)
{
    const struct heap_telling telling = {options, profile, &profile->heap_lacks, of, warnings};
    const char *allocator = NULL;

    if (series == PROFILE_NONE ? !series_of_heap_exist(profile) : !series_is_of_heap(profile, series))
        return;
    if (!profile->heap_lacks.is_known) {
        allocator = own_allocator_of(profile);
        if (allocator && !own_allocator_may_tell(slice_of(allocator)))
            warn_of_allocator(&telling, slice_of(allocator));
        return;
    }
    warn_of_none(&telling);
    if (profile->heap_lacks.told_count == 0)
        return;
    warn_of_silent(&telling);
    warn_of_elsewhere(&telling);
    warn_of_untold(&telling);
}

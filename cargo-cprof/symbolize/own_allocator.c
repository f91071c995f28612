#include "symbolize/own_allocator.h"

#include "elf/sections.h"
#include "elf/symbols.h"
#include "symbolize/recorded_file.h"

const char *own_allocator_with(struct slice function)
{
    static const struct {
        const char *function;
        const char *allocator;
    } known[] = {
        {"_rjem_malloc", "jemalloc"},      {"je_malloc", "jemalloc"},     {"mi_malloc", "mimalloc"},
        {"mi_malloc_aligned", "mimalloc"}, {"sn_rust_alloc", "snmalloc"}, {"rpmalloc", "rpmalloc"},
        {"tc_malloc", "tcmalloc"},         {"_rjem_mallocx", "jemalloc"}, {"mallctl", "jemalloc"},
        {"mallocx", "jemalloc"},           {"sdallocx", "jemalloc"},      {"malloc", OWN_ALLOCATOR_UNNAMED},
    };

    for (size_t i = 0; i < ARRAY_COUNT(known); i++)
        if (slice_is(function, known[i].function))
            return known[i].allocator;
    return NULL;
}

bool own_allocator_may_tell(struct slice allocator)
{
    static const char *const names[] = {"jemalloc", "mimalloc", "snmalloc"};

    return slice_is_any(allocator, names, ARRAY_COUNT(names));
}

/*
 * In a program that is linked statically each malloc is, the C library's too: nothing is known of it by that,
 * and that it is linked so is told of it elsewhere.
 */
static bool tells_more(const struct image *image, const char *allocator)
{
    return !slice_is(slice_of(allocator), OWN_ALLOCATOR_UNNAMED) ||
           sections_find(&image->sections, SLICE(".interp"));
}

/* Of the file that ran, not of one that has been built anew since. */
static const char *allocator_of(const struct recorded_file *file)
{
    SCOPED(image_close) struct image image = {0};
    SCOPED(symbols_done) struct symbols symbols = {0};
    struct error unread = {0};
    const char *unnamed = NULL;

    if (image_open(file->name, &image, &unread) < 0 ||
        (file->build_id.length > 0 && !slice_equal(file->build_id, image.build_id)) ||
        symbols_read(&image, &symbols, &unread) < 0)
        return NULL;
    for (size_t i = 0; i < symbols.count; i++) {
        const char *found = own_allocator_with(symbols.items[i].name);

        if (!found || symbols.items[i].size_bytes == 0 || !tells_more(&image, found))
            continue;
        if (!slice_is(slice_of(found), OWN_ALLOCATOR_UNNAMED))
            return found;
        unnamed = found;
    }
    return unnamed;
}

const char *own_allocator_of(const struct profile *profile)
{
    for (uint32_t i = 0; i < profile->modules.count; i++) {
        const struct profile_module *module = &profile->modules.items[i];
        struct recorded_file file = recorded_file_of(profile, i);
        const char *found = NULL;

        if (module->kind != MODULE_EXECUTABLE || module->is_replaced)
            continue;
        found = allocator_of(&file);
        if (found)
            return found;
    }
    return NULL;
}

void own_allocator_note(struct profile *profile)
{
    const char *allocator = profile->heap_lacks.is_known ? own_allocator_of(profile) : NULL;

    if (allocator)
        profile->heap_lacks.allocator = profile_string(profile, slice_of(allocator));
}

#include "symbolize/library_lines.h"

#include <stdlib.h>

#include "symbolize/resolve.h"

bool library_lines_are_of(struct slice name)
{
    static const char *const starts[] = {"libc.so.", "libm.so.", "ld-linux"};

    return slice_starts_with_any(name, starts, ARRAY_COUNT(starts));
}

/* The locations of one module that have a name and nothing else, rising by address. */
struct lacking {
    VEC(uint32_t) locations;
    VEC(uint64_t) svmas;
};

static void lacking_done(struct lacking *lacking)
{
    vec_done(&lacking->locations);
    vec_done(&lacking->svmas);
}

static bool lacks_lines(const struct profile *profile, const struct profile_location *location)
{
    const struct profile_frame *frame = NULL;

    if (location->frame_count != 1)
        return false;
    frame = &profile->frames.items[location->first_frame];
    return frame->line == 0 && frame->file == PROFILE_NO_STRING;
}

static int compare_by_address(const void *left, const void *right, void *context)
{
    const struct profile *profile = context;
    uint64_t a = profile->locations.items[*(const uint32_t *)left].svma;
    uint64_t b = profile->locations.items[*(const uint32_t *)right].svma;

    return a < b ? -1 : a > b;
}

static void find_lacking(struct profile *profile, uint32_t module, struct lacking *out)
{
    for (uint32_t i = 0; i < profile->locations.count; i++)
        if (profile->locations.items[i].module == module &&
            lacks_lines(profile, &profile->locations.items[i]))
            *vec_add(&out->locations) = i;
    if (out->locations.count == 0)
        return;
    qsort_r(out->locations.items, out->locations.count, sizeof(uint32_t), compare_by_address, profile);
    for (size_t i = 0; i < out->locations.count; i++)
        *vec_add(&out->svmas) = profile->locations.items[out->locations.items[i]].svma;
}

/* What debug information tells of the place; what that does not know stays as it is. */
static void add_lines(struct symbolizing *work, uint32_t id)
{
    struct profile *profile = work->profile;
    struct profile_location before = profile->locations.items[id];
    struct profile_location *location = &profile->locations.items[id];
    uint32_t named = profile->frames.items[before.first_frame].function;
    struct profile_frame *outermost = NULL;

    location->frame_count = 0;
    resolve(work, id);
    outermost = &profile->frames.items[location->first_frame + location->frame_count - 1];
    if (outermost->file == PROFILE_NO_STRING)
        *location = before;
    else if (profile->functions.items[named].why_unnamed == PROFILE_NO_STRING)
        outermost->function = named;
}

static void add_to_module(struct symbolizing *work, uint32_t id)
{
    const struct recorded_file file = recorded_file_of(work->profile, id);
    SCOPED(lacking_done) struct lacking lacking = {0};
    struct places wanted = {0};

    find_lacking(work->profile, id, &lacking);
    if (lacking.locations.count == 0)
        return;
    wanted = (struct places){lacking.svmas.items, lacking.svmas.count};
    work->module = slice_file_name(file.path);
    module_symbols_open(&file, MODULE_LINES, &wanted, &work->symbols);
    if (work->symbols.is_open && work->symbols.has_debug &&
        slice_equal(work->symbols.image.build_id, file.build_id)) {
        debug_info_read_places(&work->symbols.debug, wanted.svmas, wanted.count, 0);
        for (size_t i = 0; i < lacking.locations.count; i++)
            add_lines(work, lacking.locations.items[i]);
    }
    stretches_done(&work->stretches);
    stubs_done(&work->stubs);
    module_symbols_close(&work->symbols);
}

static bool is_left_out(const struct profile *profile, const struct profile_module *module)
{
    return (module->kind == MODULE_LIBRARY || module->kind == MODULE_EXECUTABLE) &&
           module->build_id != PROFILE_NO_STRING && !module->is_replaced &&
           library_lines_are_of(slice_file_name(profile_text(profile, module->path)));
}

void library_lines_add(struct profile *profile)
{
    SCOPED(symbolizing_done)
    struct symbolizing work = {.profile = profile, .naming = {.profile = profile}};

    for (uint32_t i = 0; i < profile->modules.count; i++)
        if (is_left_out(profile, &profile->modules.items[i]))
            add_to_module(&work, i);
}

#include "profile/profile.h"

#include <assert.h>
#include <stdlib.h>

void profile_init(struct profile *profile)
{
    *profile = (struct profile){.disk_bytes = UINT64_MAX};
    intern_add(&profile->strings, SLICE(""));
}

void profile_done(struct profile *profile)
{
    for (size_t i = 0; i < profile->series.count; i++) {
        vec_done(&profile->series.items[i].intervals);
        vec_done(&profile->series.items[i].run_counts);
        sample_store_done(&profile->series.items[i].samples);
    }
    intern_done(&profile->strings);
    vec_done(&profile->modules);
    pair_index_done(&profile->location_index);
    vec_done(&profile->locations);
    pair_index_done(&profile->function_index);
    vec_done(&profile->functions);
    vec_done(&profile->frames);
    vec_done(&profile->stacks);
    pair_index_done(&profile->branch_index);
    vec_done(&profile->branches);
    vec_done(&profile->threads);
    vec_done(&profile->series);
    text_done(&profile->file);
    block_file_close(profile->block_file);
    *profile = (struct profile){0};
}

uint32_t profile_string(struct profile *profile, struct slice text)
{
    return intern_add(&profile->strings, text);
}

struct slice profile_text(const struct profile *profile, uint32_t string)
{
    return intern_text(&profile->strings, string);
}

uint32_t profile_add_module(struct profile *profile, enum module_kind kind, struct slice path,
                            struct slice build_id)
{
    struct profile_module module = {
        .kind = kind,
        .path = profile_string(profile, path),
        .build_id = profile_string(profile, build_id),
        .forked_from = PROFILE_NONE,
    };

    *vec_add(&profile->modules) = module;
    return (uint32_t)profile->modules.count - 1;
}

uint32_t profile_add_thread(struct profile *profile, uint32_t pid, uint32_t tid, struct slice name)
{
    uint32_t string = profile_string(profile, name);

    *vec_add(&profile->threads) = (struct profile_thread){pid, tid, string, string, 0};
    return (uint32_t)profile->threads.count - 1;
}

uint32_t profile_add_series(struct profile *profile, struct slice event, struct slice unit,
                            uint32_t frequency_hz)
{
    struct profile_series series = {
        .event = profile_string(profile, event),
        .unit = profile_string(profile, unit),
        .frequency_hz = frequency_hz,
        .heap = heap_event_of(event),
        .samples.file = profile->block_file,
    };

    *vec_add(&profile->series) = series;
    return (uint32_t)profile->series.count - 1;
}

uint32_t profile_location(struct profile *profile, uint32_t module, uint64_t svma)
{
    uint32_t id = pair_index_add(&profile->location_index, module, svma);

    if (id == profile->locations.count)
        *vec_add(&profile->locations) = (struct profile_location){.svma = svma, .module = module};
    return id;
}

static uint32_t add_stack(struct profile *profile, uint32_t parent, uint32_t location)
{
    *vec_add(&profile->stacks) = (struct profile_stack){parent, location};
    return (uint32_t)profile->stacks.count - 1;
}

/* Whether the stack that follows its parent is this one. */
static bool is_next(const struct profile *profile, uint32_t parent, uint32_t location)
{
    size_t next = (size_t)parent + 1;

    return next < profile->stacks.count && profile->stacks.items[next].parent == parent &&
           profile->stacks.items[next].location == location;
}

uint32_t profile_stack(struct profile *profile, uint32_t parent, uint32_t location)
{
    uint32_t branch = 0;

    if (is_next(profile, parent, location))
        return parent + 1;
    /* The last one has no callees yet, and its first follows it: most come in one sample. */
    if ((size_t)parent + 1 == profile->stacks.count)
        return add_stack(profile, parent, location);
    branch = pair_index_add(&profile->branch_index, parent, location);
    if (branch == profile->branches.count)
        *vec_add(&profile->branches) = add_stack(profile, parent, location);
    return profile->branches.items[branch];
}

uint32_t profile_function(struct profile *profile, struct profile_function function)
{
    uint32_t id = pair_index_add(&profile->function_index, function.name, function.crate);

    if (id == profile->functions.count)
        *vec_add(&profile->functions) = function;
    return id;
}

bool profile_is_kernels(const struct profile *profile, uint32_t location)
{
    uint32_t module = profile->locations.items[location].module;

    return module != PROFILE_NONE && profile->modules.items[module].kind == MODULE_KERNEL;
}

void profile_add_sample(struct profile *profile, uint32_t series, struct profile_sample sample)
{
    sample_store_add(&profile->series.items[series].samples, sample);
}

int profile_finish(struct profile *profile, struct error *err)
{
    bool is_read = true;

    for (size_t i = 0; i < profile->series.count; i++)
        is_read = sample_store_finish(&profile->series.items[i].samples) && is_read;
    return is_read ? 0 : error_set(err, ERROR_IO, "samples cannot be read back from where they were kept");
}

void profile_set_frames(struct profile *profile, uint32_t location, const struct profile_frame *frames,
                        uint32_t count)
{
    struct profile_location *of = &profile->locations.items[location];

    assert(of->frame_count == 0 && count > 0);
    of->first_frame = (uint32_t)profile->frames.count;
    of->frame_count = count;
    for (uint32_t i = 0; i < count; i++)
        *vec_add(&profile->frames) = frames[i];
}

#include "view/grouper.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "rust/symbol_path.h"
#include "view/function_rows.h"
#include "view/numbered_names.h"
#include "view/system_calls.h"
#include "view/tasks.h"

static void chains_done(struct chains *chains)
{
    for (size_t i = 0; i < GROUP_KEYS_MOST; i++)
        pair_index_done(&chains->links[i]);
}

void grouper_done(struct grouper *grouper)
{
    chains_done(&grouper->of_frames);
    chains_done(&grouper->of_samples);
    free(grouper->frame_groups);
    free(grouper->tasks);
    free(grouper->futures);
    free(grouper->calls);
    free(grouper->tids);
    free(grouper->pids);
    file_names_done(&grouper->files);
    pair_index_done(&grouper->groups);
    free(grouper->first_groups);
    vec_done(&grouper->items);
}

static uint32_t dso_of(struct profile *profile, uint32_t location)
{
    uint32_t module = profile->locations.items[location].module;

    if (module == PROFILE_NONE)
        return profile_string(profile, SLICE("[no file]"));
    return profile_string(profile,
                          slice_file_name(profile_text(profile, profile->modules.items[module].path)));
}

/* In place of a line: "[libc.so.6]" where the program or library is known, "[jit]" for code made at run time.
 */
static uint32_t place_without_file(struct profile *profile, uint32_t location,
                                   const struct profile_function *function)
{
    SCOPED(text_done) struct text place = {0};
    struct slice dso;

    if (function->category == CATEGORY_KERNEL)
        return profile_string(profile, SLICE("[kernel]"));
    if (profile->locations.items[location].module == PROFILE_NONE)
        return profile_string(profile, SLICE("[unknown]"));
    if (slice_is(profile_text(profile, function->crate), "[jit]"))
        return function->crate;
    dso = profile_text(profile, dso_of(profile, location));
    if (slice_starts_with(dso, SLICE("[")))
        return profile_string(profile, dso);
    text_add_byte(&place, '[');
    text_add(&place, dso);
    text_add_byte(&place, ']');
    return profile_string(profile, text_slice(&place));
}

/* "src/lib.rs", or "src/lib.rs:12", as a string of the profile. */
static uint32_t place_of(const struct grouper *grouper, uint32_t location, const struct profile_frame *frame,
                         bool with_line)
{
    SCOPED(text_done) struct text place = {0};
    struct profile *profile = grouper->profile;

    if (frame->file == PROFILE_NO_STRING)
        return place_without_file(profile, location, &profile->functions.items[frame->function]);
    text_add(&place, file_names_get(&grouper->files, frame->file));
    if (with_line && frame->line > 0)
        text_format(&place, ":%u", frame->line);
    return profile_string(profile, text_slice(&place));
}

static uint32_t crate_of(struct profile *profile, const struct profile_function *function)
{
    return function->crate != PROFILE_NO_STRING ? function->crate
                                                : profile_string(profile, SLICE("[unknown]"));
}

/* Code of other languages has none: it is its crate, as of a -sys crate, or the program or library. */
static uint32_t module_of(struct profile *profile, uint32_t location, const struct profile_function *function)
{
    SCOPED(text_done) struct text module = {0};

    if (function->category == CATEGORY_OTHER)
        return crate_of(profile, function);
    if (function->category == CATEGORY_KERNEL || function->category == CATEGORY_UNKNOWN)
        return dso_of(profile, location);
    symbol_add_module_of_text(&module, profile_text(profile, function->name));
    return module.length > 0 ? profile_string(profile, text_slice(&module)) : crate_of(profile, function);
}

/* What tells one group from the others: a function, or a string. */
static uint32_t frame_value(const struct grouper *grouper, enum group_key key, uint32_t location,
                            const struct profile_frame *frame)
{
    struct profile *profile = grouper->profile;
    const struct profile_function *function = &profile->functions.items[frame->function];

    switch (key) {
    case GROUP_FUNCTION:
        return frame->function;
    case GROUP_MODULE:
        return module_of(profile, location, function);
    case GROUP_CRATE:
        return crate_of(profile, function);
    case GROUP_DSO:
        return dso_of(profile, location);
    default:
        return place_of(grouper, location, frame, key == GROUP_LINE);
    }
}

static void group_frames(struct grouper *grouper)
{
    struct profile *profile = grouper->profile;

    grouper->frame_groups = memory_new(profile->frames.count + 1, sizeof(uint32_t));
    /* There are no more groups than frames, and one of samples without any. */
    grouper->first_groups = memory_new(profile->frames.count + 2, sizeof(uint32_t));
    memset(grouper->first_groups, 0xff, (profile->frames.count + 2) * sizeof(uint32_t));
    if (grouping_has_key(grouper->grouping, GROUP_FILE) || grouping_has_key(grouper->grouping, GROUP_LINE))
        grouper->files = file_names_make(profile);
    for (uint32_t at = 0; at < profile->locations.count; at++) {
        struct profile_location location = profile->locations.items[at];

        for (uint32_t i = 0; i < location.frame_count; i++) {
            struct profile_frame frame = profile->frames.items[location.first_frame + i];
            uint32_t chain = 0;

            for (size_t key = 0; key < grouper->grouping->key_count; key++)
                if (!group_key_is_of_sample(grouper->grouping->keys[key]))
                    chain = pair_index_add(&grouper->of_frames.links[key], chain,
                                           frame_value(grouper, grouper->grouping->keys[key], at, &frame));
            grouper->frame_groups[location.first_frame + i] = chain;
        }
    }
}

/* Rows add up: samples that no frame is known of have one of their own. */
static void group_no_frame(struct grouper *grouper)
{
    uint32_t none = profile_string(grouper->profile, slice_of(NO_STACK));

    for (size_t key = 0; key < grouper->grouping->key_count; key++) {
        bool is_function = grouper->grouping->keys[key] == GROUP_FUNCTION;

        if (!group_key_is_of_sample(grouper->grouping->keys[key]))
            grouper->no_frame_group = pair_index_add(&grouper->of_frames.links[key], grouper->no_frame_group,
                                                     is_function ? PROFILE_NONE : none);
    }
}

static uint32_t call_of(const struct grouper *grouper, uint32_t stack)
{
    if (!grouper->calls || stack == PROFILE_NONE)
        return profile_string(grouper->profile, slice_of(NO_STACK));
    return profile_string(grouper->profile, system_call_name(grouper->profile, grouper->calls[stack]));
}

static uint32_t sample_value(const struct grouper *grouper, enum group_key key, const struct sample_sum *sum)
{
    struct profile *profile = grouper->profile;
    const struct profile_thread *thread = &profile->threads.items[sum->thread];
    const uint32_t *tasks = key == GROUP_FUTURE ? grouper->futures : grouper->tasks;
    const uint32_t *numbered = key == GROUP_PID ? grouper->pids : grouper->tids;
    bool is_in_task = tasks && sum->stack != PROFILE_NONE;

    switch (key) {
    case GROUP_THREAD:
        return name_or_unknown(profile, thread->name);
    case GROUP_PROCESS:
        return name_or_unknown(profile, thread->process_name);
    case GROUP_TID:
    case GROUP_PID:
        return numbered ? numbered[sum->thread] : PROFILE_NO_STRING;
    case GROUP_SYSCALL:
        return call_of(grouper, sum->stack);
    default:
        return profile_string(profile, task_name(profile, is_in_task ? tasks[sum->stack] : PROFILE_NONE));
    }
}

/* The end of the chain of what the samples themselves have. */
static uint32_t sample_group(struct grouper *grouper, const struct sample_sum *sum)
{
    const struct grouping *grouping = grouper->grouping;
    uint32_t chain = 0;

    for (size_t key = 0; key < grouping->key_count; key++)
        if (group_key_is_of_sample(grouping->keys[key]))
            chain = pair_index_add(&grouper->of_samples.links[key], chain,
                                   sample_value(grouper, grouping->keys[key], sum));
    return chain;
}

/* The group of a frame in such samples; a new one belongs to the frame's function as well as to any. */
static struct group *group_of(struct grouper *grouper, uint32_t sample_group, uint32_t frame_group,
                              uint32_t function)
{
    uint32_t *known = sample_group == 0 ? &grouper->first_groups[frame_group] : NULL;
    uint32_t group = known && *known != PROFILE_NONE
                         ? *known
                         : pair_index_add(&grouper->groups, sample_group, frame_group);

    if (known)
        *known = group;
    if (group == grouper->items.count)
        *vec_add(&grouper->items) = (struct group){.function = function};
    return &grouper->items.items[group];
}

static void add_without_stack(struct grouper *grouper, uint32_t sample_group, uint64_t weight)
{
    struct group *group = group_of(grouper, sample_group, grouper->no_frame_group, PROFILE_NONE);

    weight_add(&group->weights.self, weight);
    weight_add(&group->weights.total, weight);
}

static void add_sum(struct grouper *grouper, uint32_t number, const struct sample_sum *sum, uint64_t weight)
{
    const struct profile *profile = grouper->profile;
    uint32_t of_sample = sample_group(grouper, sum);
    uint32_t own = totals_own_frame(profile, grouper->series, sum->stack);

    if (sum->stack == PROFILE_NONE)
        add_without_stack(grouper, of_sample, weight);
    for (uint32_t stack = sum->stack; stack != PROFILE_NONE; stack = profile->stacks.items[stack].parent) {
        const struct profile_location *location =
            &profile->locations.items[profile->stacks.items[stack].location];

        for (uint32_t i = 0; i < location->frame_count; i++) {
            uint32_t frame = location->first_frame + i;
            struct group *group = group_of(grouper, of_sample, grouper->frame_groups[frame],
                                           profile->frames.items[frame].function);

            if (frame == own)
                weight_add(&group->weights.self, weight);
            if (group->seen != number + 1)
                weight_add(&group->weights.total, weight);
            group->seen = number + 1;
            own = frame == own ? PROFILE_NONE : own;
        }
    }
}

static void find_tasks(struct grouper *grouper)
{
    if (grouping_has_key(grouper->grouping, GROUP_TASK))
        grouper->tasks = tasks_of_stacks(grouper->profile);
    if (grouping_has_key(grouper->grouping, GROUP_FUTURE))
        grouper->futures = own_futures_of_stacks(grouper->profile);
}

static void find_numbered(struct grouper *grouper)
{
    if (grouping_has_key(grouper->grouping, GROUP_SYSCALL))
        grouper->calls = system_calls_of_stacks(grouper->profile);
    if (grouping_has_key(grouper->grouping, GROUP_TID))
        grouper->tids = numbered_names_of_threads(grouper->profile);
    if (grouping_has_key(grouper->grouping, GROUP_PID))
        grouper->pids = numbered_names_of_processes(grouper->profile);
}

struct grouper grouper_of(struct profile *profile, uint32_t series, const struct grouping *grouping)
{
    struct grouper grouper = {.profile = profile, .series = series, .grouping = grouping};
    struct sums_cursor cursor = sums_cursor_of(&profile->series.items[series].samples.sums);
    struct sample_sum sum;
    enum weight weight = weight_of_series(profile, series);

    find_tasks(&grouper);
    find_numbered(&grouper);
    group_frames(&grouper);
    group_no_frame(&grouper);
    for (uint32_t i = 0; sums_cursor_next(&cursor, &sum); i++) {
        add_sum(&grouper, i, &sum, weight_of_sum(&sum, weight));
        weight_add(&grouper.whole, weight_of_sum(&sum, weight));
    }
    return grouper;
}

void grouper_values(const struct grouper *grouper, uint32_t group, uint32_t *values)
{
    uint32_t sample_link = (uint32_t)grouper->groups.pairs.items[group].first;
    uint32_t frame_link = (uint32_t)grouper->groups.pairs.items[group].second;

    for (size_t key = grouper->grouping->key_count; key-- > 0;) {
        bool of_sample = group_key_is_of_sample(grouper->grouping->keys[key]);
        const struct chains *chains = of_sample ? &grouper->of_samples : &grouper->of_frames;
        uint32_t *link = of_sample ? &sample_link : &frame_link;
        const struct pair *pair = &chains->links[key].pairs.items[*link];

        values[key] = (uint32_t)pair->second;
        *link = (uint32_t)pair->first;
    }
}

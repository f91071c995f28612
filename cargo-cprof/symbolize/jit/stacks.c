#include "symbolize/jit/stacks.h"

#include <stdlib.h>

#include "base/memory.h"
#include "symbolize/jit/told.h"

struct restacking {
    struct profile *profile;
    struct jit_code_files *code;
    struct jit_names *names;
    struct pair_index tolds;    /* text of a name, where the source is (of `code`) */
    struct pair_index versions; /* location, what is told of it, of these */
    VEC(uint32_t) version_locations;
    uint32_t *version_counts; /* owned; by location */
    struct pair_index copies; /* module, how much an address was told to be before */
    VEC(uint32_t) copy_modules;
    bool *is_made;      /* owned; by stack: code that a process told of is in it */
    uint32_t *stacks;   /* owned; by stack: what it is now, */
    uint32_t *stamps;   /* owned; as of this stamp; 0: not known */
    size_t stack_count; /* that there were at first */
    uint32_t stamp;     /* another one whenever code is made */
    VEC(uint32_t) path; /* scratch: calls from the one that is asked for outward */
};

static void restacking_done(struct restacking *work)
{
    pair_index_done(&work->tolds);
    pair_index_done(&work->versions);
    vec_done(&work->version_locations);
    free(work->version_counts);
    pair_index_done(&work->copies);
    vec_done(&work->copy_modules);
    free(work->is_made);
    free(work->stacks);
    free(work->stamps);
    vec_done(&work->path);
}

/* --- Locations ---------------------------------------------------------------------------------------- */

/* A module like this one, for what its addresses have been told to be after so much else. */
static uint32_t module_copy(struct restacking *work, uint32_t module, uint32_t number)
{
    struct profile *profile = work->profile;
    uint32_t id = pair_index_add(&work->copies, module, number);
    uint32_t copy = 0;

    if (id < work->copy_modules.count)
        return work->copy_modules.items[id];
    copy = profile_add_module(profile, MODULE_JIT, (struct slice){0}, (struct slice){0});
    profile->modules.items[copy] = profile->modules.items[module];
    *vec_add(&work->copy_modules) = copy;
    return copy;
}

static void set_name(struct jit_names *names, uint32_t location, struct jit_name name)
{
    while (names->items.count <= location)
        *vec_add(&names->items) = (struct jit_name){0};
    names->items.items[location] = name;
}

/* The location while code of this name, with its source there, is at it. */
static uint32_t version_of(struct restacking *work, uint32_t location, uint32_t text, uint32_t line)
{
    const struct profile_location before = work->profile->locations.items[location];
    uint32_t id = pair_index_add(&work->versions, location, pair_index_add(&work->tolds, text, line));
    uint32_t version = location;
    uint32_t number = 0;

    if (id < work->version_locations.count)
        return work->version_locations.items[id];
    number = work->version_counts[location]++;
    if (number > 0)
        version = profile_location(work->profile, module_copy(work, before.module, number), before.svma);
    *vec_add(&work->version_locations) = version;
    set_name(work->names, version, jit_told_name(work->code, text, line));
    return version;
}

static uint32_t location_now(struct restacking *work, uint32_t location)
{
    const struct jit_place *place = &work->code->places[location];
    struct jit_module *module = NULL;
    uint32_t code = 0;

    if (place->item == JIT_CODE_NONE)
        return location;
    module = &work->code->items.items[place->item];
    code = jit_timeline_at(&module->timeline, place->number);
    return version_of(work, location, jit_told_text(work->code, module, code),
                      jit_told_line(work->code, module, code, place->number));
}

/* --- Stacks ------------------------------------------------------------------------------------------- */

static void find_made(struct restacking *work)
{
    const struct profile_stack *stacks = work->profile->stacks.items;

    for (size_t i = 0; i < work->stack_count; i++)
        work->is_made[i] = work->code->places[stacks[i].location].item != JIT_CODE_NONE ||
                           (stacks[i].parent != PROFILE_NONE && work->is_made[stacks[i].parent]);
}

/* Whether it is known by now what the stack is. */
static bool is_known(const struct restacking *work, uint32_t stack)
{
    return stack == PROFILE_NONE || !work->is_made[stack] || work->stamps[stack] == work->stamp;
}

static uint32_t known_stack(const struct restacking *work, uint32_t stack)
{
    return stack == PROFILE_NONE || !work->is_made[stack] ? stack : work->stacks[stack];
}

static uint32_t stack_now(struct restacking *work, uint32_t stack)
{
    struct profile *profile = work->profile;
    uint32_t at = stack;

    work->path.count = 0;
    for (; !is_known(work, at); at = profile->stacks.items[at].parent)
        *vec_add(&work->path) = at;
    while (work->path.count > 0) {
        uint32_t call = work->path.items[--work->path.count];
        const struct profile_stack before = profile->stacks.items[call];
        uint32_t parent = known_stack(work, before.parent);
        uint32_t location = location_now(work, before.location);

        work->stacks[call] = parent == before.parent && location == before.location
                                 ? call
                                 : profile_stack(profile, parent, location);
        work->stamps[call] = work->stamp;
    }
    return known_stack(work, stack);
}

static void advance(struct restacking *work, uint64_t time_ns)
{
    bool has_changed = false;

    for (size_t i = 0; i < work->code->items.count; i++)
        has_changed |= jit_timeline_advance(&work->code->items.items[i].timeline, time_ns);
    work->stamp += has_changed;
}

/* False when samples cannot be read back. */
static bool restack(struct restacking *work, struct sample_store *store)
{
    struct sample_store before = *store;
    struct sample_cursor cursor = sample_cursor_of(&before);
    struct profile_sample sample;
    bool is_whole = false;

    for (size_t i = 0; i < work->code->items.count; i++)
        jit_timeline_begin(&work->code->items.items[i].timeline);
    work->stamp++;
    *store = (struct sample_store){.file = before.file};
    while (sample_cursor_next(&cursor, &sample)) {
        if (sample.stack != PROFILE_NONE && work->is_made[sample.stack]) {
            advance(work, sample.time_ns);
            sample.stack = stack_now(work, sample.stack);
        }
        sample_store_add(store, sample);
    }
    is_whole = !cursor.is_damaged;
    sample_cursor_done(&cursor);
    sample_store_done(&before);
    return is_whole;
}

bool jit_stacks_make(struct jit_code_files *code, struct jit_names *names)
{
    struct profile *profile = code->profile;
    SCOPED(restacking_done)
    struct restacking work = {
        .profile = profile,
        .code = code,
        .names = names,
        .version_counts = memory_new(code->place_count + 1, sizeof(uint32_t)),
        .is_made = memory_new(profile->stacks.count + 1, sizeof(bool)),
        .stacks = memory_new(profile->stacks.count + 1, sizeof(uint32_t)),
        .stamps = memory_new(profile->stacks.count + 1, sizeof(uint32_t)),
        .stack_count = profile->stacks.count,
    };

    find_made(&work);
    for (uint32_t i = 0; i < profile->series.count; i++)
        if (!restack(&work, &profile->series.items[i].samples))
            return false;
    return true;
}

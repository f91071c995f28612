#include "changes/joined.h"

#include "base/ascii.h"
#include "base/memory.h"
#include "changes/known_crates.h"
#include "changes/plain_names.h"
#include "delta/crate_versions.h"
#include "delta/pairing.h"

/* The system cuts names of threads and processes (PR_SET_NAME(2const)). */
enum { COMM_MOST_BYTES = 15 };

/* One side while it is taken over. */
struct side {
    const struct joined_part *part;
    uint32_t *functions;   /* owned; by function of the side: that of the joined profile */
    uint32_t first_module; /* what ids of the side are moved by */
    uint32_t first_location;
    uint32_t first_stack;
    uint32_t first_thread;
    struct slice program; /* see find_programs; of the profile */
};

struct joining {
    enum joined_by by;
    bool has_crates;           /* and both sides know them alike */
    bool has_threads;          /* both sides know them */
    struct known_crates known; /* by the side that tells them, where the other is of folded stacks */
    struct plain_names plain;  /* where one side's names tell less */
    struct side sides[JOINED_SIDES];
    struct pairing pairing;
    struct text scratch; /* a name that is put together */
    struct profile *out;
};

static void joining_done(struct joining *joining)
{
    for (size_t i = 0; i < JOINED_SIDES; i++)
        free(joining->sides[i].functions);
    pairing_done(&joining->pairing);
    known_crates_done(&joining->known);
    plain_names_done(&joining->plain);
    text_done(&joining->scratch);
}

const char *joined_noun(enum joined_by by)
{
    return by == JOINED_BY_CRATE ? "crate" : "function";
}

bool joined_is_folded(const struct joined_part *part)
{
    const struct profile_series *series = &part->profile->series.items[part->series];

    return slice_is(profile_text(part->profile, series->unit), "samples");
}

/* --- Samples ------------------------------------------------------------------------------------- */

bool joined_is_user_only(const struct joined_part parts[JOINED_SIDES])
{
    bool is_user_only = false;

    for (size_t i = 0; i < JOINED_SIDES; i++) {
        if (joined_is_folded(&parts[i]))
            return false;
        is_user_only = is_user_only || parts[i].profile->series.items[parts[i].series].is_user_only;
    }
    return is_user_only;
}

struct joined_cursor joined_cursor_of(const struct joined_part parts[JOINED_SIDES], enum joined_side side)
{
    const struct joined_part *part = &parts[side];

    return (struct joined_cursor){sums_cursor_of(&part->profile->series.items[part->series].samples.sums),
                                  part->profile, joined_is_user_only(parts)};
}

/* Whether samples with this stack were taken in the kernel. */
static bool is_in_kernel(const struct profile *profile, uint32_t stack)
{
    return stack != PROFILE_NONE && profile_is_kernels(profile, profile->stacks.items[stack].location);
}

bool joined_cursor_next(struct joined_cursor *cursor, struct sample_sum *out)
{
    while (sums_cursor_next(&cursor->sums, out))
        if (!cursor->is_user_only || !is_in_kernel(cursor->profile, out->stack))
            return true;
    return false;
}

/* --- Names --------------------------------------------------------------------------------------- */

/* Without a last `mark` and the hexadecimal digits behind it, where there are at least so many. */
static struct slice without_hex(struct slice text, struct slice mark, size_t digits_least)
{
    size_t at = text.length;

    while (at > 0 && ascii_is_lower_hex(text.data[at - 1]))
        at--;
    return text.length - at >= digits_least && slice_ends_with(slice_range(text, 0, at), mark)
               ? slice_range(text, 0, at - mark.length)
               : text;
}

/* cargo gives what it tests a hash: "parse-0123456789abcdef". */
static struct slice without_hash(struct slice name)
{
    return without_hex(name, SLICE("-"), 16);
}

static struct slice file_name_of(const struct profile *profile, const struct profile_module *module)
{
    return without_hash(slice_file_name(profile_text(profile, module->path)));
}

/* Of a file that could not be read nobody knows what it is: then its process tells, which has its name. */
static bool is_program(const struct profile *profile, const struct profile_module *module)
{
    struct slice name = slice_range(slice_file_name(profile_text(profile, module->path)), 0, COMM_MOST_BYTES);

    if (module->kind != MODULE_LIBRARY)
        return module->kind == MODULE_EXECUTABLE;
    for (size_t i = 0; i < profile->threads.count; i++)
        if (slice_equal(profile_text(profile, profile->threads.items[i].process_name), name))
            return true;
    return false;
}

static bool has_program(const struct profile *profile, struct slice name)
{
    for (size_t i = 0; i < profile->modules.count; i++)
        if (is_program(profile, &profile->modules.items[i]) &&
            slice_equal(file_name_of(profile, &profile->modules.items[i]), name))
            return true;
    return false;
}

/* The executable that the other side has none of this name of; of several the one with the most places. */
static struct slice find_program(const struct profile *profile, const struct profile *other)
{
    SCOPED(memory_free_at) size_t *places = memory_new(profile->modules.count, sizeof(*places));
    struct slice found = {0};
    size_t most = 0;

    for (size_t i = 0; i < profile->locations.count; i++)
        if (profile->locations.items[i].module != PROFILE_NONE)
            places[profile->locations.items[i].module]++;
    for (size_t i = 0; i < profile->modules.count; i++) {
        struct slice name = file_name_of(profile, &profile->modules.items[i]);

        if (!is_program(profile, &profile->modules.items[i]) || places[i] <= most || has_program(other, name))
            continue;
        found = name;
        most = places[i];
    }
    return found;
}

/* "app-old" and "app-new": what is compared may be one program whose file has a name of its own in each. */
static void find_programs(struct side sides[JOINED_SIDES])
{
    const struct profile *before = sides[JOINED_BEFORE].part->profile;
    const struct profile *after = sides[JOINED_AFTER].part->profile;

    sides[JOINED_BEFORE].program = find_program(before, after);
    sides[JOINED_AFTER].program = find_program(after, before);
    if (sides[JOINED_AFTER].program.length == 0)
        sides[JOINED_BEFORE].program = (struct slice){0};
}

/* A name that may be the program's: then the one that it has later. */
static struct slice later_name(const struct joining *joining, enum joined_side side, struct slice name)
{
    return name.length > 0 && slice_equal(name, joining->sides[side].program)
               ? joining->sides[JOINED_AFTER].program
               : name;
}

/* A Rust crate is called like the program by chance, other code because it is the program's. The versions of
 * a crate are one here: a side that has only one of them does not tell which. */
static struct slice crate_of(const struct joining *joining, enum joined_side side,
                             const struct profile_function *function)
{
    const struct profile *profile = joining->sides[side].part->profile;
    struct slice crate = profile_text(profile, function->crate);

    if (crate.length == 0)
        crate = known_crates_find(&joining->known, profile_text(profile, function->name));
    if (crate.length == 0 && joining->by == JOINED_BY_CRATE)
        return SLICE(JOINED_UNKNOWN);
    if (function->category == CATEGORY_OTHER || function->category == CATEGORY_UNKNOWN)
        return later_name(joining, side, without_hash(crate));
    return function->category == CATEGORY_KERNEL ? crate : crate_without_version(crate);
}

/*
 * A name of code that has none of its own tells its file (symbolize/resolve.c): "[app-old]" is all code of
 * one that could not be read, "app-old [plt]" its stubs. The file's part is as of later_name.
 */
static void add_file_name(struct joining *joining, enum joined_side side, struct slice name,
                          struct slice file)
{
    size_t start = slice_starts_with(name, SLICE("["));
    struct slice rest = slice_range(name, start, name.length);
    struct slice behind = slice_range(rest, file.length, rest.length);
    bool is_file = file.length > 0 && slice_starts_with(rest, file) &&
                   (start ? slice_is(behind, "]") : behind.length == 0 || slice_is(behind, " [plt]"));

    if (!is_file) {
        text_add(&joining->scratch, name);
        return;
    }
    text_add(&joining->scratch, slice_range(name, 0, start));
    text_add(&joining->scratch, later_name(joining, side, without_hash(file)));
    text_add(&joining->scratch, behind);
}

/* Valid until the next call. */
static struct slice name_of(struct joining *joining, enum joined_side side,
                            const struct profile_function *function)
{
    const struct profile *profile = joining->sides[side].part->profile;
    struct slice name = profile_text(profile, function->name);

    if (function->why_unnamed == PROFILE_NO_STRING)
        return plain_names_of(&joining->plain, side, name);
    text_clear(&joining->scratch);
    add_file_name(joining, side, without_hex(name, SLICE("+0x"), 1), profile_text(profile, function->crate));
    return text_slice(&joining->scratch);
}

static void add_names(struct joining *joining, enum joined_side side)
{
    const struct profile *profile = joining->sides[side].part->profile;

    for (size_t i = 0; i < profile->functions.count; i++) {
        const struct profile_function *function = &profile->functions.items[i];
        struct slice crate = crate_of(joining, side, function);
        struct slice texts[] = {joining->has_crates ? crate : (struct slice){0},
                                joining->by == JOINED_BY_CRATE ? crate : name_of(joining, side, function)};

        pairing_add(&joining->pairing, texts, ARRAY_COUNT(texts), side == JOINED_AFTER);
    }
}

static uint32_t string_of(const struct joining *joining, struct slice name, uint32_t group)
{
    SCOPED(text_done) struct text common = {0};

    pairing_add_name(&joining->pairing, group, name, &common);
    return profile_string(joining->out, text_slice(&common));
}

/* The function for one that was paired, which the other side may have added already. */
static uint32_t add_function(struct joining *joining, enum joined_side side,
                             const struct profile_function *function, uint32_t group)
{
    const struct profile *profile = joining->sides[side].part->profile;
    bool is_crate = joining->by == JOINED_BY_CRATE;
    struct slice crate = crate_of(joining, side, function);
    struct profile_function joined = {
        .name = string_of(joining, is_crate ? crate : name_of(joining, side, function), group),
        .crate = string_of(joining, crate, group),
        .category = function->category,
        .why_unnamed = is_crate ? PROFILE_NO_STRING
                                : profile_string(joining->out, profile_text(profile, function->why_unnamed)),
    };

    *vec_add(&joining->out->functions) = joined;
    return (uint32_t)joining->out->functions.count - 1;
}

/* Of what both sides have, the later one tells whose code it is. */
static void add_functions(struct joining *joining)
{
    size_t groups = joining->pairing.groups.count;
    SCOPED(memory_free_at) uint32_t *joined = memory_new(groups + 1, sizeof(uint32_t));
    const struct pairing_item *items = joining->pairing.items.items;
    size_t before_count = joining->sides[JOINED_BEFORE].part->profile->functions.count;

    for (size_t i = 0; i < groups; i++)
        joined[i] = PROFILE_NONE;
    for (size_t i = joining->pairing.items.count; i-- > 0;) {
        enum joined_side side = items[i].is_after ? JOINED_AFTER : JOINED_BEFORE;
        size_t at = items[i].is_after ? i - before_count : i;
        const struct profile *profile = joining->sides[side].part->profile;

        if (joined[items[i].group] == PROFILE_NONE)
            joined[items[i].group] =
                add_function(joining, side, &profile->functions.items[at], items[i].group);
        joining->sides[side].functions[at] = joined[items[i].group];
    }
}

static void pair_functions(struct joining *joining)
{
    for (size_t i = 0; i < JOINED_SIDES; i++) {
        struct side *side = &joining->sides[i];

        side->functions = memory_new(side->part->profile->functions.count + 1, sizeof(uint32_t));
        add_names(joining, (enum joined_side)i);
    }
    pairing_finish(&joining->pairing);
    add_functions(joining);
}

/* --- Everything else ----------------------------------------------------------------------------- */

static uint32_t moved(uint32_t id, uint32_t by)
{
    return id == PROFILE_NONE ? id : id + by;
}

static void add_frames(const struct side *side, const struct profile_location *location, struct profile *out)
{
    const struct profile *profile = side->part->profile;

    for (uint32_t i = 0; i < location->frame_count; i++) {
        struct profile_frame frame = profile->frames.items[location->first_frame + i];

        frame.function = side->functions[frame.function];
        frame.file = profile_string(out, profile_text(profile, frame.file));
        *vec_add(&out->frames) = frame;
    }
}

/* Code of one address is not the same in two builds: places are kept apart, and so are stacks. */
static void add_places(const struct side *side, struct profile *out)
{
    const struct profile *profile = side->part->profile;

    for (size_t i = 0; i < profile->modules.count; i++) {
        const struct profile_module *module = &profile->modules.items[i];

        profile_add_module(out, module->kind, profile_text(profile, module->path),
                           profile_text(profile, module->build_id));
    }
    for (size_t i = 0; i < profile->locations.count; i++) {
        struct profile_location location = profile->locations.items[i];

        location.module = moved(location.module, side->first_module);
        location.first_frame = (uint32_t)out->frames.count;
        add_frames(side, &profile->locations.items[i], out);
        *vec_add(&out->locations) = location;
    }
    for (size_t i = 0; i < profile->stacks.count; i++)
        *vec_add(&out->stacks) =
            (struct profile_stack){moved(profile->stacks.items[i].parent, side->first_stack),
                                   profile->stacks.items[i].location + side->first_location};
}

static bool has_threads(const struct profile *profile)
{
    for (size_t i = 0; i < profile->threads.count; i++)
        if (profile->threads.items[i].name != PROFILE_NO_STRING)
            return true;
    return false;
}

/*
 * The same of a thread's name, cut as it is. Where one side does not know
 * them, those of the other would keep its calls apart from this one's: none then.
 */
static struct slice thread_name(const struct joining *joining, enum joined_side side, struct slice name)
{
    const struct side *sides = joining->sides;

    if (!joining->has_threads)
        return (struct slice){0};
    if (name.length > 0 && slice_equal(name, slice_range(sides[side].program, 0, COMM_MOST_BYTES)))
        return slice_range(sides[JOINED_AFTER].program, 0, COMM_MOST_BYTES);
    return name;
}

static void add_threads(const struct joining *joining, enum joined_side side)
{
    const struct profile *profile = joining->sides[side].part->profile;
    struct profile *out = joining->out;

    for (size_t i = 0; i < profile->threads.count; i++) {
        const struct profile_thread *thread = &profile->threads.items[i];
        struct slice name = thread_name(joining, side, profile_text(profile, thread->name));
        struct slice process = thread_name(joining, side, profile_text(profile, thread->process_name));
        uint32_t id = profile_add_thread(out, thread->pid, thread->tid, name);

        out->threads.items[id].process_name = profile_string(out, process);
        out->threads.items[id].run = thread->run;
    }
}

static void add_series(const struct joined_part *part, struct profile *out)
{
    const struct profile *profile = part->profile;
    const struct profile_series *from = &profile->series.items[part->series];
    uint32_t id = profile_add_series(out, profile_text(profile, from->event),
                                     profile_text(profile, from->unit), from->frequency_hz);

    out->series.items[id].is_user_only = from->is_user_only;
}

static void add_sum(struct profile *out, uint32_t series, const struct sample_sum *sum)
{
    struct sample_store *samples = &out->series.items[series].samples;

    samples->count += sum->count;
    sample_sums_add(&samples->sums, *sum);
}

static void add_sums(const struct side *side, uint32_t series, struct joined_cursor cursor,
                     struct profile *out)
{
    struct sample_sum sum;

    while (joined_cursor_next(&cursor, &sum)) {
        sum.thread += side->first_thread;
        sum.stack = moved(sum.stack, side->first_stack);
        add_sum(out, series, &sum);
        add_sum(out, JOINED_BOTH, &sum);
    }
}

void joined_make(const struct joined_part parts[JOINED_SIDES], enum joined_by by, struct profile *out)
{
    SCOPED(joining_done)
    struct joining joining = {
        .by = by,
        .has_crates = !joined_is_folded(&parts[JOINED_BEFORE]) && !joined_is_folded(&parts[JOINED_AFTER]),
        .has_threads = has_threads(parts[JOINED_BEFORE].profile) && has_threads(parts[JOINED_AFTER].profile),
        .sides = {{.part = &parts[JOINED_BEFORE]}, {.part = &parts[JOINED_AFTER]}},
        .out = out,
    };

    profile_init(out);
    for (size_t i = 0; i < JOINED_SIDES; i++)
        if (!joining.has_crates && !joined_is_folded(&parts[i]))
            known_crates_add(&joining.known, parts[i].profile);
    find_programs(joining.sides);
    if (by == JOINED_BY_FUNCTION)
        plain_names_make(&joining.plain, parts);
    pair_functions(&joining);
    for (size_t i = 0; i < JOINED_SIDES; i++)
        add_series(&parts[i], out);
    add_series(&parts[JOINED_AFTER], out);
    for (uint32_t i = 0; i < JOINED_SIDES; i++) {
        struct side *side = &joining.sides[i];

        side->first_module = (uint32_t)out->modules.count;
        side->first_location = (uint32_t)out->locations.count;
        side->first_stack = (uint32_t)out->stacks.count;
        side->first_thread = (uint32_t)out->threads.count;
        add_places(side, out);
        add_threads(&joining, (enum joined_side)i);
        add_sums(side, i, joined_cursor_of(parts, (enum joined_side)i), out);
    }
    for (size_t i = 0; i < out->series.count; i++)
        sample_sums_settle(&out->series.items[i].samples.sums);
}

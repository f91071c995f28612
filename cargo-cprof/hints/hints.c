#include "hints/hints.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/units.h"
#include "facts/other_allocator.h"
#include "facts/quality.h"
#include "facts/series_unit.h"
#include "facts/short_stacks.h"
#include "hints/hint_names.h"
#include "hints/hint_rules.h"
#include "hints/recursion.h"
#include "profile/totals.h"

/* Where a cost comes from: a function of the user's, and how much. */
struct origin {
    uint32_t function;
    uint64_t weight;
};

/* What the name of a function tells; names are looked at once, stacks hold them thousands of times. */
struct name_signs {
    uint32_t kinds; /* bits of the kinds that it is a sign of */
    uint32_t roles; /* enum hint_role */
};

/* What the functions at a place in the code tell together; stacks hold most places thousands of times. */
struct place_signs {
    bool is_plain;         /* no function there is a sign of anything */
    bool is_recorders;     /* it is in the library that tells of the heap */
    bool is_signal_return; /* a signal's handler was called there, by nobody */
    uint32_t own;          /* the innermost of them that is the user's, PROFILE_NONE: none */
};

/* Weighing one series. */
struct hinter {
    const struct profile *profile;
    struct name_signs *signs;   /* by function */
    struct place_signs *places; /* by location */
    uint64_t whole;
    uint64_t weights[HINT_KIND_COUNT];
    struct pair_index origins; /* kind, function */
    VEC(uint64_t) origin_weights;
    struct recursion recursion;
    bool has_other_allocator; /* than the system's */
};

static void hinter_done(struct hinter *hinter)
{
    free(hinter->signs);
    free(hinter->places);
    recursion_done(&hinter->recursion);
    pair_index_done(&hinter->origins);
    vec_done(&hinter->origin_weights);
}

static void add_origin(struct hinter *hinter, enum hint_kind kind, uint32_t function, uint64_t weight)
{
    uint32_t id = pair_index_add(&hinter->origins, kind, function);

    if (id == hinter->origin_weights.count)
        *vec_add(&hinter->origin_weights) = 0;
    weight_add(&hinter->origin_weights.items[id], weight);
}

/* What is known of one stack while it is walked from the innermost call out. */
struct stack_walk {
    uint32_t found;                    /* kinds that the stack is of */
    uint32_t waiting;                  /* of these, kinds whose origin is not found yet */
    uint32_t excused;                  /* kinds that something in the stack makes no cost of */
    uint32_t origins[HINT_KIND_COUNT]; /* by kind that is found and not waiting: the function; PROFILE_NONE */
    bool is_innermost;
    bool is_call_cost; /* the sample was taken where calls spend their time that move little */
    bool is_in_realloc;
    bool is_in_index; /* the last frame was indexing */
    bool is_transfer; /* the last frame was a read or write */
    bool is_in_std;   /* all frames so far are std's, inlined into each other */
};

/* Of these kinds, where they were found and wait for their origin, this function is it. */
static void end_waiting(struct stack_walk *walk, uint32_t kinds, uint32_t function)
{
    uint32_t ending = walk->waiting & kinds;

    walk->waiting &= ~kinds;
    for (; ending != 0; ending &= ending - 1)
        walk->origins[__builtin_ctz(ending)] = function;
}

/* What was found so far is what a panic does, and is there because of it. */
static void forget_panics_work(struct stack_walk *walk)
{
    walk->found &= ~hint_kinds_of_panics;
    walk->waiting &= ~hint_kinds_of_panics;
    walk->is_in_realloc = false;
}

static void visit(struct hinter *hinter, struct stack_walk *walk, const struct profile_frame *frame)
{
    uint32_t kinds = hinter->signs[frame->function].kinds;
    uint32_t roles = hinter->signs[frame->function].roles;
    const struct profile_function *function = &hinter->profile->functions.items[frame->function];
    bool is_own = function->category == CATEGORY_OWN;

    if (!walk->is_innermost)
        kinds &= ~hint_kinds_of_innermost;
    if (frame->is_inlined)
        kinds &= ~(1U << HINT_DEBUG_BUILD);
    walk->is_in_std = walk->is_in_std && frame->is_inlined && function->category == CATEGORY_STD;
    /* Checks that are calls of their own are a debug build's, those in std's own code are std's to avoid. */
    if (!walk->is_in_std)
        kinds &= ~(1U << HINT_BOUNDS_CHECK);
    if (walk->is_in_index && !(kinds >> HINT_BOUNDS_CHECK & 1) && function->category == CATEGORY_STD)
        walk->excused |= 1U << HINT_BOUNDS_CHECK;
    walk->is_in_index = kinds >> HINT_BOUNDS_CHECK & 1;
    walk->is_in_realloc = walk->is_in_realloc || roles & HINT_ROLE_REALLOC;
    /* A Vec's first room has its price with_capacity as well. */
    if (!walk->is_in_realloc)
        kinds &= ~(1U << HINT_GROWTH);
    if (roles & HINT_ROLE_LINE_WRITER)
        walk->excused &= ~(1U << HINT_UNBUFFERED);
    else if (roles & HINT_ROLE_BUFFER)
        walk->excused |= 1U << HINT_UNBUFFERED;
    if (roles & HINT_ROLE_OTHER_FAULT)
        walk->excused |= 1U << HINT_NEW_MEMORY;
    if (roles & HINT_ROLE_RECORDERS)
        walk->excused |= 1U << HINT_THREADS;
    if (roles & HINT_ROLE_FILE_CALL)
        walk->excused |= 1U << HINT_DROP;
    if (walk->is_innermost)
        walk->is_call_cost = roles & HINT_ROLE_CALL_COST;
    if (roles & HINT_ROLE_FULL_BUFFER)
        walk->is_call_cost = false;
    walk->is_transfer = kinds >> HINT_UNBUFFERED & 1;
    if (kinds >> HINT_UNWIND & 1)
        forget_panics_work(walk);
    walk->waiting |= kinds & ~walk->found;
    walk->found |= kinds;
    if (is_own)
        end_waiting(walk, roles & HINT_ROLE_ALLOCATOR ? ~hint_kinds_of_memory : UINT32_MAX, frame->function);
    walk->is_innermost = false;
}

/* Without what a signal has interrupted, which has not called what its handler does: the caller of that. */
static uint32_t caller_of(const struct hinter *hinter, uint32_t stack)
{
    const struct profile_stack *of = &hinter->profile->stacks.items[stack];

    return hinter->places[of->location].is_signal_return ? PROFILE_NONE : of->parent;
}

/* Where nothing is a sign only the search for who caused what was found before goes on. */
static void visit_place(struct hinter *hinter, struct stack_walk *walk, uint32_t stack)
{
    const struct profile *profile = hinter->profile;
    uint32_t place = profile->stacks.items[stack].location;
    const struct profile_location *location = &profile->locations.items[place];

    recursion_see(&hinter->recursion, stack);
    if (hinter->places[place].is_plain && !walk->is_innermost && !walk->is_in_index) {
        if (hinter->places[place].own != PROFILE_NONE)
            end_waiting(walk, UINT32_MAX, hinter->places[place].own);
        walk->is_in_std = false;
        walk->is_transfer = false;
        return;
    }
    for (uint32_t i = 0; i < location->frame_count; i++)
        visit(hinter, walk, &profile->frames.items[location->first_frame + i]);
}

/*
 * Whether the sample was taken in the program's own file at a place without a line. Of C, which a statically
 * linked C library has without lines however the program was built, the Rust code that calls it tells.
 */
static bool has_no_line(const struct hinter *hinter, uint32_t stack)
{
    const struct profile *profile = hinter->profile;

    for (; stack != PROFILE_NONE; stack = caller_of(hinter, stack)) {
        const struct profile_location *location =
            &profile->locations.items[profile->stacks.items[stack].location];
        const struct profile_frame *frame = &profile->frames.items[location->first_frame];

        if (location->frame_count == 0 || location->module == PROFILE_NONE ||
            profile->modules.items[location->module].kind != MODULE_EXECUTABLE)
            return false;
        if (frame->line != 0 || profile->functions.items[frame->function].category != CATEGORY_OTHER)
            return frame->line == 0;
    }
    return false;
}

/*
 * The function whose own time a sample at this location is: what std has inlined into it belongs to it.
 * PROFILE_NONE when it is not inlined itself.
 */
static uint32_t hot_inlined(const struct profile *profile, const struct profile_location *location)
{
    for (uint32_t i = 0; i < location->frame_count; i++) {
        const struct profile_frame *frame = &profile->frames.items[location->first_frame + i];

        if (!frame->is_inlined)
            return PROFILE_NONE;
        if (profile->functions.items[frame->function].category != CATEGORY_STD)
            return frame->function;
    }
    return PROFILE_NONE;
}

static void add_hot_inlined(struct hinter *hinter, uint32_t stack, uint64_t weight)
{
    const struct profile *profile = hinter->profile;
    uint32_t function =
        hot_inlined(profile, &profile->locations.items[profile->stacks.items[stack].location]);

    if (function != PROFILE_NONE)
        add_origin(hinter, HINT_HOT_INLINED, function, weight);
}

static void add_found(struct hinter *hinter, const struct stack_walk *walk, uint64_t weight)
{
    uint32_t found = walk->found & ~walk->excused;

    for (unsigned kind = 0; kind < HINT_KIND_COUNT; kind++) {
        if (!(found >> kind & 1))
            continue;
        weight_add(&hinter->weights[kind], weight);
        if (walk->origins[kind] != PROFILE_NONE)
            add_origin(hinter, kind, walk->origins[kind], weight);
    }
}

/*
 * Reads and writes that move much need no buffer, and those whose callers are cut may have one; what is
 * formatted and written is not formatted there.
 */
static void excuse(struct stack_walk *walk)
{
    if (!walk->is_call_cost || walk->is_transfer)
        walk->excused |= 1U << HINT_UNBUFFERED;
    if (walk->found >> HINT_UNBUFFERED & 1)
        walk->excused |= 1U << HINT_FORMAT;
}

static void add_sum(struct hinter *hinter, const struct sample_sum *sum, uint64_t weight)
{
    const struct profile *profile = hinter->profile;
    struct stack_walk walk = {.is_innermost = true, .is_in_std = true};

    for (unsigned kind = 0; kind < HINT_KIND_COUNT; kind++)
        walk.origins[kind] = PROFILE_NONE;
    weight_add(&hinter->whole, weight);
    /* Without --heap it would not take that. */
    if (sum->stack == PROFILE_NONE || hinter->places[profile->stacks.items[sum->stack].location].is_recorders)
        return;
    for (uint32_t stack = sum->stack; stack != PROFILE_NONE; stack = caller_of(hinter, stack))
        visit_place(hinter, &walk, stack);
    if (hinter->recursion.depth >= HINT_RECURSION_DEPTH) {
        walk.found |= 1U << HINT_RECURSION;
        walk.origins[HINT_RECURSION] = hinter->recursion.deepest;
    }
    add_hot_inlined(hinter, sum->stack, weight);
    excuse(&walk);
    if (has_no_line(hinter, sum->stack))
        walk.found |= 1U << HINT_NO_LINES;
    add_found(hinter, &walk, weight);
    recursion_end_stack(&hinter->recursion, sum->stack);
}

/* --- Telling ------------------------------------------------------------------------------------- */

static int compare_origins(const void *left, const void *right)
{
    const struct origin *a = left;
    const struct origin *b = right;

    if (a->weight != b->weight)
        return a->weight > b->weight ? -1 : 1;
    return a->function < b->function ? -1 : a->function > b->function;
}

static bool is_over(uint64_t part, uint64_t whole, unsigned percent)
{
    return whole > 0 && (unsigned __int128)part * 100 >= (unsigned __int128)whole * percent;
}

/* The weight of the heaviest function that the kind comes from. */
static uint64_t heaviest_origin(const struct hinter *hinter, enum hint_kind kind)
{
    uint64_t most = 0;

    for (size_t i = 0; i < hinter->origins.pairs.count; i++)
        if (hinter->origins.pairs.items[i].first == kind && hinter->origin_weights.items[i] > most)
            most = hinter->origin_weights.items[i];
    return most;
}

static void add_origins(struct text *text, const struct hinter *hinter, enum hint_kind kind)
{
    enum { ORIGINS_SHOWN = 3, LEAST_PERCENT = 1 };
    const size_t most = kind == HINT_HOT_INLINED ? 1 : ORIGINS_SHOWN;
    VEC(struct origin) origins = {0};

    for (size_t i = 0; i < hinter->origins.pairs.count; i++)
        if (hinter->origins.pairs.items[i].first == kind)
            *vec_add(&origins) = (struct origin){(uint32_t)hinter->origins.pairs.items[i].second,
                                                 hinter->origin_weights.items[i]};
    vec_sort(&origins, compare_origins);
    for (size_t i = 0; i < origins.count && i < most; i++) {
        const struct origin *origin = &origins.items[i];

        if (!is_over(origin->weight, hinter->whole, LEAST_PERCENT))
            break;
        text_add_string(text, ", ");
        units_add_percent(text, origin->weight, hinter->whole);
        text_add_string(text, " in ");
        text_add_terminal(
            text, profile_text(hinter->profile, hinter->profile->functions.items[origin->function].name));
    }
    vec_done(&origins);
}

static void add_hint(struct text *text, const struct hinter *hinter, enum hint_kind kind, uint64_t part,
                     uint64_t whole)
{
    const struct hint_rule *rule = &hint_rules[kind];

    text_format(text, "hint (%s): ", rule->name);
    units_add_percent(text, part, whole);
    text_format(text, " %s", rule->what);
    if (kind != HINT_IDLE)
        add_origins(text, hinter, kind);
    text_format(text, "\n  %s", hint_remedy(hinter->profile, kind));
    if (hint_allocator_remedies[kind] && !hinter->has_other_allocator)
        text_format(text, "; %s", hint_allocator_remedies[kind]);
    text_add_byte(text, '\n');
}

/* The heaviest that is over its threshold and not told yet; HINT_KIND_COUNT when there is none. */
static enum hint_kind next_hint(const struct hinter *hinter, const bool *is_told)
{
    enum hint_kind best = HINT_KIND_COUNT;

    for (unsigned kind = 0; kind < HINT_KIND_COUNT; kind++)
        if (!is_told[kind] && is_over(hinter->weights[kind], hinter->whole, hint_rules[kind].least_percent) &&
            (best == HINT_KIND_COUNT || hinter->weights[kind] > hinter->weights[best]))
            best = kind;
    return best;
}

/* A program that takes this little of the time it runs is told of what it waits for, when it runs long
 * enough. */
static void add_idle(struct text *text, const struct hinter *hinter)
{
    const struct profile *profile = hinter->profile;
    const uint64_t least_wall_ns = 1000000000;
    /* On a busy machine it may have been ready to run: then nothing is said, rather than a part of it. */
    uint64_t busy_ns = profile->cpu_ns < UINT64_MAX - profile->run_delay_ns
                           ? profile->cpu_ns + profile->run_delay_ns
                           : UINT64_MAX;
    uint64_t idle_ns = profile->wall_ns > busy_ns ? profile->wall_ns - busy_ns : 0;

    /* What was waited for is told. */
    for (uint32_t i = 0; i < profile->series.count; i++)
        if (series_is_of_waits(profile, i))
            return;
    if (profile->cpu_ns > 0 && profile->wall_ns >= least_wall_ns &&
        is_over(idle_ns, profile->wall_ns, hint_rules[HINT_IDLE].least_percent))
        add_hint(text, hinter, HINT_IDLE, profile->wall_ns - profile->cpu_ns, profile->wall_ns);
}

/*
 * Where most stacks have no callers, as by frame pointers in a program that keeps none: what is seen by
 * callers is not seen there, and what is seen without them comes from nobody.
 */
static void add_missing_callers(struct text *text, const struct profile *profile, uint32_t series)
{
    const struct profile_series *of = &profile->series.items[series];
    struct short_stacks ends = {0};
    uint64_t cut = quality_cut_count(of);
    SCOPED(text_done) struct text share = {0};

    if (of->ended_counts[STACK_UNCHECKED] > 0)
        ends = short_stacks_count(profile, of);
    if (short_stacks_are_most(&ends, of, &share))
        text_add_string(&share, " of stacks end after one or two calls");
    else if (quality_is_known(of) && cut > of->samples.count / 2) {
        units_add_percent(&share, cut, of->samples.count);
        text_add_string(&share, " of stacks are cut");
    } else
        return;
    text_format(text, "hints take callers, and %s: costs may be larger than told here, or not told at all\n",
                text_string(&share));
}

static bool has_lines(const struct profile *profile)
{
    for (size_t i = 0; i < profile->modules.count; i++)
        if (profile->modules.items[i].kind == MODULE_EXECUTABLE)
            return true;
    return false;
}

static struct name_signs signs_of(struct slice name)
{
    uint32_t kinds = hint_kinds_of_name(name);

    return (struct name_signs){kinds, hint_roles_of_name(name, kinds)};
}

static struct place_signs place_signs_of(const struct hinter *hinter, const struct profile_location *location)
{
    const struct profile *profile = hinter->profile;
    struct place_signs signs = {.is_plain = location->frame_count > 0, .own = PROFILE_NONE};

    signs.is_recorders =
        location->module != PROFILE_NONE &&
        heap_library_is(profile_text(profile, profile->modules.items[location->module].path));
    for (uint32_t i = 0; i < location->frame_count; i++) {
        uint32_t function = profile->frames.items[location->first_frame + i].function;
        const struct name_signs *of_name = &hinter->signs[function];

        signs.is_plain = signs.is_plain && of_name->kinds == 0 && of_name->roles == 0;
        signs.is_signal_return = signs.is_signal_return || of_name->roles & HINT_ROLE_SIGNAL_RETURN;
        if (signs.own == PROFILE_NONE && profile->functions.items[function].category == CATEGORY_OWN)
            signs.own = function;
    }
    return signs;
}

/* What all names tell, before stacks are looked at. */
static void read_signs(struct hinter *hinter)
{
    const struct profile *profile = hinter->profile;

    for (size_t i = 0; i < profile->functions.count; i++)
        hinter->signs[i] = signs_of(profile_text(profile, profile->functions.items[i].name));
    for (size_t i = 0; i < profile->locations.count; i++)
        hinter->places[i] = place_signs_of(hinter, &profile->locations.items[i]);
}

void hints_add(struct text *text, const struct profile *profile, uint32_t series)
{
    SCOPED(hinter_done)
    struct hinter hinter = {
        .profile = profile,
        .signs = memory_new(profile->functions.count + 1, sizeof(struct name_signs)),
        .places = memory_new(profile->locations.count + 1, sizeof(struct place_signs)),
    };
    struct sums_cursor cursor = sums_cursor_of(&profile->series.items[series].samples.sums);
    struct sample_sum sum;
    enum weight weight = weight_of_series(profile, series);
    bool is_told[HINT_KIND_COUNT] = {[HINT_IDLE] = true, [HINT_NO_LINES] = !has_lines(profile)};

    /* Page faults and the like do not tell where time goes. */
    if (series_counts_things(profile, series))
        return;
    recursion_init(&hinter.recursion, profile);
    read_signs(&hinter);
    hinter.has_other_allocator = other_allocator_exists(profile);
    while (sums_cursor_next(&cursor, &sum))
        add_sum(&hinter, &sum, weight_of_sum(&sum, weight));
    hinter.weights[HINT_HOT_INLINED] = heaviest_origin(&hinter, HINT_HOT_INLINED);
    add_idle(text, &hinter);
    if (hinter.whole < HINT_LEAST_SAMPLES)
        return;
    for (int told = 0; told < HINTS_MOST; told++) {
        enum hint_kind kind = next_hint(&hinter, is_told);

        if (kind == HINT_KIND_COUNT)
            break;
        is_told[kind] = true;
        add_hint(text, &hinter, kind, hinter.weights[kind], hinter.whole);
    }
    add_missing_callers(text, profile, series);
}

#include "hints/hint_weights.h"

#include <stdlib.h>

#include "base/memory.h"
#include "hints/hint_names.h"
#include "hints/hints.h"
#include "hints/recursion.h"
#include "profile/totals.h"

void hint_weights_done(struct hint_weights *weights)
{
    pair_index_done(&weights->origins);
    vec_done(&weights->origin_weights);
}

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
struct weighing {
    const struct profile *profile;
    struct name_signs *signs;   /* by function */
    struct place_signs *places; /* by location */
    struct recursion recursion;
    struct hint_weights *out;
};

static void weighing_done(struct weighing *weighing)
{
    free(weighing->signs);
    free(weighing->places);
    recursion_done(&weighing->recursion);
}

static void add_origin(struct weighing *weighing, enum hint_kind kind, uint32_t function, uint64_t weight)
{
    uint32_t id = pair_index_add(&weighing->out->origins, kind, function);

    if (id == weighing->out->origin_weights.count)
        *vec_add(&weighing->out->origin_weights) = 0;
    weight_add(&weighing->out->origin_weights.items[id], weight);
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

static void visit(struct weighing *weighing, struct stack_walk *walk, const struct profile_frame *frame)
{
    uint32_t kinds = weighing->signs[frame->function].kinds;
    uint32_t roles = weighing->signs[frame->function].roles;
    const struct profile_function *function = &weighing->profile->functions.items[frame->function];
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
static uint32_t caller_of(const struct weighing *weighing, uint32_t stack)
{
    const struct profile_stack *of = &weighing->profile->stacks.items[stack];

    return weighing->places[of->location].is_signal_return ? PROFILE_NONE : of->parent;
}

/* Where nothing is a sign only the search for who caused what was found before goes on. */
static void visit_place(struct weighing *weighing, struct stack_walk *walk, uint32_t stack)
{
    const struct profile *profile = weighing->profile;
    uint32_t place = profile->stacks.items[stack].location;
    const struct profile_location *location = &profile->locations.items[place];

    recursion_see(&weighing->recursion, stack);
    if (weighing->places[place].is_plain && !walk->is_innermost && !walk->is_in_index) {
        if (weighing->places[place].own != PROFILE_NONE)
            end_waiting(walk, UINT32_MAX, weighing->places[place].own);
        walk->is_in_std = false;
        walk->is_transfer = false;
        return;
    }
    for (uint32_t i = 0; i < location->frame_count; i++)
        visit(weighing, walk, &profile->frames.items[location->first_frame + i]);
}

/*
 * Whether the sample was taken in the program's own file at a place without a line. Of C, which a statically
 * linked C library has without lines however the program was built, the Rust code that calls it tells.
 */
static bool has_no_line(const struct weighing *weighing, uint32_t stack)
{
    const struct profile *profile = weighing->profile;

    for (; stack != PROFILE_NONE; stack = caller_of(weighing, stack)) {
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

static void add_hot_inlined(struct weighing *weighing, uint32_t stack, uint64_t weight)
{
    const struct profile *profile = weighing->profile;
    uint32_t function =
        hot_inlined(profile, &profile->locations.items[profile->stacks.items[stack].location]);

    if (function != PROFILE_NONE)
        add_origin(weighing, HINT_HOT_INLINED, function, weight);
}

static void add_found(struct weighing *weighing, const struct stack_walk *walk, uint64_t weight)
{
    uint32_t found = walk->found & ~walk->excused;

    for (unsigned kind = 0; kind < HINT_KIND_COUNT; kind++) {
        if (!(found >> kind & 1))
            continue;
        weight_add(&weighing->out->weights[kind], weight);
        if (walk->origins[kind] != PROFILE_NONE)
            add_origin(weighing, kind, walk->origins[kind], weight);
    }
}

/*
 * Reads and writes that move much need no buffer, and those whose callers are cut may have one; what is
 * formatted and written is not formatted there. A lock that a wait for a condition takes again is of that.
 */
static void excuse(struct stack_walk *walk)
{
    if (!walk->is_call_cost || walk->is_transfer)
        walk->excused |= 1U << HINT_UNBUFFERED;
    if (walk->found >> HINT_UNBUFFERED & 1)
        walk->excused |= 1U << HINT_FORMAT;
    if (walk->found >> HINT_WAKEUPS & 1)
        walk->excused |= 1U << HINT_LOCK;
}

static void add_sum(struct weighing *weighing, const struct sample_sum *sum, uint64_t weight)
{
    const struct profile *profile = weighing->profile;
    struct stack_walk walk = {.is_innermost = true, .is_in_std = true};

    for (unsigned kind = 0; kind < HINT_KIND_COUNT; kind++)
        walk.origins[kind] = PROFILE_NONE;
    weight_add(&weighing->out->whole, weight);
    /* Without --heap it would not take that. */
    if (sum->stack == PROFILE_NONE ||
        weighing->places[profile->stacks.items[sum->stack].location].is_recorders)
        return;
    for (uint32_t stack = sum->stack; stack != PROFILE_NONE; stack = caller_of(weighing, stack))
        visit_place(weighing, &walk, stack);
    if (weighing->recursion.depth >= HINT_RECURSION_DEPTH) {
        walk.found |= 1U << HINT_RECURSION;
        walk.origins[HINT_RECURSION] = weighing->recursion.deepest;
    }
    add_hot_inlined(weighing, sum->stack, weight);
    excuse(&walk);
    if (has_no_line(weighing, sum->stack))
        walk.found |= 1U << HINT_NO_LINES;
    add_found(weighing, &walk, weight);
    recursion_end_stack(&weighing->recursion, sum->stack);
}

static struct name_signs signs_of(struct slice name)
{
    uint32_t kinds = hint_kinds_of_name(name);

    return (struct name_signs){kinds, hint_roles_of_name(name, kinds)};
}

static struct place_signs place_signs_of(const struct weighing *weighing,
                                         const struct profile_location *location)
{
    const struct profile *profile = weighing->profile;
    struct place_signs signs = {.is_plain = location->frame_count > 0, .own = PROFILE_NONE};

    signs.is_recorders =
        location->module != PROFILE_NONE &&
        heap_library_is(profile_text(profile, profile->modules.items[location->module].path));
    for (uint32_t i = 0; i < location->frame_count; i++) {
        uint32_t function = profile->frames.items[location->first_frame + i].function;
        const struct name_signs *of_name = &weighing->signs[function];

        signs.is_plain = signs.is_plain && of_name->kinds == 0 && of_name->roles == 0;
        signs.is_signal_return = signs.is_signal_return || of_name->roles & HINT_ROLE_SIGNAL_RETURN;
        if (signs.own == PROFILE_NONE && profile->functions.items[function].category == CATEGORY_OWN)
            signs.own = function;
    }
    return signs;
}

/* What all names tell, before stacks are looked at. */
static void read_signs(struct weighing *weighing)
{
    const struct profile *profile = weighing->profile;

    for (size_t i = 0; i < profile->functions.count; i++)
        weighing->signs[i] = signs_of(profile_text(profile, profile->functions.items[i].name));
    for (size_t i = 0; i < profile->locations.count; i++)
        weighing->places[i] = place_signs_of(weighing, &profile->locations.items[i]);
}

/* The weight of the heaviest function that the kind comes from. */
static uint64_t heaviest_origin(const struct hint_weights *weights, enum hint_kind kind)
{
    uint64_t most = 0;

    for (size_t i = 0; i < weights->origins.pairs.count; i++)
        if (weights->origins.pairs.items[i].first == kind && weights->origin_weights.items[i] > most)
            most = weights->origin_weights.items[i];
    return most;
}

void hint_weights_find(const struct profile *profile, uint32_t series, struct hint_weights *out)
{
    SCOPED(weighing_done)
    struct weighing weighing = {
        .profile = profile,
        .signs = memory_new(profile->functions.count + 1, sizeof(struct name_signs)),
        .places = memory_new(profile->locations.count + 1, sizeof(struct place_signs)),
        .out = out,
    };
    struct sums_cursor cursor = sums_cursor_of(&profile->series.items[series].samples.sums);
    struct sample_sum sum;
    enum weight weight = weight_of_series(profile, series);

    recursion_init(&weighing.recursion, profile);
    read_signs(&weighing);
    while (sums_cursor_next(&cursor, &sum))
        add_sum(&weighing, &sum, weight_of_sum(&sum, weight));
    out->weights[HINT_HOT_INLINED] = heaviest_origin(out, HINT_HOT_INLINED);
}

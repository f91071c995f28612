#include "changes/unlike.h"

#include "changes/plain_names.h"
#include "facts/innermost_call.h"
#include "facts/series_unit.h"
#include "facts/short_stacks.h"

static const char *label_of(const struct change_words *words, enum joined_side side)
{
    return side == JOINED_BEFORE ? words->before : words->after;
}

static enum joined_side other_side(enum joined_side side)
{
    return side == JOINED_BEFORE ? JOINED_AFTER : JOINED_BEFORE;
}

/* Places in the program's own file that were met, and how many of them have inlined calls. */
struct met {
    size_t count;
    size_t inlined_count;
};

static struct met met_by(const struct joined_part *part)
{
    const struct profile *profile = part->profile;
    struct met met = {0};

    for (size_t i = 0; i < profile->locations.count; i++) {
        const struct profile_location *location = &profile->locations.items[i];

        if (location->module == PROFILE_NONE || location->frame_count == 0 ||
            profile->modules.items[location->module].kind != MODULE_EXECUTABLE)
            continue;
        met.count++;
        /* The innermost comes first, and the last is the function that they are inlined into. */
        met.inlined_count += profile->frames.items[location->first_frame].is_inlined;
    }
    return met;
}

/* Whether callers were looked for by frame pointers, of which the program keeps none: any are chance. */
static bool lacks_frame_pointers(const struct joined_part *part)
{
    const struct profile_series *series = &part->profile->series.items[part->series];

    return short_stacks_are_most(part->profile, series, NULL);
}

/* Whether it is known of some code of the program's who called it. */
static bool has_callers(const struct joined_part *part)
{
    const struct profile *profile = part->profile;

    if (lacks_frame_pointers(part))
        return false;
    for (uint32_t i = 0; i < profile->stacks.count; i++)
        if (profile->stacks.items[i].parent != PROFILE_NONE && !innermost_call_is_kernels(profile, i))
            return true;
    return false;
}

static bool is_whole(const struct joined_part *part)
{
    return !series_is_part(&part->profile->series.items[part->series]);
}

/* Whether waits were recorded too, which costs time: what is counted is the same without them. */
static bool has_waits(const struct joined_part *part)
{
    return !series_counts_things(part->profile, part->series) && series_of_waits_exist(part->profile);
}

/* Whether memory was recorded, which costs time and page faults: what is asked for is the same. */
static bool has_heap(const struct joined_part *part)
{
    return !series_is_of_heap(part->profile, part->series) && series_of_heap_exist(part->profile);
}

/* The side that lacks what the other has; JOINED_SIDES where they are alike. */
static enum joined_side lacking_side(const struct joined_part parts[JOINED_SIDES],
                                     bool (*has)(const struct joined_part *part))
{
    bool before = has(&parts[JOINED_BEFORE]);

    return before == has(&parts[JOINED_AFTER]) ? JOINED_SIDES : before ? JOINED_AFTER : JOINED_BEFORE;
}

/*
 * The side that has no inlined calls though it would have, were it like the other one; JOINED_SIDES for none.
 * Where few places were met it may have none by chance. Folded stacks need not tell which were inlined.
 */
static enum joined_side side_without_inlined(const struct joined_part parts[JOINED_SIDES])
{
    const double enough = 5; /* to be expected: then there are none in one of 150 */

    if (joined_is_folded(&parts[JOINED_BEFORE]) || joined_is_folded(&parts[JOINED_AFTER]))
        return JOINED_SIDES;
    for (size_t i = 0; i < JOINED_SIDES; i++) {
        struct met met = met_by(&parts[i]);
        struct met other = met_by(&parts[other_side((enum joined_side)i)]);

        if (met.inlined_count == 0 &&
            (double)met.count * (double)other.inlined_count >= enough * (double)other.count &&
            other.inlined_count > 0)
            return (enum joined_side)i;
    }
    return JOINED_SIDES;
}

/*
 * The side that was recorded without what the other `has`; JOINED_SIDES: none, or folded stacks, which are of
 * one event each.
 */
static enum joined_side side_recorded_without(const struct joined_part parts[JOINED_SIDES],
                                              bool (*has)(const struct joined_part *part))
{
    bool is_known = !joined_is_folded(&parts[JOINED_BEFORE]) && !joined_is_folded(&parts[JOINED_AFTER]);

    return is_known ? lacking_side(parts, has) : JOINED_SIDES;
}

/* Nothing has nothing of it. */
static bool is_any_empty(const struct joined_part parts[JOINED_SIDES])
{
    for (size_t i = 0; i < JOINED_SIDES; i++)
        if (parts[i].profile->series.items[parts[i].series].samples.count == 0)
            return true;
    return false;
}

bool unlike_is_without_callers(const struct joined_part parts[JOINED_SIDES])
{
    return !is_any_empty(parts) && lacking_side(parts, has_callers) != JOINED_SIDES;
}

/* What one side has and the other has not. */
struct difference {
    enum joined_side lacking; /* JOINED_SIDES: none */
    const char *lacks;        /* "LACKING lacks, OTHER so" */
    const char *so;
};

size_t unlike_find(const struct joined_part parts[JOINED_SIDES], const struct change_words *words,
                   struct arena *arena, const char *out[UNLIKE_MOST])
{
    const struct difference differences[UNLIKE_MOST] = {
        {side_without_inlined(parts), "has no inlined calls (no debug information, or --no-inline)",
         "has them: what they take is that of the functions that they are in there, so only what functions "
         "take with all that they call (Total) is alike"},
        {lacking_side(parts, has_callers),
         "has no callers (--call-graph none, or fp of a program that keeps no frame pointers)",
         "has them: only what functions take themselves is alike"},
        {lacking_side(parts, is_whole), "is a part of its recording, some threads or some time of it",
         "is not"},
        {side_recorded_without(parts, has_waits), "was recorded without waits (--off-cpu)",
         "with them: noting each costs a program CPU time, which is no change of its own; record both alike"},
        {side_recorded_without(parts, has_heap), "was recorded without the heap (--heap)",
         "with it: each request for memory takes longer then, which is no change of the program's own; "
         "record both alike"},
        {plain_names_side(parts), "has names without type arguments (legacy mangling)",
         "with them (v0): they are compared without, and methods that are called otherwise even so are gone "
         "and new, however little they changed; one mangling for both tells more"},
    };
    size_t count = 0;

    if (is_any_empty(parts))
        return 0;
    for (size_t i = 0; i < UNLIKE_MOST; i++) {
        const struct difference *difference = &differences[i];

        if (difference->lacking != JOINED_SIDES)
            out[count++] =
                arena_format(arena, "%s %s, %s %s", label_of(words, difference->lacking), difference->lacks,
                             label_of(words, other_side(difference->lacking)), difference->so);
    }
    return count;
}

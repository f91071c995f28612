#include "changes/unlike.h"

#include "changes/plain_names.h"

static const char *label_of(const struct change_words *words, enum joined_side side)
{
    return side == JOINED_BEFORE ? words->before : words->after;
}

static enum joined_side other_side(enum joined_side side)
{
    return side == JOINED_BEFORE ? JOINED_AFTER : JOINED_BEFORE;
}

/* The side that lacks what the other has; JOINED_SIDES where they are alike. */
static enum joined_side lacking_side(const bool has[JOINED_SIDES])
{
    return has[JOINED_BEFORE] == has[JOINED_AFTER] ? JOINED_SIDES
           : has[JOINED_BEFORE]                    ? JOINED_AFTER
                                                   : JOINED_BEFORE;
}

static bool has_inlined(const struct profile *profile)
{
    for (size_t i = 0; i < profile->frames.count; i++)
        if (profile->frames.items[i].is_inlined)
            return true;
    return false;
}

static bool is_kernels(const struct profile *profile, uint32_t stack)
{
    const struct profile_location *location =
        &profile->locations.items[profile->stacks.items[stack].location];
    const struct profile_frame *frame = &profile->frames.items[location->first_frame];

    return profile->functions.items[frame->function].category == CATEGORY_KERNEL;
}

/* Whether it is known of some code of the program's who called it. */
static bool has_callers(const struct profile *profile)
{
    for (uint32_t i = 0; i < profile->stacks.count; i++)
        if (profile->stacks.items[i].parent != PROFILE_NONE && !is_kernels(profile, i))
            return true;
    return false;
}

/* --- All of them --------------------------------------------------------------------------------- */

/* "LACKING lacks, OTHER so" */
static void add_line(struct text *text, const char *lacks, const char *so, enum joined_side lacking,
                     const struct change_words *words)
{
    if (lacking == JOINED_SIDES)
        return;
    text_format(text, "%s %s, %s %s\n", label_of(words, lacking), lacks, label_of(words, other_side(lacking)),
                so);
}

void unlike_add(struct text *text, const struct joined_part parts[JOINED_SIDES],
                const struct change_words *words)
{
    /* Folded stacks need not tell which calls were inlined. */
    bool is_folded = joined_is_folded(&parts[JOINED_BEFORE]) || joined_is_folded(&parts[JOINED_AFTER]);
    bool inlined[JOINED_SIDES];
    bool callers[JOINED_SIDES];
    bool wholes[JOINED_SIDES];

    for (size_t i = 0; i < JOINED_SIDES; i++) {
        inlined[i] = !is_folded && has_inlined(parts[i].profile);
        callers[i] = has_callers(parts[i].profile);
        wholes[i] = !series_is_part(&parts[i].profile->series.items[parts[i].series]);
    }
    add_line(text, "has no inlined calls (no debug information, or --no-inline)",
             "has them: what they take is that of the functions that they are in there, so only what "
             "functions take "
             "with all that they call (Total) is alike",
             lacking_side(inlined), words);
    add_line(text, "has no callers (--call-graph none)",
             "has them: only what functions take themselves is alike", lacking_side(callers), words);
    add_line(text, "is a part of its recording, some threads or some time of it", "is not",
             lacking_side(wholes), words);
    add_line(
        text, "has names without type arguments (legacy mangling)",
        "with them (v0): they are compared without, and methods that are called otherwise even so are gone "
        "and new, however little they changed; one mangling for both tells more",
        plain_names_side(parts), words);
}

#include "diffed/unlike.h"

#include "delta/same_name.h"

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

/* --- Names --------------------------------------------------------------------------------------- */

/* Where the brackets end that begin at `at`: behind the last, or at the end of the name. */
static size_t skip_brackets(struct slice name, size_t at)
{
    size_t depth = 0;

    for (; at < name.length; at++) {
        bool is_arrow = at > 0 && name.data[at - 1] == '-';

        depth += name.data[at] == '<';
        depth -= name.data[at] == '>' && !is_arrow && depth > 0;
        if (depth == 0)
            return at + 1;
    }
    return name.length;
}

/*
 * "a::f::<u8>::{closure#0}" as legacy mangling has it, which tells no type arguments of functions:
 * "a::f::{closure}". False where nothing changes but numbers.
 */
static bool add_legacy_name(struct text *out, struct slice name)
{
    static const struct slice arguments = SLICE("::<");
    SCOPED(text_done) struct text without = {0};
    size_t at = 0;

    while (at < name.length) {
        struct slice rest = slice_range(name, at, name.length);

        /* "core::num::<impl u64>::f" */
        if (slice_starts_with(rest, arguments) && !slice_starts_with(rest, SLICE("::<impl ")))
            at = skip_brackets(name, at + arguments.length - 1);
        else
            text_add_byte(&without, name.data[at++]);
    }
    same_name_add(out, text_slice(&without));
    return without.length < name.length;
}

/* All names, without what compilers count. */
static void collect_names(const struct profile *profile, struct intern *out)
{
    SCOPED(text_done) struct text name = {0};

    for (size_t i = 0; i < profile->functions.count; i++) {
        text_clear(&name);
        same_name_add(&name, profile_text(profile, profile->functions.items[i].name));
        intern_add(out, text_slice(&name));
    }
}

/* How many functions have type arguments on this side alone, and none on the other alone. */
static size_t count_with_arguments(const struct profile *profile, const struct intern *own,
                                   const struct intern *others)
{
    SCOPED(text_done) struct text name = {0};
    SCOPED(text_done) struct text whole = {0};
    size_t count = 0;

    for (size_t i = 0; i < profile->functions.count; i++) {
        struct slice written = profile_text(profile, profile->functions.items[i].name);

        text_clear(&name);
        text_clear(&whole);
        same_name_add(&whole, written);
        if (add_legacy_name(&name, written) && intern_find(others, text_slice(&whole)) == INTERN_NONE &&
            intern_find(own, text_slice(&name)) == INTERN_NONE &&
            intern_find(others, text_slice(&name)) != INTERN_NONE)
            count++;
    }
    return count;
}

/* std has v0 names of its own in programs with legacy ones, so that single ones tell nothing. */
static enum joined_side side_without_arguments(const struct joined_part parts[JOINED_SIDES])
{
    enum { TELLING = 2 };
    SCOPED(intern_done) struct intern before = {0};
    SCOPED(intern_done) struct intern after = {0};
    size_t told_before = 0;
    size_t told_after = 0;

    collect_names(parts[JOINED_BEFORE].profile, &before);
    collect_names(parts[JOINED_AFTER].profile, &after);
    told_before = count_with_arguments(parts[JOINED_BEFORE].profile, &before, &after);
    told_after = count_with_arguments(parts[JOINED_AFTER].profile, &after, &before);
    if (told_before >= TELLING && told_after == 0)
        return JOINED_AFTER;
    return told_after >= TELLING && told_before == 0 ? JOINED_BEFORE : JOINED_SIDES;
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
        "with them (v0): generic functions are gone and new, however little they changed; build both with "
        "one mangling, or compare --by crate",
        side_without_arguments(parts), words);
}

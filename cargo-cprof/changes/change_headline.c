#include "changes/change_headline.h"

#include "base/units.h"
#include "facts/series_unit.h"
#include "report/cut.h"
#include "report/render.h"

struct slice change_subject(const struct changes *changes)
{
    if (changes->measure.kind == MEASURE_WAITS)
        return SLICE("waits");
    if (changes->measure.is_of_waits)
        return SLICE("time waited");
    /* Bytes may be of the peak, or of all that was asked for. */
    if (changes->measure.is_of_bytes)
        return profile_text(&changes->joined, changes->joined.series.items[JOINED_AFTER].event);
    if (changes->measure.kind != MEASURE_CPU)
        return series_units(&changes->joined, JOINED_AFTER);
    return changes->measure.kernel == MEASURE_KERNEL_LEFT_OUT ? SLICE("CPU time outside of the kernel")
                                                              : SLICE("CPU time");
}

/* Names are the user's: cut, so that the sentence has an end. */
static void add_name(struct text *text, struct slice name)
{
    enum { NAME_COLUMNS_MAX = 200 };
    SCOPED(text_done) struct text shortened = {0};

    cut_add(&shortened, name, NAME_COLUMNS_MAX);
    render_code(text, text_slice(&shortened));
}

/* " (+67.2%)"; nothing where one of the two is none */
static void add_growth(struct text *text, const struct change_figure *figure)
{
    if (figure->amounts[JOINED_BEFORE] == 0 || figure->amounts[JOINED_AFTER] == 0)
        return;
    text_add_string(text, " (");
    units_add_growth(text, figure->amounts[JOINED_BEFORE], figure->amounts[JOINED_AFTER]);
    text_add_byte(text, ')');
}

/* "CPU time grew by 1.20 s (+67.2%), from 1.80 s to 3.00 s; " Shares always make a whole. */
static void add_whole(struct text *text, const struct changes *changes)
{
    struct change_figure whole = changes_whole(changes);
    int64_t difference = change_of(&whole);
    const struct measure *measure = &changes->measure;

    if (measure->kind == MEASURE_SHARE)
        return;
    text_add(text, change_subject(changes));
    text_add_string(text, difference > 0 ? " grew by " : difference < 0 ? " shrank by " : " stayed at ");
    if (difference != 0) {
        change_add_amount(text, measure, change_distance(&whole));
        add_growth(text, &whole);
        text_add_string(text, ", from ");
        change_add_amount(text, measure, whole.amounts[JOINED_BEFORE]);
        text_add_string(text, " to ");
    }
    change_add_amount(text, measure, whole.amounts[JOINED_AFTER]);
    text_add_string(text, "; ");
}

/* "`a::b` +1.20 s (+98.2%)" */
static void add_change(struct text *text, const struct changes *changes, const struct change *change,
                       const struct change_figure *figure)
{
    add_name(text, change_name(changes, change));
    text_add_byte(text, ' ');
    change_add_difference(text, &changes->measure, change_of(figure));
    add_growth(text, figure);
    if (figure == &change->total && !changes->lacks_callers)
        text_add_string(text, " with what it calls");
}

/* Whether that is half of the whole's difference or more, the same way. */
static bool is_most(const struct change_figure *figure, const struct change_figure *whole)
{
    uint64_t half = change_distance(whole) / 2;

    return change_of(whole) != 0 && (change_of(figure) < 0) == (change_of(whole) < 0) &&
           change_distance(figure) > half;
}

/* As main is: it tells nothing that the whole does not. */
static bool is_nearly_all(const struct change_figure *figure, const struct change_figure *whole)
{
    for (size_t side = 0; side < JOINED_SIDES; side++)
        if (figure->amounts[side] < whole->amounts[side] - whole->amounts[side] / 10)
            return false;
    return true;
}

/*
 * Of the user's own functions that most of the difference is in, with what they call, the one with the least
 * of it: the others are its callers. NULL where there is none.
 */
static const struct change *narrowest_holder(const struct changes *changes, const struct change_figure *whole)
{
    const struct change *found = NULL;

    for (size_t i = changes->itself_count; i < changes->told_count; i++) {
        const struct change *change = &changes->items.items[i];

        if (is_most(&change->total, whole) && !is_nearly_all(&change->total, whole) &&
            (!found || change_distance(&change->total) < change_distance(&found->total)))
            found = change;
    }
    return found;
}

/* The one that changed most, and where that is little, of whose calls most is. */
static void add_first(struct text *text, const struct changes *changes, enum joined_by by)
{
    const struct change *first = &changes->items.items[0];
    const struct change *holder = NULL;
    struct change_figure whole = changes_whole(changes);

    if (changes->items.count == 0 || changes->told_count == 0) {
        text_format(text, "no %s changed%s", joined_noun(by), changes->items.count ? " beyond noise" : "");
        return;
    }
    add_change(text, changes, first, first->self.is_noise ? &first->total : &first->self);
    if (changes->measure.kind == MEASURE_SHARE || first->self.is_noise || is_most(&first->self, &whole))
        return;
    holder = narrowest_holder(changes, &whole);
    if (!holder)
        return;
    text_add_string(text, "; most of it: ");
    add_change(text, changes, holder, &holder->total);
}

const char *change_headline(struct arena *arena, const struct changes *changes, enum joined_by by,
                            const struct change_words *words)
{
    SCOPED(text_done) struct text text = {0};
    size_t changed = changes_beyond_noise(changes);

    text_add_string(&text, "**");
    add_whole(&text, changes);
    add_first(&text, changes, by);
    text_add_string(&text, ".** Compared: ");
    add_name(&text, slice_of(words->before));
    text_add_string(&text, " with ");
    add_name(&text, slice_of(words->after));
    text_format(&text, ", %s", measure_words(&changes->measure));
    if (changed > 0) {
        text_add_string(&text, "; beyond noise: ");
        units_add_count(&text, changed);
        text_format(&text, " %s%s", joined_noun(by), changed == 1 ? "" : "s");
    }
    text_add_byte(&text, '.');
    return arena_copy(arena, text_slice(&text));
}

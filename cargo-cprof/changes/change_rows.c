#include "changes/change_rows.h"

#include "base/units.h"
#include "changes/change_headline.h"
#include "report/render.h"

enum {
    BEFORE,
    AFTER,
    CHANGE,
    GROWTH,
    ERROR_BOUND,
    TOTAL_BEFORE,
    TOTAL_AFTER,
    TOTAL_CHANGE,
    TOTAL_ERROR,
    STATUS,
    VERDICT,
    CRATE,
    NAME,
    COLUMN_NUMBER,
};

/* The kinds of columns that a measure's figures stand in. */
struct shape {
    enum column_kind amount;
    enum column_kind change;
    enum column_kind shared;
    enum column_kind shared_change;
    enum column_kind error;
    const char *key;
    const char *more; /* what more of it is */
    const char *less;
};

static const struct shape measures[] = {
    [MEASURE_CPU] = {COLUMN_TIME, COLUMN_TIME_CHANGE, COLUMN_INCLUSIVE_TIME, COLUMN_INCLUSIVE_TIME_CHANGE,
                     COLUMN_INCLUSIVE_TIME, "cpu-ns", "slower", "faster"},
    [MEASURE_SHARE] = {COLUMN_PART, COLUMN_PART_CHANGE, COLUMN_INCLUSIVE_PART, COLUMN_INCLUSIVE_PART_CHANGE,
                       COLUMN_INCLUSIVE_POINTS, "share", "more", "less"},
    [MEASURE_COUNT] = {COLUMN_COUNT, COLUMN_COUNT_CHANGE, COLUMN_INCLUSIVE, COLUMN_INCLUSIVE_COUNT_CHANGE,
                       COLUMN_INCLUSIVE, "count", "more", "less"},
    [MEASURE_WAITS] = {COLUMN_COUNT, COLUMN_COUNT_CHANGE, COLUMN_INCLUSIVE, COLUMN_INCLUSIVE_COUNT_CHANGE,
                       COLUMN_INCLUSIVE, "waits", "more", "less"},
    [MEASURE_WAITED] = {COLUMN_TIME, COLUMN_TIME_CHANGE, COLUMN_INCLUSIVE_TIME, COLUMN_INCLUSIVE_TIME_CHANGE,
                        COLUMN_INCLUSIVE_TIME, "waited-ns", "more", "less"},
};

/* Of MEASURE_COUNT, where bytes were counted. */
static const struct shape of_bytes = {COLUMN_BYTES,
                                      COLUMN_BYTES_CHANGE,
                                      COLUMN_INCLUSIVE_BYTES,
                                      COLUMN_INCLUSIVE_BYTES_CHANGE,
                                      COLUMN_INCLUSIVE_BYTES,
                                      "count",
                                      "more",
                                      "less"};

static const struct shape *shape_of(const struct measure *measure)
{
    return measure->is_of_bytes ? &of_bytes : &measures[measure->kind];
}

void change_add_amount(struct text *text, const struct measure *measure, uint64_t amount)
{
    union cell cell = {.number = amount};

    render_cell(text, &(struct column){shape_of(measure)->amount, NULL, NULL, 0, 0}, &cell, 0);
}

void change_add_difference(struct text *text, const struct measure *measure, int64_t difference)
{
    union cell cell = {.number = (uint64_t)difference};

    render_cell(text, &(struct column){shape_of(measure)->change, NULL, NULL, 0, 0}, &cell, 0);
}

/* --- Rows ---------------------------------------------------------------------------------------- */

static void add_columns(const struct changes *changes, enum joined_by by, struct rows *out)
{
    const struct measure *measure = &changes->measure;
    const struct shape *shape = shape_of(measure);
    enum column_kind amount = shape->amount;
    enum column_kind shared = shape->shared;
    bool is_crate = by == JOINED_BY_CRATE;
    bool by_total = measure->is_of_waits; /* threads wait in the kernel: what functions call tells */
    const char *before = "Before";
    const char *after = "After";
    const char *change = "Change";
    const char *error = "+/-";
    const char *change_of_total = by_total ? change : changes->lacks_callers ? NULL : "Total";

    rows_add_column(out, (struct column){amount, by_total ? NULL : before, "self-before", 0, 0});
    rows_add_column(out, (struct column){amount, by_total ? NULL : after, "self-after", 0, 0});
    rows_add_column(out, (struct column){shape->change, by_total ? NULL : change, "self-difference", 0, 0});
    rows_add_column(out, (struct column){COLUMN_GROWTH, "%", NULL, by_total ? TOTAL_BEFORE : BEFORE, STATUS});
    rows_add_column(out, (struct column){shape->error, by_total ? NULL : error, "self-error", 0, 0});
    rows_add_column(out, (struct column){shared, by_total ? before : NULL, "total-before", 0, 0});
    rows_add_column(out, (struct column){shared, by_total ? after : NULL, "total-after", 0, 0});
    rows_add_column(out, (struct column){shape->shared_change, change_of_total, "total-difference", 0, 0});
    rows_add_column(out, (struct column){shared, by_total ? error : NULL, "total-error", 0, 0});
    rows_add_column(out, (struct column){COLUMN_TEXT, NULL, "status", 0, 0});
    rows_add_column(out, (struct column){COLUMN_WORD, "Is", "verdict", 0, 0});
    rows_add_column(out,
                    (struct column){COLUMN_TEXT, is_crate ? NULL : "Crate", is_crate ? NULL : "crate", 0, 0});
    rows_add_column(out, (struct column){COLUMN_TEXT, is_crate ? "Crate" : "Function", "name", 0, 0});
}

static bool was_there(const struct change *change)
{
    return change->total.weights[JOINED_BEFORE] > 0 || change->is_apart;
}

static bool is_there(const struct change *change)
{
    return change->total.weights[JOINED_AFTER] > 0 || change->is_apart;
}

/* What calls something slower is not slower itself. */
static struct slice verdict_of(const struct changes *changes, const struct change *change)
{
    const struct shape *shape = shape_of(&changes->measure);

    if (change->rank == CHANGE_NOISE)
        return SLICE("noise");
    if (!was_there(change))
        return SLICE("new");
    if (!is_there(change))
        return SLICE("gone");
    if (changes->measure.is_of_waits && change->rank == CHANGE_OWN_CALLER)
        return slice_of(change_of(&change->total) > 0 ? shape->more : shape->less);
    if (change->rank != CHANGE_ITSELF)
        return SLICE("calls");
    return slice_of(change_of(&change->self) > 0 ? shape->more : shape->less);
}

static void set_figure(const struct change_figure *figure, union cell *before, union cell *after,
                       union cell *difference)
{
    before->number = figure->amounts[JOINED_BEFORE];
    after->number = figure->amounts[JOINED_AFTER];
    difference->number = (uint64_t)change_of(figure);
}

static struct slice crate_of(const struct changes *changes, const struct change *change)
{
    uint32_t crate = change->function == PROFILE_NONE
                         ? PROFILE_NO_STRING
                         : changes->joined.functions.items[change->function].crate;

    return crate == PROFILE_NO_STRING ? (struct slice){0} : profile_text(&changes->joined, crate);
}

static void add_row(const struct changes *changes, const struct change *change, struct rows *out)
{
    union cell *row = rows_add(out);

    set_figure(&change->self, &row[BEFORE], &row[AFTER], &row[CHANGE]);
    set_figure(&change->total, &row[TOTAL_BEFORE], &row[TOTAL_AFTER], &row[TOTAL_CHANGE]);
    row[ERROR_BOUND].number = change->self.error;
    row[TOTAL_ERROR].number = change->total.error;
    row[STATUS].text = !was_there(change) ? SLICE("new")
                       : is_there(change) ? SLICE("changed")
                                          : SLICE("gone");
    row[VERDICT].text = verdict_of(changes, change);
    row[CRATE].text = crate_of(changes, change);
    row[NAME].text = change_name(changes, change);
}

static void set_total(const struct changes *changes, struct rows *out)
{
    union cell *total = ARENA_ARRAY(&out->arena, COLUMN_NUMBER, union cell);
    struct change_figure whole = changes_whole(changes);

    set_figure(&whole, &total[BEFORE], &total[AFTER], &total[CHANGE]);
    for (size_t i = 0; i < COLUMN_NUMBER; i++)
        if (column_is_inclusive(out->columns[i].kind))
            total[i].number = ROWS_NO_SUM;
    if (changes->measure.is_of_waits)
        set_figure(&whole, &total[TOTAL_BEFORE], &total[TOTAL_AFTER], &total[TOTAL_CHANGE]);
    out->total = total;
}

/* --- Words --------------------------------------------------------------------------------------- */

/* What the figures are, below the table. */
static void add_note(const struct changes *changes, struct rows *out)
{
    SCOPED(text_done) struct text note = {0};
    bool by_total = changes->measure.is_of_waits;
    bool by_counts = changes->measure.kind == MEASURE_WAITS;
    bool tells_runs = measure_tells_runs(&changes->measure);

    text_format(&note, "compared %s%s", measure_words(&changes->measure),
                by_total && !changes->lacks_callers ? " in functions and what they call" : "");
    for (size_t side = 0; side < JOINED_SIDES; side++) {
        text_add_string(&note, side ? " and " : ": ");
        units_add_count(&note, changes->measure.sides[side].sample_count);
    }
    text_format(&note, " %s%s; +/-: what %s may make of it", by_total ? "waits" : "samples",
                by_total || changes->lacks_callers ? "" : "; Total: with what it calls",
                by_counts && tells_runs  ? "chance and runs that differ"
                : by_counts              ? "chance alone"
                : by_total && tells_runs ? "runs that differ"
                : tells_runs             ? "sampling and runs that differ"
                : by_total               ? "so few and so different ones"
                                         : "sampling alone");
    if (changes->measure.has_missed)
        text_add_string(&note, "; [not sampled]: CPU time that no sample stands for");
    else if (changes->measure.kernel == MEASURE_KERNEL_APART)
        text_add_string(&note,
                        "; [kernel]: CPU time that the system tells beyond that of samples outside of it");
    *vec_add(&out->notes) = arena_copy(&out->arena, text_slice(&note));
}

static void add_labels(const struct changes *changes, const struct change_words *words, struct rows *out)
{
    out->labels_key = "diff";
    rows_add_label(out, "base", slice_of(words->before));
    rows_add_label(out, "head", slice_of(words->after));
    rows_add_label(out, "measure", slice_of(shape_of(&changes->measure)->key));
    if (changes->measure.has_missed)
        rows_add_label(out, "sampled", SLICE("part"));
    else if (changes->measure.kernel != MEASURE_KERNEL_SAMPLED)
        rows_add_label(out, "sampled", SLICE("user"));
}

/* Whether code that is not the user's calls something that changed. */
static bool has_callers(const struct changes *changes)
{
    for (size_t i = changes->told_count; i < changes->items.count; i++)
        if (changes->items.items[i].rank == CHANGE_CALLER)
            return true;
    return false;
}

/* What is left out at the end of the table; the user's own callers stand between the two kinds. */
static void set_minor(const struct changes *changes, struct rows *out)
{
    static const char *const with_callers = "within noise or changed by what they call";

    out->minor_label = has_callers(changes) ? with_callers : "within noise";
    out->minor_from = changes->told_count;
    out->related_label = with_callers;
    out->related_from = changes->itself_count;
}

void change_rows_fill(const struct changes *changes, enum joined_by by, const struct change_words *words,
                      struct rows *out)
{
    add_columns(changes, by, out);
    out->list_key = by == JOINED_BY_CRATE ? "crates" : "functions";
    out->noun = joined_noun(by);
    for (size_t i = 0; i < changes->items.count; i++)
        add_row(changes, &changes->items.items[i], out);
    set_minor(changes, out);
    set_total(changes, out);
    out->total_label =
        arena_format(&out->arena, "%.*s, %s against %s%s", SLICE_ARGUMENTS(change_subject(changes)),
                     words->after, words->before, changes->items.count == 0 ? ": nothing changed" : "");
    rows_add_fact(out, "beyond-noise", changes_beyond_noise(changes));
    rows_add_fact(out, "samples-before", changes->measure.sides[JOINED_BEFORE].sample_count);
    rows_add_fact(out, "samples-after", changes->measure.sides[JOINED_AFTER].sample_count);
    out->headline = change_headline(&out->arena, changes, by, words);
    add_note(changes, out);
    add_labels(changes, words, out);
}

/* --- Budgets ------------------------------------------------------------------------------------- */

/* What takes the same on both sides is no change, but there: a limit may name it. */
static void add_unchanged(const struct changes *changes, struct delta *out)
{
    const struct profile *joined = &changes->joined;
    bool *differs = ARENA_ARRAY(&out->arena, joined->functions.count + 1, bool);

    for (size_t i = 0; i < changes->items.count; i++)
        if (changes->items.items[i].function != PROFILE_NONE)
            differs[changes->items.items[i].function] = true;
    for (size_t i = 0; i < joined->functions.count; i++)
        if (!differs[i])
            *vec_add(&out->items) = (struct delta_entry){
                .texts = {profile_text(joined, joined->functions.items[i].name)},
                .was_there = true,
                .is_there = true,
                .is_noise = true,
            };
}

void change_delta_fill(const struct changes *changes, enum joined_by by, bool with_callees, struct delta *out,
                       struct delta_words *words)
{
    bool is_crate = by == JOINED_BY_CRATE;
    struct change_figure rest = changes_whole(changes);

    out->texts[0] = (struct column){COLUMN_TEXT, "Name", "name", 0, 0};
    out->text_count = 1;
    out->values[0] = (struct column){shape_of(&changes->measure)->amount, "Self", "self", 0, 0};
    out->value_count = 1;
    out->list_key = is_crate ? "crates" : "functions";
    for (size_t i = 0; i < changes->items.count; i++) {
        const struct change *change = &changes->items.items[i];
        const struct change_figure *figure = with_callees ? &change->total : &change->self;

        *vec_add(&out->items) = (struct delta_entry){
            .texts = {change_name(changes, change)},
            .values = {{figure->amounts[JOINED_BEFORE], figure->amounts[JOINED_AFTER]}},
            .was_there = was_there(change),
            .is_there = is_there(change),
            .is_noise = figure->is_noise,
        };
        for (size_t side = 0; side < JOINED_SIDES; side++)
            rest.amounts[side] -= change->self.amounts[side];
    }
    if (!with_callees)
        *vec_add(&out->items) = (struct delta_entry){
            .texts = {SLICE("[unchanged]")},
            .values = {{rest.amounts[JOINED_BEFORE], rest.amounts[JOINED_AFTER]}},
            .was_there = true,
            .is_there = true,
        };
    add_unchanged(changes, out);
    words->subject = arena_copy(&out->arena, change_subject(changes));
    words->unit = out->values[0].kind == COLUMN_COUNT ? words->subject : NULL;
}

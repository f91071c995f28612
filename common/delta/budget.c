#include "delta/budget.h"

#include <string.h>

#include "base/intern.h"
#include "base/units.h"
#include "rust/crate_name.h"

/* What one rule is held against. */
struct check {
    const struct budget_rule *rule;
    const struct delta *delta;
    const struct delta_words *words;
    struct over_limits *over; /* what is over the rules so far */
    struct text *doubts;      /* sentences on those that were not checked, or need not have been */
};

/* "--fail-over 1%", "workspace.metadata.bloatc: 1%". */
static void add_rule(struct text *text, const struct budget_rule *rule)
{
    text_format(text, "%s%s %s", rule->from, rule->is_standing ? ":" : "", rule->text);
}

/* By how much it may grow. */
static double allowance(const struct budget_rule *rule, struct delta_value value)
{
    return rule->unit == LIMIT_PERCENT ? (double)value.before * rule->limit / 100 : rule->limit;
}

static bool is_over(const struct budget_rule *rule, struct delta_value value)
{
    return value.after > value.before && (double)value.after - (double)value.before > allowance(rule, value);
}

/* "6,400 bytes, 6,348 allowed" where what is allowed reads like the growth, as they are rounded. */
static void add_exact(struct text *text, const struct check *check, struct delta_value value,
                      struct slice growth)
{
    SCOPED(text_done) struct text allowed = {0};
    enum column_kind compared = check->delta->values[check->delta->primary].kind;
    uint64_t most = (uint64_t)allowance(check->rule, value); /* less than the growth */

    if (compared != COLUMN_BYTES && compared != COLUMN_TIME)
        return;
    delta_add_figure(&allowed, check->delta, check->words, most);
    if (!slice_equal(growth, text_slice(&allowed)))
        return;
    text_add_string(text, text->length > 0 ? "; " : "");
    units_add_count(text, value.after - value.before);
    text_add_string(text, compared == COLUMN_TIME ? " ns, " : " bytes, ");
    units_add_count(text, most);
    text_add_string(text, " allowed");
}

/* `kind` is "crate", "function" or nothing. False when it is over the limit. */
static bool hold(const struct check *check, const char *kind, struct slice name, struct delta_value value)
{
    SCOPED(text_done) struct text called = {0};
    SCOPED(text_done) struct text growth = {0};
    SCOPED(text_done) struct text details = {0};

    if (!is_over(check->rule, value))
        return true;
    text_format(&called, "%s%s%.*s", kind, kind[0] ? " " : "", SLICE_ARGUMENTS(name));
    if (check->delta->values[check->delta->primary].kind == COLUMN_PART)
        units_add_points(&growth, value.after - value.before);
    else
        delta_add_figure(&growth, check->delta, check->words, value.after - value.before);
    if (value.before > 0)
        units_add_growth(&details, value.before, value.after);
    add_exact(&details, check, value, text_slice(&growth));
    if (details.length > 0)
        text_format(&growth, " (%s)", text_string(&details));
    over_limits_add(check->over, text_slice(&called), text_slice(&growth),
                    (double)value.after - (double)value.before);
    return false;
}

/* A crate over its limit that may not be what grew. */
static void doubt_crate(const struct check *check, struct slice crate)
{
    limit_begin_doubt(check->doubts);
    text_format(check->doubts, "crate %.*s, over ", SLICE_ARGUMENTS(crate));
    add_rule(check->doubts, check->rule);
    text_add_string(check->doubts, ", is inferred from names alone for more than half of it: what grew may "
                                   "be another crate's");
}

/* Whether the rule is about a thing of this name; crates may be written with '-'. */
static bool is_meant(const struct budget_rule *rule, struct slice name)
{
    struct slice wanted = slice_of(rule->name);

    if (!rule->name)
        return true;
    return rule->subject == BUDGET_CRATE ? crate_name_is(name, wanted) : slice_equal(name, wanted);
}

/* Values added up by what a column says. Zero-initialised is empty. */
struct sums {
    struct intern names;
    VEC(struct delta_value) values;   /* by the name's id */
    VEC(struct delta_value) inferred; /* of these, what is of crates that are inferred */
};

static void sums_done(struct sums *sums)
{
    intern_done(&sums->names);
    vec_done(&sums->values);
    vec_done(&sums->inferred);
}

static void add_value(struct delta_value *sum, struct delta_value value)
{
    sum->before += value.before;
    sum->after += value.after;
}

static void sums_add(struct sums *sums, struct slice name, struct delta_value value,
                     struct delta_value inferred)
{
    uint32_t id = intern_add(&sums->names, name);

    if (id == sums->values.count) {
        *vec_add(&sums->values) = (struct delta_value){0};
        *vec_add(&sums->inferred) = (struct delta_value){0};
    }
    add_value(&sums->values.items[id], value);
    add_value(&sums->inferred.items[id], inferred);
}

/* What is no crate's or function's, such as padding, has brackets around its name, or none. */
static bool is_thing(struct slice name)
{
    return name.length > 0 && name.data[0] != '[';
}

static void hold_column(const struct check *check, const char *kind, size_t column)
{
    SCOPED(sums_done) struct sums sums = {0};
    const struct delta *delta = check->delta;
    bool is_there = false;

    for (size_t i = 0; i < delta->items.count; i++) {
        const struct delta_entry *entry = &delta->items.items[i];

        if (!is_thing(entry->texts[column]) || !is_meant(check->rule, entry->texts[column]))
            continue;
        is_there = true;
        if (!entry->is_noise)
            sums_add(&sums, entry->texts[column], entry->values[delta->primary], entry->inferred);
    }
    if (!is_there && check->rule->name) {
        limit_begin_doubt(check->doubts);
        text_add_string(check->doubts, "neither side has what this limit names: ");
        add_rule(check->doubts, check->rule);
    }
    for (uint32_t id = 0; id < sums.values.count; id++)
        if (!hold(check, kind, intern_text(&sums.names, id), sums.values.items[id]) &&
            check->rule->subject == BUDGET_CRATE &&
            delta_is_inferred(sums.inferred.items[id], sums.values.items[id]))
            doubt_crate(check, intern_text(&sums.names, id));
}

/* The column of names that the rule is about; text_count when there is none. */
static size_t column_of(const struct delta *delta, enum budget_subject subject)
{
    const char *own_list = subject == BUDGET_CRATE ? "crates" : "functions";

    if (strcmp(delta->list_key, own_list) == 0)
        return delta_find_text(delta, "name");
    return subject == BUDGET_CRATE ? delta_find_text(delta, "crate") : delta->text_count;
}

/* Whether the limit is of what is compared; none at all, 0, is of everything. */
static bool has_unit(const struct budget_rule *rule, enum column_kind compared)
{
    if (rule->limit == 0)
        return true;
    switch (rule->unit) {
    case LIMIT_BYTES:
        return compared == COLUMN_BYTES;
    case LIMIT_NS:
        return compared == COLUMN_TIME;
    case LIMIT_PARTS:
        return compared == COLUMN_PART;
    case LIMIT_PLAIN:
        return compared == COLUMN_BYTES || compared == COLUMN_COUNT;
    default:
        return true;
    }
}

/* What a limit of the total looks like where this is compared. */
static const char *example_of(enum column_kind compared)
{
    switch (compared) {
    case COLUMN_BYTES:
        return "10KiB";
    case COLUMN_TIME:
        return "200ms";
    case COLUMN_PART:
        return "2pp";
    default:
        return "100";
    }
}

/* Why a rule cannot be checked: a mistake on the command line; in Cargo.toml it is for other views, too. */
static int refuse(const struct check *check, const char *why, struct error *err)
{
    SCOPED(text_done) struct text rule = {0};

    add_rule(&rule, check->rule);
    if (!check->rule->is_standing)
        return error_set(err, ERROR_USAGE, "%s %s", text_string(&rule), why);
    limit_begin_doubt(check->doubts);
    text_format(check->doubts, "not checked: %s %s", text_string(&rule), why);
    *err = (struct error){0};
    return 0;
}

static int refuse_subject(const struct check *check, const char *kind, struct error *err)
{
    SCOPED(text_done) struct text why = {0};

    text_format(&why, "is about %ss, and these options show %s", kind, check->delta->list_key);
    error_hint(err, "--by %s shows %ss", kind, kind);
    return refuse(check, text_string(&why), err);
}

static int hold_rule(const struct check *check, struct error *err)
{
    const struct budget_rule *rule = check->rule;
    const char *kind = rule->subject == BUDGET_CRATE ? "crate" : "function";
    enum column_kind compared = check->delta->values[check->delta->primary].kind;
    size_t column = 0;
    SCOPED(text_done) struct text called = {0};

    if (!has_unit(rule, compared)) {
        error_hint(err, "a limit of what is compared is written like %s", example_of(compared));
        return refuse(check, "has another unit than what is compared", err);
    }
    add_rule(&called, rule);
    over_limits_begin(check->over, text_string(&called), kind);
    if (rule->subject == BUDGET_TOTAL) {
        (void)hold(check, "", slice_of(check->words->subject),
                   delta_total(check->delta, check->delta->primary));
        return 0;
    }
    column = column_of(check->delta, rule->subject);
    if (column == check->delta->text_count)
        return refuse_subject(check, kind, err);
    hold_column(check, kind, column);
    return 0;
}

int budget_hold(const struct budget *budget, const struct delta *delta, const struct delta_words *words,
                struct over_limits *over, struct text *doubts, struct error *err)
{
    for (size_t i = 0; i < budget->rules.count; i++) {
        struct check check = {&budget->rules.items[i], delta, words, over, doubts};

        if (hold_rule(&check, err) < 0)
            return -1;
    }
    return 0;
}

int budget_check(const struct budget *budget, const struct delta *delta, const struct delta_words *words,
                 struct text *doubts, struct error *err)
{
    SCOPED(over_limits_done) struct over_limits over = {0};

    if (budget_hold(budget, delta, words, &over, doubts, err) < 0)
        return -1;
    return over_limits_check(&over, NULL, err);
}

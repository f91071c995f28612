#include "diffed/diff.h"

#include <string.h>

#include "base/file.h"
#include "cargo/output_check.h"
#include "changes/disk_reads.h"
#include "changes/empty_side.h"
#include "cli/command.h"
#include "diffed/diff_warnings.h"
#include "diffed/machine_notes.h"
#include "emit/flame_diff.h"
#include "emit/folded.h"
#include "files/picture_options.h"

enum { USUAL_TOP = 20 };

static const char *const measure_names[] = {"cpu", "share", "count", "waits", NULL};
static const char *const by_names[] = {"function", "crate", NULL};

static const struct option_spec diff_specs[] = {
    {"measure", 0, OPTION_VALUE, "MEASURE",
     "Compare by cpu (CPU seconds), share (of each side's samples), count (samples, or what the event "
     "counts; of off-cpu the time waited) or waits (how many there were). Unless given: CPU seconds of"
     " programs that both ran to their end, counts of what is counted, else share",
     measure_names, NULL},
    {"normalize", 0, OPTION_FLAG, NULL, "The same as --measure share", NULL, NULL},
    {"by", 0, OPTION_VALUE, "GROUP", "Compare by function or crate; function unless given", by_names, NULL},
    {"negate", 0, OPTION_FLAG, NULL,
     "Swap the picture's colours: `diff B A --negate` is as wide as A was, and red is what B takes more of",
     NULL, NULL},
};

const struct option_table diff_options = {"Comparison", diff_specs, ARRAY_COUNT(diff_specs)};

static const struct option_spec output_specs[] = {
    {"wide", 'w', OPTION_FLAG, NULL, "Do not cut names to the terminal's width", NULL, NULL},
    {"format", 0, OPTION_VALUE, "FORMAT", "Shape of the table", render_format_names, NULL},
    {"output", 'o', OPTION_MANY, "FILE", "Write to FILE too, in the form its name asks for: " DIFF_ENDINGS,
     NULL, NULL},
};

const struct option_table diff_output_options = {"Output", output_specs, ARRAY_COUNT(output_specs)};

int diff_check_unused(const struct options *options, struct error *err)
{
    for (size_t i = 0; i < ARRAY_COUNT(diff_specs); i++)
        if (options_has(options, diff_specs[i].name))
            return error_set(err, ERROR_USAGE,
                             "--%s is about a comparison: name what to compare with, --diff BASE",
                             diff_specs[i].name);
    return 0;
}

/* --- What is written ----------------------------------------------------------------------------- */

/* What the files that are no table are made of. */
struct drawn {
    const struct diff_settings *settings;
    const struct change_words *words;
    const struct changes *changes;
    struct change_tree tree; /* made when one of them is wanted */
};

/* "by CPU seconds: 3.01 s, was 1.80 s: +1.21 s; 1 changed beyond noise, 4 by what they call" */
static void add_subtitle(const struct drawn *drawn, struct text *text)
{
    const struct changes *changes = drawn->changes;
    const struct measure *measure = &changes->measure;
    size_t changed = changes_beyond_noise(changes);
    const struct measure_side *before = &measure->sides[JOINED_BEFORE];
    const struct measure_side *after = &measure->sides[JOINED_AFTER];

    text_add_string(text, measure_words(measure));
    if (measure->kind != MEASURE_SHARE) {
        text_add_string(text, ": ");
        change_add_amount(text, measure, after->whole);
        text_add_string(text, ", was ");
        change_add_amount(text, measure, before->whole);
        text_add_string(text, ": ");
        change_add_difference(text, measure, (int64_t)(after->whole - before->whole));
    }
    /* It has no box. */
    if (measure_apart_name(measure)) {
        text_format(text, ", %s ", measure_apart_name(measure));
        change_add_difference(text, measure, (int64_t)(after->apart - before->apart));
    }
    text_format(text, "; %zu changed beyond noise", changed);
    if (changes->told_count > changed)
        text_format(text, ", %zu by what %s", changes->told_count - changed,
                    changes->told_count - changed == 1 ? "it calls" : "they call");
}

static void add_picture(void *context, struct text *out)
{
    const struct drawn *drawn = context;
    SCOPED(text_done) struct text title = {0};
    SCOPED(text_done) struct text subtitle = {0};
    struct flame_look look = output_flame_look(&drawn->settings->look);

    text_format(&title, "%s against %s", drawn->words->after, drawn->words->before);
    add_subtitle(drawn, &subtitle);
    output_add_chosen(&subtitle, &drawn->settings->look);
    if (look.title.length == 0)
        look.title = text_slice(&title);
    if (look.subtitle.length == 0)
        look.subtitle = text_slice(&subtitle);
    flame_diff_add(out, drawn->changes, &drawn->tree, drawn->settings->is_negated, &look);
}

/* By share the first profile is as large as the second, as inferno-diff-folded --normalize rounds it. */
static void add_folded(void *context, struct text *out)
{
    const struct drawn *drawn = context;
    const struct measure *measure = &drawn->changes->measure;
    uint64_t before = measure->sides[JOINED_BEFORE].weight;
    uint64_t after = measure->sides[JOINED_AFTER].weight;
    bool is_scaled = measure->kind == MEASURE_SHARE && before != after && before > 0;
    VEC(struct folded_pair) pairs = {0};

    for (size_t i = 0; i < drawn->tree.calls.nodes.count; i++) {
        const struct change_figure *self = &drawn->tree.nodes[i].self;
        uint64_t first = self->weights[JOINED_BEFORE];

        if (is_scaled)
            first = (uint64_t)((double)first * (double)after / (double)before);
        *vec_add(&pairs) = (struct folded_pair){first, self->weights[JOINED_AFTER]};
    }
    folded_add_pairs(out, &drawn->changes->joined, &drawn->tree.calls, pairs.items);
    vec_done(&pairs);
}

static const struct outputs_form forms[] = {
    {".svg", add_picture},
    {".folded", add_folded},
    {NULL, NULL},
};

/* --- Settings ------------------------------------------------------------------------------------ */

static int read_measure(const struct options *options, struct diff_settings *out, struct error *err)
{
    bool is_normalized = options_has(options, "normalize");

    out->has_measure = is_normalized || options_has(options, "measure");
    out->measure = is_normalized ? MEASURE_SHARE : (enum measure_kind)options_choice(options, "measure", 0);
    if (is_normalized && options_has(options, "measure") &&
        options_choice(options, "measure", 0) != MEASURE_SHARE)
        return error_set(err, ERROR_USAGE, "--normalize is --measure share: give one of them");
    return 0;
}

static int check_look(const struct options *options, const struct output_look *look, struct error *err)
{
    if (look->is_chart || look->per_thread)
        return error_set(
            err, ERROR_USAGE,
            "--flamechart and --per-thread go by what no other run has: they cannot be compared");
    if (command_find_option(options->command, "palette") && options_has(options, "palette"))
        return error_set(err, ERROR_USAGE, "--palette: the colours of a comparison tell what changed");
    return 0;
}

int diff_settings_read(const struct options *options, struct diff_settings *out, struct error *err)
{
    *out = (struct diff_settings){
        .options = options,
        .is_negated = options_has(options, "negate"),
        .by = (enum joined_by)options_choice(options, "by", JOINED_BY_FUNCTION),
    };
    if (read_measure(options, out, err) < 0 || picture_look(options, &out->arena, &out->look, err) < 0 ||
        check_look(options, &out->look, err) < 0 ||
        outputs_read(options, USUAL_TOP, forms, &out->outputs, err) < 0 ||
        cargo_check_outputs(options, err) < 0)
        return -1;
    return budget_read_options(&out->arena, options, &out->budget, err);
}

void diff_settings_done(struct diff_settings *settings)
{
    budget_done(&settings->budget);
    arena_done(&settings->arena);
}

/* --- Limits -------------------------------------------------------------------------------------- */

/* Of waits limits of functions and crates are of what these wait with what they call. */
static bool is_held(const struct budget_rule *rule, const struct changes *changes, enum joined_by by,
                    bool with_callees)
{
    bool is_by_callees = changes->measure.is_of_waits && rule->subject != BUDGET_TOTAL;

    return (rule->subject == BUDGET_CRATE) == (by == JOINED_BY_CRATE) && is_by_callees == with_callees;
}

/* Holds the rules that are about the subjects against the changes of these. */
static int hold_rules(const struct diff_settings *settings, const struct changes *changes, enum joined_by by,
                      bool with_callees, struct over_limits *over, struct error *err)
{
    SCOPED(delta_done) struct delta delta = {0};
    SCOPED(budget_done) struct budget chosen = {0};
    struct delta_words words = {0};
    SCOPED(text_done) struct text doubts = {0};
    const struct budget *budget = &settings->budget;
    int held = 0;

    for (size_t i = 0; i < budget->rules.count; i++) {
        const struct budget_rule *rule = &budget->rules.items[i];

        if (is_held(rule, changes, by, with_callees))
            *vec_add(&chosen.rules) = *rule;
        if (rule->subject == BUDGET_TOTAL && changes->measure.kind == MEASURE_SHARE) {
            error_hint(err, "limit functions or crates, function=5%%, or compare by --measure cpu");
            return error_set(err, ERROR_USAGE, "--fail-over %s: by share the whole is 100%% on both sides",
                             rule->text);
        }
    }
    change_delta_fill(changes, by, with_callees, &delta, &words);
    held = budget_hold(&chosen, &delta, &words, over, &doubts, err);
    if (doubts.length > 0)
        warnings_add(settings->warnings, settings->options, "%s", text_string(&doubts));
    return held;
}

/* --- All of it ----------------------------------------------------------------------------------- */

static int make_tree(void *context, struct profile *joined, uint32_t series, struct call_tree *out,
                     struct error *err)
{
    return output_make_tree(joined, series, context, out, err);
}

/* On the way of a run, where standard output is the program's. */
static void say_what_was_written(const struct diff_settings *settings)
{
    const struct options *options = settings->options;

    if (settings->outputs.place != OUTPUTS_STDERR)
        return;
    for (size_t i = 0; i < options->uses.count; i++)
        if (strcmp(options->uses.items[i].spec->name, "output") == 0)
            command_status(options, "Wrote", options->uses.items[i].value);
    if (settings->picture)
        command_status(options, "Wrote", settings->picture);
}

static int write_picture(struct drawn *drawn, struct error *err)
{
    SCOPED(text_done) struct text svg = {0};

    add_picture(drawn, &svg);
    return file_replace(drawn->settings->picture, text_slice(&svg), err);
}

static int write_all(const struct diff_settings *settings, const struct joined_part parts[JOINED_SIDES],
                     struct changes *changes, const struct change_words *words, struct error *err)
{
    SCOPED(rows_done) struct rows rows = {0};
    struct output_look look = settings->look;
    struct drawn drawn = {.settings = settings, .words = words, .changes = changes};
    int written = 0;

    if ((settings->picture || outputs_want_form(&settings->outputs)) &&
        change_tree_make(changes, make_tree, &look, &drawn.tree, err) < 0)
        return -1;
    change_rows_fill(changes, settings->by, words, &rows);
    machine_notes_add(changes, &rows);
    disk_reads_tell(parts, changes, words, &rows);
    if (settings->note)
        *vec_add(&rows.notes) = settings->note;
    rows.warnings = settings->warnings;
    written = outputs_write(&settings->outputs, &rows, &drawn, err);
    if (written == 0 && settings->picture)
        written = write_picture(&drawn, err);
    change_tree_done(&drawn.tree);
    if (written == 0)
        say_what_was_written(settings);
    return written;
}

static bool has_crate_rule(const struct budget *budget)
{
    for (size_t i = 0; i < budget->rules.count; i++)
        if (budget->rules.items[i].subject == BUDGET_CRATE)
            return true;
    return false;
}

/* What crates take together is compared as such: noise of functions is not added up. */
static int check_budget(const struct diff_settings *settings, const struct joined_part parts[JOINED_SIDES],
                        const struct measure *measure, const struct change_words *words, struct error *err)
{
    static const enum joined_by all[] = {JOINED_BY_FUNCTION, JOINED_BY_CRATE};
    SCOPED(over_limits_done) struct over_limits over = {0};

    for (size_t i = 0; i < ARRAY_COUNT(all) && settings->budget.rules.count > 0; i++) {
        SCOPED(changes_done) struct changes changes = {0};

        changes_make(parts, all[i], measure, &changes);
        if (all[i] == JOINED_BY_CRATE && settings->by != JOINED_BY_CRATE && has_crate_rule(&settings->budget))
            diff_warn_of_unknown_crates(settings, &changes, words);
        if (hold_rules(settings, &changes, all[i], false, &over, err) < 0 ||
            hold_rules(settings, &changes, all[i], true, &over, err) < 0)
            return -1;
    }
    return over_limits_check(&over, NULL, err);
}

int diff_measure(const struct diff_settings *settings, const struct joined_part parts[JOINED_SIDES],
                 const struct change_words *words, struct measure *out, struct error *err)
{
    enum measure_kind kind = settings->has_measure ? settings->measure : measure_usual(parts);

    return measure_make(parts, kind, out, err) < 0 ? -1 : empty_side_check(parts, out, words, err);
}

int diff_run(const struct diff_settings *settings, const struct joined_part parts[JOINED_SIDES],
             const struct change_words *words, struct error *err)
{
    SCOPED(changes_done) struct changes changes = {0};
    struct error over = {0};
    struct measure measure;
    int kept = 0;

    diff_warn_of_heap(settings, parts, words);
    if (diff_measure(settings, parts, words, &measure, err) < 0)
        return -1;
    diff_warn_of_sides(settings, parts, measure.kind, words);
    changes_make(parts, settings->by, &measure, &changes);
    if (settings->by == JOINED_BY_CRATE)
        diff_warn_of_unknown_crates(settings, &changes, words);
    kept = check_budget(settings, parts, &measure, words, &over);
    if (write_all(settings, parts, &changes, words, err) < 0)
        return -1;
    if (kept < 0)
        *err = over;
    return kept;
}

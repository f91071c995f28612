#include "diffed/diff.h"

#include <string.h>

#include "base/file.h"
#include "base/units.h"
#include "cargo/output_check.h"
#include "changes/disk_reads.h"
#include "changes/empty_side.h"
#include "changes/unlike.h"
#include "cli/command.h"
#include "diffed/libtest_benchmarks.h"
#include "diffed/machine_notes.h"
#include "emit/flame_diff.h"
#include "emit/folded.h"
#include "facts/cpu_time.h"
#include "facts/missed.h"
#include "facts/series_unit.h"
#include "files/heap_warnings.h"
#include "files/picture_options.h"

enum { USUAL_TOP = 20 };

static const char *const measure_names[] = {"cpu", "share", "count", "waits", NULL};
static const char *const by_names[] = {"function", "crate", NULL};

static const struct option_spec diff_specs[] = {
    {"measure", 0, OPTION_VALUE, "MEASURE",
     "Compare by cpu (CPU seconds), share (of each side's samples) or count (samples, or what the event "
     "counts; of off-cpu how long waits were) or waits (how many of these there were); unless given, CPU "
     "seconds of programs that both ran to their end, what is counted, else share",
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

/* "by CPU seconds: 3.01 s, was 1.80 s: +1.21 s; 1 changed beyond noise" */
static void add_subtitle(const struct drawn *drawn, struct text *text)
{
    const struct changes *changes = drawn->changes;
    const struct measure *measure = &changes->measure;
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
    if (measure->kernel == MEASURE_KERNEL_APART) {
        text_add_string(text, ", [kernel] ");
        change_add_difference(text, measure, (int64_t)(after->kernel - before->kernel));
    }
    text_format(text, "; %zu changed beyond noise", changes_beyond_noise(changes));
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

static const struct profile_series *series_of(const struct joined_part *part)
{
    return &part->profile->series.items[part->series];
}

static double sampling_percent(const struct joined_part *part)
{
    const struct profile_series *series = series_of(part);

    return cpu_time_sampling_percent((double)series->samples.count, cpu_time_ns(part->profile, series));
}

/* Of two that were not sampled alike CPU time differs by what that costs, which is no change of the program.
 */
static void warn_of_rates(const struct diff_settings *settings, const struct joined_part parts[JOINED_SIDES],
                          enum measure_kind kind)
{
    enum { TELLING_PERCENT = 10 }; /* of more nobody knows how much it is */
    double before = sampling_percent(&parts[JOINED_BEFORE]);
    double after = sampling_percent(&parts[JOINED_AFTER]);
    double difference = after > before ? after - before : before - after;
    uint32_t frequency_hz = series_of(&parts[JOINED_BEFORE])->frequency_hz;
    bool is_one_rate = frequency_hz > 0 && frequency_hz == series_of(&parts[JOINED_AFTER])->frequency_hz;
    SCOPED(text_done) struct text cost = {0};

    if (kind != MEASURE_CPU || is_one_rate || difference < 1)
        return;
    if (difference < TELLING_PERCENT)
        text_format(&cost, "costs it some %.0f%% more of its CPU time", difference);
    else
        text_add_string(&cost, "may be most of what it took more");
    warnings_add(settings->warnings, settings->options,
                 "one was sampled more often than the other, which %s: record both at one frequency (-F), or "
                 "compare shares (--measure share)",
                 text_string(&cost));
}

/* A side's CPU time is given to functions as its samples are, which may be few of many short threads; so are
 * events that are counted. */
static void warn_of_missed(const struct diff_settings *settings, const struct joined_part *part,
                           enum measure_kind kind, const char *label)
{
    const struct profile_series *series = series_of(part);
    bool is_count = series_counts_things(part->profile, part->series);
    /* Where each sample is of one, what the kernel counted beside them is no thread's. */
    bool is_known = is_count ? series_sum_of_values(series) <= series->samples.count : series->is_user_only;
    SCOPED(text_done) struct text share = {0};

    if (is_count != (kind == MEASURE_COUNT) || is_known ||
        !missed_add_share(&share, part->profile, part->series))
        return;
    warnings_add(settings->warnings, settings->options,
                 "%s: samples stand for %s, so %s is not known: %s meets more of %s", label,
                 text_string(&share),
                 series_is_part(series) ? "how much of this part is missed"
                 : is_count             ? "which functions had the rest"
                                        : "which functions took the rest",
                 is_count && series->frequency_hz == 0 ? "-c 1" : "a higher frequency (-F)",
                 is_count ? "threads and processes in which few happen" : "short threads");
}

/* Of folded stacks many names are nobody's: what crates of the other side seem to take more may be theirs. */
static void warn_of_unknown_crates(const struct diff_settings *settings, const struct changes *changes,
                                   const struct change_words *words)
{
    enum { TELLING_PERCENT = 5 };

    for (size_t i = 0; i < changes->items.count; i++) {
        const struct change *change = &changes->items.items[i];
        const struct measure_side *sides = changes->measure.sides;
        bool is_before = change_of(&change->self) < 0;
        uint64_t weight = change->self.weights[is_before ? JOINED_BEFORE : JOINED_AFTER];
        uint64_t whole = sides[is_before ? JOINED_BEFORE : JOINED_AFTER].weight;
        SCOPED(text_done) struct text share = {0};

        if (!slice_is(change_name(changes, change), JOINED_UNKNOWN) || change->self.is_noise ||
            (double)weight * 100 < (double)whole * TELLING_PERCENT)
            continue;
        units_add_percent(&share, weight, whole);
        warnings_add(
            settings->warnings, settings->options,
            "%s does not tell whose %s of its samples are, as folded stacks name the crates of Rust code "
            "alone: a crate that took more on the other side may have taken that",
            is_before ? words->before : words->after, text_string(&share));
    }
}

/* What one side alone has of the kernel is held against nothing. */
static void warn_of_kernel(const struct diff_settings *settings, const struct joined_part parts[JOINED_SIDES],
                           const struct change_words *words)
{
    bool is_user_only[JOINED_SIDES];

    for (size_t i = 0; i < JOINED_SIDES; i++)
        is_user_only[i] = parts[i].profile->series.items[parts[i].series].is_user_only;
    if (!joined_is_user_only(parts) || is_user_only[JOINED_BEFORE] == is_user_only[JOINED_AFTER])
        return;
    warnings_add(settings->warnings, settings->options,
                 "%s was sampled without the kernel's part, so that of %s is not told by functions, either",
                 is_user_only[JOINED_BEFORE] ? words->before : words->after,
                 is_user_only[JOINED_BEFORE] ? words->after : words->before);
}

static void warn_of_unlike(const struct diff_settings *settings, const struct joined_part parts[JOINED_SIDES],
                           const struct change_words *words)
{
    SCOPED(arena_done) struct arena arena = {0};
    const char *unlike[UNLIKE_MOST];
    size_t count = unlike_find(parts, words, &arena, unlike);

    for (size_t i = 0; i < count; i++)
        warnings_add(settings->warnings, settings->options, "%s", unlike[i]);
}

static void warn_of_heap(const struct diff_settings *settings, const struct joined_part *part,
                         const char *label)
{
    SCOPED(text_done) struct text of = {0};

    text_format(&of, "%s: ", label);
    heap_warn(settings->options, part->profile, part->series, text_string(&of), settings->warnings);
}

/* How much of a run one of several takes says how often it was repeated. */
static void warn_of_benchmarks(const struct diff_settings *settings, const struct joined_part *part,
                               const char *label)
{
    size_t count = libtest_benchmarks_count(part->profile);

    if (count > 1)
        warnings_add(
            settings->warnings, settings->options,
            "%s is of %zu benchmarks of libtest's, each of which ran as often as libtest chose to, so "
            "its functions' shares tell nothing: record one alone (-- --exact NAME)",
            label, count);
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
            warn_of_unknown_crates(settings, &changes, words);
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

    warn_of_heap(settings, &parts[JOINED_BEFORE], words->before);
    warn_of_heap(settings, &parts[JOINED_AFTER], words->after);
    if (diff_measure(settings, parts, words, &measure, err) < 0)
        return -1;
    warn_of_rates(settings, parts, measure.kind);
    warn_of_kernel(settings, parts, words);
    warn_of_unlike(settings, parts, words);
    warn_of_benchmarks(settings, &parts[JOINED_BEFORE], words->before);
    warn_of_benchmarks(settings, &parts[JOINED_AFTER], words->after);
    if (measure.kind != MEASURE_SHARE) {
        warn_of_missed(settings, &parts[JOINED_BEFORE], measure.kind, words->before);
        warn_of_missed(settings, &parts[JOINED_AFTER], measure.kind, words->after);
    }
    changes_make(parts, settings->by, &measure, &changes);
    if (settings->by == JOINED_BY_CRATE)
        warn_of_unknown_crates(settings, &changes, words);
    kept = check_budget(settings, parts, &measure, words, &over);
    if (write_all(settings, parts, &changes, words, err) < 0)
        return -1;
    if (kept < 0)
        *err = over;
    return kept;
}

#include "compare/compare.h"

#include <string.h>

#include "cargo/own_profile.h"
#include "cli/command.h"
#include "compare/as_built.h"
#include "compare/asked.h"
#include "compare/baseline.h"
#include "compare/build_facts.h"
#include "compare/compare_doubts.h"
#include "compare/held_files.h"
#include "compare/side.h"
#include "delta/budget.h"
#include "delta/moved.h"

static const struct option_spec specs[] = {
    {"diff", 0, OPTION_MANY, "BASE",
     "Show what changed since BASE: a revision (main, HEAD~3, A..B, A...B), a result saved with -o "
     "FILE.json, "
     "or a file to measure",
     NULL, NULL},
    {"rev", 0, OPTION_VALUE, "REV", "Look at this revision instead of the working tree", NULL, NULL},
    {"fail-over", 0, OPTION_MANY, "LIMIT",
     "End with 3 when it grew by more: 1%, 10KiB (lines: 100), crate=1% for each crate (lines: with --by "
     "crate), function:NAME=1% for one function; beside the limits in Cargo.toml that are about something "
     "else",
     NULL, NULL},
};

const struct option_table compare_options = {"Before and after", specs, ARRAY_COUNT(specs)};

bool compare_is_wanted(const struct options *options)
{
    return options_has(options, "diff");
}

/* Both sides, and what they hold. */
struct comparison {
    struct sides sides;
    struct as_built as_built;                  /* the side that is built, where the other is a file */
    struct held_files base_files;              /* while the head is built */
    struct cargo_graph graphs[COMPARE_PLACES]; /* of sides that cargo builds */
    struct rows *rows[COMPARE_PLACES];
    struct rows saved[COMPARE_PLACES]; /* those that were read */
    struct regex *filter;
    struct arena arena; /* of what the others point to */
    struct budget budget;
    struct warnings warnings;
};

static void comparison_done(struct comparison *comparison)
{
    sides_done(&comparison->sides);
    as_built_done(&comparison->as_built);
    held_files_done(&comparison->base_files);
    for (size_t i = 0; i < COMPARE_PLACES; i++) {
        cargo_graph_done(&comparison->graphs[i]);
        rows_done(&comparison->saved[i]);
    }
    regex_free(comparison->filter);
    budget_done(&comparison->budget);
    warnings_done(&comparison->warnings);
    arena_done(&comparison->arena);
}

static struct side *side_at(struct comparison *comparison, enum compare_place place)
{
    return place == COMPARE_HEAD ? &comparison->sides.head : &comparison->sides.base;
}

static enum compare_place opposite(enum compare_place place)
{
    return place == COMPARE_HEAD ? COMPARE_BASE : COMPARE_HEAD;
}

/* Says what is to be known of a checkout. */
static void tell(const struct options *options, const struct side *side, const struct revision_notes *notes)
{
    for (size_t i = 0; i < notes->items.count; i++)
        command_warn(options, "%s: %s", side->label, notes->items.items[i]);
}

/* Whether something is to be told of the build: to hold it against that of the other side, now or later. */
static bool wants_facts(const struct compare_request *request, const struct comparison *comparison)
{
    return comparison->sides.has_base || outputs_want_format(request->outputs, RENDER_JSON);
}

/* Beside the rules of the command line, those of the packages that the head is built from. */
static int read_budget(const struct options *options, const struct cargo_graph *graph,
                       struct comparison *comparison, struct error *err)
{
    if (!comparison->sides.has_base)
        return 0;
    return budget_read_metadata(&comparison->arena, options, graph, &comparison->budget, err);
}

/* A profile of ours is defined where cargo does not know it: the two sides may differ in that. */
static int define_profile(struct comparison *comparison, struct side *side, struct error *err)
{
    struct options *options = side->kind == SIDE_REVISION ? &side->revision.options : &side->options;
    struct cargo_selection selection;
    int result = 0;

    cargo_selection_read(&comparison->arena, options, &selection);
    result = own_profile_define(&comparison->arena, selection.profile, options, err);
    cargo_selection_done(&selection);
    side->options = *options;
    return result;
}

static int measure_rows(const struct compare_request *request, const struct compare_subject *subject,
                        struct comparison *comparison, struct error *err)
{
    struct rows **rows = &comparison->rows[subject->place];

    if (request->measure(request->context, subject, rows, err) < 0)
        return -1;
    /* As they are in what was saved. */
    rows_make_utf8(*rows);
    return 0;
}

static int measure_built(const struct compare_request *request, enum compare_place place,
                         struct comparison *comparison, struct error *err)
{
    const struct side *side = side_at(comparison, place);
    struct cargo_graph *graph = &comparison->graphs[place];
    struct compare_subject subject = {.place = place, .options = &side->options, .graph = graph};

    if (cargo_graph_load(&side->options, graph, err) < 0)
        return -1;
    if (place == COMPARE_HEAD && read_budget(&side->options, graph, comparison, err) < 0)
        return -1;
    if (measure_rows(request, &subject, comparison, err) < 0)
        return -1;
    build_facts_add(&side->options, graph, NULL, comparison->rows[place]);
    return 0;
}

static void note_made_for(const struct compare_request *request, enum compare_place place,
                          struct comparison *comparison)
{
    struct made_for made_for = {0};

    if (!request->made_for || !wants_facts(request, comparison))
        return;
    request->made_for(request->context, place, &comparison->arena, &made_for);
    build_facts_add_made_for(&made_for, comparison->rows[place]);
}

static int measure_here(const struct compare_request *request, enum compare_place place,
                        struct comparison *comparison, struct error *err)
{
    struct side *side = side_at(comparison, place);
    struct compare_subject subject = {.place = place, .options = &side->options};

    if (side_is_built(side) && define_profile(comparison, side, err) < 0)
        return -1;
    if (side_is_built(side) && wants_facts(request, comparison))
        return measure_built(request, place, comparison, err);
    if (place == COMPARE_BASE && held_files_find_replaced(&comparison->arena, &comparison->base_files,
                                                          side->options.positionals.items))
        subject.called = arena_format(&comparison->arena, "%s as it was before", side->label);
    if (measure_rows(request, &subject, comparison, err) < 0)
        return subject.called ? error_wrap(err, "%s", subject.called) : -1;
    if (!side_is_built(side))
        note_made_for(request, place, comparison);
    return 0;
}

/* The first file of the other side, which tells how to build this one; NULL: nothing tells. */
static const char *file_opposite(struct comparison *comparison, enum compare_place place)
{
    const struct side *other = side_at(comparison, opposite(place));

    return side_is_built(side_at(comparison, place)) && other->kind == SIDE_FILES
               ? other->options.positionals.items[0]
               : NULL;
}

/* The budget of a file as head is that of the packages it was built from. */
static int find_as_built(const struct compare_request *request, enum compare_place place, const char *path,
                         struct comparison *comparison, struct error *err)
{
    struct as_built *as_built = &comparison->as_built;
    struct side *side = side_at(comparison, place);
    struct cargo_graph *graph = &comparison->graphs[opposite(place)]; /* files need none */
    struct options given = side->options;
    const struct as_built_file file = {path, place == COMPARE_BASE ? "the base" : side->label,
                                       side->kind == SIDE_REVISION,
                                       side_at(comparison, opposite(place))->options.positionals.count > 1};

    if (cargo_graph_load(request->options, graph, err) < 0 ||
        as_built_find(&comparison->arena, request->options, graph, &file, as_built, err) < 0)
        return -1;
    if (as_built->doubt)
        command_warn(request->options, "%s", as_built->doubt);
    if (place == COMPARE_BASE)
        return read_budget(as_built->is_known ? &as_built->options : request->options, graph, comparison,
                           err);
    if (as_built->is_known && side->kind == SIDE_SUBJECT) {
        side->options = as_built->options;
        as_built->options = given;
    }
    return 0;
}

static void tell_build(const struct compare_request *request, const struct side *side, const char *file,
                       const struct as_built *as_built)
{
    SCOPED(text_done) struct text what = {0};

    if (options_has(request->options, "quiet") || (side->kind != SIDE_REVISION && !as_built->is_known))
        return;
    text_add_string(&what, side->label);
    if (as_built->is_known)
        text_format(&what, " as %s was:%s", file, as_built->added);
    command_status(request->options, "Building", text_string(&what));
}

static int measure_side(const struct compare_request *request, enum compare_place place,
                        struct comparison *comparison, struct error *err)
{
    struct side *side = side_at(comparison, place);
    const struct as_built *as_built = &comparison->as_built;
    const char *file = file_opposite(comparison, place);
    struct revision_notes notes = {0};
    int measured = -1;

    if (file && find_as_built(request, place, file, comparison, err) < 0)
        return -1;
    if (side_is_built(side))
        tell_build(request, side, file, as_built);
    if (side_enter(&comparison->sides, side, as_built->is_known ? &as_built->options : request->options,
                   &notes, err) == 0) {
        tell(request->options, side, &notes);
        measured = measure_here(request, place, comparison, err);
    }
    vec_done(&notes.items);
    side_leave(side);
    return measured < 0 && side->kind == SIDE_REVISION ? error_wrap(err, "%s", side->label) : measured;
}

/* A saved head holds what the options show of nothing. */
static int read_saved(enum compare_place place, struct comparison *comparison, struct error *err)
{
    const struct side *side = side_at(comparison, place);
    const struct rows *like = comparison->rows[place == COMPARE_HEAD ? COMPARE_NOTHING : COMPARE_HEAD];

    comparison->rows[place] = &comparison->saved[place];
    return baseline_read(&side->document, side->label, like, comparison->rows[place], err);
}

static int measure(const struct compare_request *request, enum compare_place place,
                   struct comparison *comparison, struct error *err)
{
    return side_at(comparison, place)->kind == SIDE_SAVED ? read_saved(place, comparison, err)
                                                          : measure_side(request, place, comparison, err);
}

/* Saved results are of the options that are given now. */
static int check_asked(const struct compare_request *request, const struct comparison *comparison,
                       struct error *err)
{
    const struct side *sides[] = {&comparison->sides.head, &comparison->sides.base};

    for (size_t i = 0; i < ARRAY_COUNT(sides); i++)
        if (sides[i]->kind == SIDE_SAVED &&
            asked_check(request->asked, request->options, &sides[i]->document, sides[i]->label, err) < 0)
            return -1;
    return 0;
}

/* What rows of these options have, and whether the limits that were typed are about that. */
static int measure_nothing(const struct compare_request *request, struct comparison *comparison,
                           struct error *err)
{
    const struct compare_subject nothing = {.place = COMPARE_NOTHING, .options = request->options};
    struct rows **rows = &comparison->rows[COMPARE_NOTHING];
    SCOPED(delta_done) struct delta delta = {0};
    SCOPED(over_limits_done) struct over_limits over = {0};
    SCOPED(text_done) struct text doubts = {0};

    if (request->measure(request->context, &nothing, rows, err) < 0)
        return -1;
    delta_compute(*rows, *rows, request->primary_key, &delta);
    return budget_hold(&comparison->budget, &delta, &request->words, &over, &doubts, err);
}

/* The budget is of all that changed, whatever is shown of it. */
static int check_budget(const struct compare_request *request, struct comparison *comparison,
                        const struct delta *delta, const struct delta_words *words, struct error *err)
{
    SCOPED(text_done) struct text doubts = {0};
    int kept = budget_check(&comparison->budget, delta, words, &doubts, err);

    if (doubts.length > 0)
        warnings_add(&comparison->warnings, request->options, "%s", text_string(&doubts));
    return kept;
}

static int write_delta(const struct compare_request *request, struct comparison *comparison,
                       struct error *err)
{
    SCOPED(delta_done) struct delta delta = {.inferred_key = request->inferred_fact};
    SCOPED(rows_done) struct rows rows = {0};
    struct error over = {0};
    int kept = 0;
    struct delta_words words = request->words;
    struct rows *const *sides = comparison->rows;

    words.base = comparison->sides.base.label;
    words.head = comparison->sides.head.label;
    delta_compute(sides[COMPARE_BASE], sides[COMPARE_HEAD], request->primary_key, &delta);
    kept = check_budget(request, comparison, &delta, &words, &over);
    if (request->filter)
        words.subject = "what matches the filter";
    if (delta_filter_apply(&delta,
                           &(struct delta_filter){request->filter, request->filter_may_be_crate,
                                                  comparison->filter, request->filter_joins_std},
                           err) < 0)
        return -1;
    delta_find_moved(&delta);
    delta_rows_fill(&delta, &words, sides[COMPARE_BASE], sides[COMPARE_HEAD], &rows);
    rows.warnings = &comparison->warnings;
    if (outputs_write(request->outputs, &rows, NULL, err) < 0)
        return -1;
    if (kept < 0)
        *err = over;
    return kept;
}

/* The head's own result. */
static int write_head(const struct compare_request *request, struct comparison *comparison, struct error *err)
{
    asked_note(request->asked, request->options, comparison->rows[COMPARE_HEAD]);
    if (request->filter)
        comparison->rows[COMPARE_HEAD]->filter = request->filter;
    return outputs_write(request->outputs, comparison->rows[COMPARE_HEAD], request->forms_context, err);
}

/* The same, because the base has failed. */
static int write_head_alone(const struct compare_request *request, struct comparison *comparison,
                            struct error *err)
{
    struct error unwritten = {0};

    if (request->filter &&
        request->narrow(request->context, &comparison->rows[COMPARE_HEAD], &unwritten) < 0) {
        warnings_add(&comparison->warnings, request->options, "%s: %s", comparison->sides.head.label,
                     unwritten.message);
        return error_wrap(err, "no comparison");
    }
    delta_rows_tell_none(comparison->rows[COMPARE_HEAD], comparison->sides.head.label, err->message);
    if (write_head(request, comparison, &unwritten) < 0) {
        *err = unwritten;
        return -1;
    }
    return error_wrap(err, "no comparison");
}

/* As on a branch that has no commits of its own. */
static bool are_one_commit(const struct sides *sides)
{
    return sides->base.kind == SIDE_REVISION && sides->head.kind == SIDE_REVISION &&
           strcmp(sides->base.revision.commit.text, sides->head.revision.commit.text) == 0;
}

static void take_head_as_base(const struct compare_request *request, struct comparison *comparison)
{
    if (!options_has(request->options, "quiet"))
        command_status(request->options, "Skipping",
                       arena_format(&comparison->arena, "%s: %s is the same commit",
                                    comparison->sides.base.label, comparison->sides.head.label));
    comparison->rows[COMPARE_BASE] = comparison->rows[COMPARE_HEAD];
}

static int compare(const struct compare_request *request, struct comparison *comparison, struct error *err)
{
    if (are_one_commit(&comparison->sides))
        take_head_as_base(request, comparison);
    if (!comparison->rows[COMPARE_BASE] && measure(request, COMPARE_BASE, comparison, err) < 0)
        return comparison->sides.base.kind == SIDE_SAVED ? -1 : write_head_alone(request, comparison, err);
    compare_doubts_add(request, &comparison->sides, comparison->rows, &comparison->warnings);
    return write_delta(request, comparison, err);
}

/*
 * What a file as base cannot be asked would show only when the head was built. Where nothing is, it is
 * measured at once, and read no second time.
 */
static int check_files(const struct compare_request *request, struct comparison *comparison,
                       struct error *err)
{
    const struct sides *sides = &comparison->sides;

    if (sides->base.kind != SIDE_FILES || !request->check_files)
        return 0;
    return side_is_built(&sides->head) ? request->check_files(&sides->base.options, err)
                                       : measure(request, COMPARE_BASE, comparison, err);
}

int compare_run(const struct compare_request *request, struct error *err)
{
    SCOPED(comparison_done) struct comparison comparison = {0};
    const struct sides_request sides = {request->options, request->not_for_files, request->file_option};

    if (!compare_is_wanted(request->options) && options_has(request->options, "fail-over"))
        return error_set(err, ERROR_USAGE,
                         "--fail-over is a limit of growth: name what to compare with, --diff BASE");
    if (budget_read_options(&comparison.arena, request->options, &comparison.budget, err) < 0)
        return -1;
    if (compare_is_wanted(request->options) && outputs_want_form(request->outputs))
        return error_set(err, ERROR_USAGE, "a comparison has no picture: name other files with -o");
    /* What is wrong with the command line shows before anything is compiled, which may take minutes. */
    if (request->filter && regex_compile(slice_of(request->filter), &comparison.filter, err) < 0)
        return -1;
    if (sides_read(&sides, &comparison.sides, err) < 0 || check_asked(request, &comparison, err) < 0)
        return -1;
    if (check_files(request, &comparison, err) < 0)
        return -1;
    if (comparison.sides.has_base && measure_nothing(request, &comparison, err) < 0)
        return -1;
    if (comparison.sides.base.kind == SIDE_FILES && side_is_built(&comparison.sides.head))
        held_files_open(comparison.sides.base.options.positionals.items,
                        comparison.sides.base.options.positionals.count, &comparison.base_files);
    if (measure(request, COMPARE_HEAD, &comparison, err) < 0)
        return -1;
    return comparison.sides.has_base ? compare(request, &comparison, err)
                                     : write_head(request, &comparison, err);
}

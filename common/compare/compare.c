#include "compare/compare.h"

#include "compare/baseline.h"
#include "compare/side.h"

static const struct option_spec specs[] = {
    {"diff", 0, OPTION_MANY, "BASE",
     "Show what changed since BASE: a result saved with -o FILE.json, or a file to measure", NULL, NULL},
};

const struct option_table compare_options = {"Before and after", specs, ARRAY_COUNT(specs)};

bool compare_is_wanted(const struct options *options)
{
    return options_has(options, "diff");
}

/* Both sides, and what they hold. */
struct comparison {
    struct arena arena;
    struct side sides[COMPARE_PLACES];
    struct rows *rows[COMPARE_PLACES];
    struct rows saved; /* the base's, when they were read */
    struct regex *filter;
};

static void comparison_done(struct comparison *comparison)
{
    for (size_t i = 0; i < COMPARE_PLACES; i++)
        side_done(&comparison->sides[i]);
    rows_done(&comparison->saved);
    regex_free(comparison->filter);
    arena_done(&comparison->arena);
}

static int measure(const struct compare_request *request, enum compare_place place,
                   struct comparison *comparison, struct error *err)
{
    struct side *side = &comparison->sides[place];

    if (side->kind != SIDE_SAVED)
        return request->measure(request->context, place, &side->options, &comparison->rows[place], err);
    comparison->rows[place] = &comparison->saved;
    return baseline_read(&side->document, side->label, comparison->rows[COMPARE_HEAD], &comparison->saved,
                         err);
}

static int write_delta(const struct compare_request *request, const struct comparison *comparison,
                       struct error *err)
{
    SCOPED(delta_done) struct delta delta = {0};
    SCOPED(rows_done) struct rows rows = {0};
    struct delta_words words = request->words;
    struct rows *const *sides = comparison->rows;

    words.base = comparison->sides[COMPARE_BASE].label;
    words.head = comparison->sides[COMPARE_HEAD].label;
    delta_compute(sides[COMPARE_BASE], sides[COMPARE_HEAD], request->primary_key, &delta);
    if (delta_filter_apply(
            &delta, &(struct delta_filter){request->filter, request->filter_may_be_crate, comparison->filter},
            err) < 0)
        return -1;
    delta_rows_fill(&delta, &words, sides[COMPARE_BASE], sides[COMPARE_HEAD], &rows);
    return outputs_write(request->outputs, &rows, NULL, err);
}

/* The head's own result, because the base has failed. */
static int write_head(const struct compare_request *request, struct comparison *comparison, struct error *err)
{
    struct error unwritten = {0};

    if (outputs_write(request->outputs, comparison->rows[COMPARE_HEAD], request->forms_context, &unwritten) <
        0) {
        *err = unwritten;
        return -1;
    }
    return error_wrap(err, "no comparison");
}

static int compare(const struct compare_request *request, struct comparison *comparison, struct error *err)
{
    /* What is wrong with the command line shows before anything is compiled, which may take minutes. */
    if (request->filter && regex_compile(slice_of(request->filter), &comparison->filter, err) < 0)
        return -1;
    if (side_of_base(&comparison->arena, request->options, request->not_for_files,
                     &comparison->sides[COMPARE_BASE], err) < 0)
        return -1;
    if (measure(request, COMPARE_HEAD, comparison, err) < 0)
        return -1;
    if (measure(request, COMPARE_BASE, comparison, err) < 0)
        return write_head(request, comparison, err);
    return write_delta(request, comparison, err);
}

int compare_run(const struct compare_request *request, struct error *err)
{
    SCOPED(comparison_done) struct comparison comparison = {0};

    side_of_subject(&comparison.arena, request->options, &comparison.sides[COMPARE_HEAD]);
    if (compare_is_wanted(request->options))
        return compare(request, &comparison, err);
    return measure(request, COMPARE_HEAD, &comparison, err) < 0
               ? -1
               : outputs_write(request->outputs, comparison.rows[COMPARE_HEAD], request->forms_context, err);
}

#include "emit/text_report.h"

#include "hints/hints.h"
#include "report/indent.h"
#include "tree/call_line.h"
#include "tree/heavy_tree.h"
#include "tree/path_tree.h"
#include "view/summary.h"

/* The least weight that is half a per cent of the whole. */
static uint64_t least_of(uint64_t whole)
{
    enum { PER_MILLE = 5 };

    return whole / 1000 * PER_MILLE + (whole % 1000 * PER_MILLE + 999) / 1000;
}

static void add_share(struct text *text, uint64_t part, uint64_t whole)
{
    text_format(text, "%5.1f%%", whole ? 100.0 * (double)part / (double)whole : 0.0);
}

/* The calls of a series as they are listed. */
struct call_list {
    struct text *text;
    const struct profile *profile;
    uint64_t whole;
    uint64_t least; /* that a call has to be listed */
};

/* heavy_tree_visit_fn */
static void list_call(void *context, const struct call_node *node)
{
    const struct call_list *list = context;
    SCOPED(text_done) struct text line = {0};

    if (node->weights.total < list->least)
        return;
    add_share(list->text, node->weights.total, list->whole);
    text_add_byte(list->text, ' ');
    add_share(list->text, node->weights.self, list->whole);
    text_add_string(list->text, "  ");
    indent_add(&line, INDENT_USUAL, node->depth);
    call_line_add(&line, list->profile, node);
    text_add_terminal(list->text, text_slice(&line));
    text_add_byte(list->text, '\n');
}

static void add_hints(struct text *text, const struct profile *profile, uint32_t series)
{
    SCOPED(text_done) struct text hints = {0};

    hints_add(&hints, profile, series);
    if (hints.length > 0)
        text_add_byte(text, '\n');
    text_add(text, text_slice(&hints));
}

/* What calls have themselves is what the table of functions says. */
static void make_tree(struct profile *profile, uint32_t series, struct call_tree *out)
{
    const struct path_choice as_they_are = {.gives_to_own = true};

    if (profile->series.items[series].heap)
        path_tree_make(profile, series, CALLS_BY_TOTAL, &as_they_are, out);
    else
        call_tree_make(profile, series, weight_of_series(profile, series), CALLS_BY_TOTAL, out);
}

static void list_tree(struct call_list *list, struct profile *profile, uint32_t series)
{
    SCOPED(call_tree_done) struct call_tree tree;

    make_tree(profile, series, &tree);
    for (size_t i = 0; i < tree.nodes.count; i++)
        list_call(list, &tree.nodes.items[i]);
}

static uint64_t whole_of(const struct profile *profile, uint32_t series)
{
    struct sums_cursor cursor = sums_cursor_of(&profile->series.items[series].samples.sums);
    enum weight weight = weight_of_series(profile, series);
    struct sample_sum sum;
    uint64_t whole = 0;

    while (sums_cursor_next(&cursor, &sum))
        weight_add(&whole, weight_of_sum(&sum, weight));
    return whole;
}

void text_report_add(struct text *text, struct profile *profile, uint32_t series,
                     const struct warnings *warnings)
{
    uint64_t whole = whole_of(profile, series);
    struct call_list list = {text, profile, whole, least_of(whole)};

    for (size_t i = 0; warnings && i < warnings->items.count; i++)
        text_format(text, "warning: %s\n", warnings->items.items[i]);
    summary_add(text, profile, series, 0, (struct render_look){0});
    add_hints(text, profile, series);
    if (whole == 0)
        return;
    text_add_string(text, "\nCalls of at least 0.5%\n Total   Self  Function\n");
    if (heavy_tree_is_for(profile, series))
        heavy_tree_walk(profile, series,
                        &(struct heavy_tree_walk){CALLS_BY_TOTAL, list.least, list_call, &list});
    else
        list_tree(&list, profile, series);
}

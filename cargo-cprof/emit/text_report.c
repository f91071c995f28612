#include "emit/text_report.h"

#include "hints/hints.h"
#include "report/indent.h"
#include "tree/call_line.h"
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

static void add_call_tree(struct text *text, const struct profile *profile, const struct call_tree *tree)
{
    SCOPED(text_done) struct text line = {0};
    uint64_t whole = tree->nodes.items[0].weights.total;
    uint64_t least = least_of(whole);

    text_add_string(text, "\nCalls of at least 0.5%\n Total   Self  Function\n");
    for (size_t i = 0; i < tree->nodes.count; i++) {
        const struct call_node *node = &tree->nodes.items[i];

        if (node->weights.total < least)
            continue;
        add_share(text, node->weights.total, whole);
        text_add_byte(text, ' ');
        add_share(text, node->weights.self, whole);
        text_add_string(text, "  ");
        text_clear(&line);
        indent_add(&line, INDENT_USUAL, node->depth);
        call_line_add(&line, profile, node);
        text_add_terminal(text, text_slice(&line));
        text_add_byte(text, '\n');
    }
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

void text_report_add(struct text *text, struct profile *profile, uint32_t series)
{
    SCOPED(call_tree_done) struct call_tree tree;

    make_tree(profile, series, &tree);
    summary_add(text, profile, series, 0, (struct render_look){0});
    add_hints(text, profile, series);
    if (tree.nodes.items[0].weights.total > 0)
        add_call_tree(text, profile, &tree);
}

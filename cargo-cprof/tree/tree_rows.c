#include "tree/tree_rows.h"

#include "tree/call_line.h"
#include "view/percent_limit.h"

enum { TOTAL_SHARE, SELF_SHARE, TOTAL, SELF, DEPTH, NAME, LINE, CRATE, INLINED };

static void add_columns(uint64_t whole, bool with_self, struct rows *out)
{
    rows_add_column(out, (struct column){COLUMN_SHARE, "Total", NULL, TOTAL, whole});
    rows_add_column(out, (struct column){COLUMN_SHARE, with_self ? "Self" : NULL, NULL, SELF, whole});
    rows_add_column(out, (struct column){COLUMN_INCLUSIVE, NULL, "total", 0, 0});
    rows_add_column(out, (struct column){COLUMN_COUNT, NULL, with_self ? "self" : NULL, 0, 0});
    rows_add_column(out, (struct column){COLUMN_INCLUSIVE, NULL, "depth", 0, 0});
    rows_add_column(out, (struct column){COLUMN_TEXT, NULL, "name", 0, 0});
    rows_add_column(out, (struct column){COLUMN_TEXT, "Function", NULL, 0, 0});
    rows_add_column(out, (struct column){COLUMN_TEXT, NULL, "crate", 0, 0});
    rows_add_column(out, (struct column){COLUMN_INCLUSIVE, NULL, "inlined", 0, 0});
}

/* Nothing where it is not known. */
static struct slice crate_of(const struct profile *profile, const struct call_node *node)
{
    uint32_t crate =
        node->function == PROFILE_NONE ? PROFILE_NO_STRING : profile->functions.items[node->function].crate;

    return crate == PROFILE_NO_STRING ? (struct slice){0} : profile_text(profile, crate);
}

static void add_node(const struct profile *profile, const struct call_node *node, struct text *scratch,
                     struct rows *out)
{
    union cell *cells = rows_add(out);

    text_clear(scratch);
    call_line_add(scratch, profile, node);
    cells[TOTAL].number = node->weights.total;
    cells[SELF].number = node->weights.self;
    cells[DEPTH].number = node->depth - 1;
    cells[NAME].text = profile_text(profile, node->name);
    cells[LINE].text = arena_slice(&out->arena, text_slice(scratch));
    cells[CRATE].text = crate_of(profile, node);
    cells[INLINED].number = node->inlined_weight;
}

static bool is_shown(const struct call_node *node, double least)
{
    return node->weights.total > 0 && (double)node->weights.total >= least;
}

/* The root is what all have in common, and no call. */
static bool is_any_shown(const struct call_tree *tree, double least)
{
    for (size_t i = 1; i < tree->nodes.count; i++)
        if (is_shown(&tree->nodes.items[i], least))
            return true;
    return false;
}

void tree_rows_fill(const struct profile *profile, const struct call_tree *tree, uint64_t whole,
                    const struct tree_look *look, struct rows *out)
{
    SCOPED(text_done) struct text scratch = {0};
    uint64_t of_tree = tree->nodes.items[0].weights.total;
    bool is_of_whole = of_tree == whole || is_any_shown(tree, look->least_share * (double)whole);
    double least = look->least_share * (double)(is_of_whole ? whole : of_tree);
    size_t left_out = tree->left_out_count;

    out->list_key = "calls";
    out->noun = "call";
    out->level_column = DEPTH;
    add_columns(whole, look->with_self, out);
    for (size_t i = 1; i < tree->nodes.count; i++) {
        const struct call_node *node = &tree->nodes.items[i];

        if (is_shown(node, least))
            add_node(profile, node, &scratch, out);
        else
            left_out++;
    }
    rows_add_fact(out, "whole", whole);
    percent_limit_tell(left_out, look->least_share, is_of_whole ? "the whole" : "what matches", out);
}

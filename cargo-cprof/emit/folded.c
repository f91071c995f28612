#include "emit/folded.h"

/*
 * Readers take the number behind the last space for the count, and one before it for the count of a second
 * profile: an innermost name that ends in a number of its own, "worker 3", would be taken for that.
 */
static void join_number(struct text *line)
{
    size_t at = line->length;

    while (at > 0 && ((line->data[at - 1] >= '0' && line->data[at - 1] <= '9') || line->data[at - 1] == '.'))
        at--;
    if (at > 0 && at < line->length && line->data[at - 1] == ' ')
        line->data[at - 1] = '_';
}

static void add_name(struct text *path, struct slice name)
{
    size_t start = path->length;

    text_add_terminal(path, name.length > 0 ? name : SLICE("[unknown]"));
    for (size_t i = start; i < path->length; i++)
        if (path->data[i] == ';')
            path->data[i] = ':';
}

/* Ends the line that the path began; leaves it out where there is nothing to count. */
static void add_line(struct text *text, const struct text *path, const struct call_node *node,
                     const struct folded_pair *pair)
{
    if (pair ? pair->before == 0 && pair->after == 0 : node->weights.self == 0)
        return;
    text_add(text, text_slice(path));
    join_number(text);
    if (pair)
        text_format(text, " %llu %llu\n", (unsigned long long)pair->before, (unsigned long long)pair->after);
    else
        text_format(text, " %llu\n", (unsigned long long)node->weights.self);
}

/* `pairs` NULL: what the nodes have of their own. */
static void add_lines(struct text *text, const struct profile *profile, const struct call_tree *tree,
                      const struct folded_pair *pairs)
{
    SCOPED(text_done) struct text path = {0};
    VEC(size_t) ends = {0}; /* of the path, by depth */

    for (size_t i = 0; i < tree->nodes.count; i++) {
        const struct call_node *node = &tree->nodes.items[i];

        /* The root is what all lines have in common. */
        if (node->kind == CALL_ROOT)
            continue;
        if (ends.count > node->depth - 1)
            ends.count = node->depth - 1;
        path.length = ends.count ? ends.items[ends.count - 1] : 0;
        if (ends.count)
            text_add_byte(&path, ';');
        add_name(&path, profile_text(profile, node->name));
        *vec_add(&ends) = path.length;
        add_line(text, &path, node, pairs ? &pairs[i] : NULL);
    }
    vec_done(&ends);
}

void folded_add(struct text *text, const struct profile *profile, const struct call_tree *tree)
{
    add_lines(text, profile, tree, NULL);
}

void folded_add_pairs(struct text *text, const struct profile *profile, const struct call_tree *tree,
                      const struct folded_pair *pairs)
{
    add_lines(text, profile, tree, pairs);
}

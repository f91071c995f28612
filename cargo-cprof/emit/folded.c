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

void folded_add(struct text *text, const struct profile *profile, const struct call_tree *tree)
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
        if (node->weights.self == 0)
            continue;
        text_add(text, text_slice(&path));
        join_number(text);
        text_format(text, " %llu\n", (unsigned long long)node->weights.self);
    }
    vec_done(&ends);
}

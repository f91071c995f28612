#include "emit/folded.h"

#include "base/ascii.h"
#include "tree/heavy_tree.h"

/*
 * Readers take the number behind the last space for the count, and one before it for the count of a second
 * profile: an innermost name that ends in a number of its own, "worker 3", would be taken for that.
 */
static void join_number(struct text *line)
{
    size_t at = line->length;

    while (at > 0 && (ascii_is_digit(line->data[at - 1]) || line->data[at - 1] == '.'))
        at--;
    if (at > 0 && at < line->length && line->data[at - 1] == ' ')
        line->data[at - 1] = '_';
}

static void add_name(struct text *path, struct slice name)
{
    size_t start = path->length;

    text_add_terminal(path, slice_trim(name).length > 0 ? name : SLICE("[unknown]"));
    for (size_t i = start; i < path->length; i++)
        if (path->data[i] == ';')
            path->data[i] = ':';
}

/* Ends the line that the path began; leaves it out where there is nothing to count. */
static void add_line(struct text *text, const struct text *path, uint64_t own, const struct folded_pair *pair)
{
    if (pair ? pair->before == 0 && pair->after == 0 : own == 0)
        return;
    text_add(text, text_slice(path));
    join_number(text);
    if (pair)
        text_format(text, " %llu %llu\n", (unsigned long long)pair->before, (unsigned long long)pair->after);
    else
        text_format(text, " %llu\n", (unsigned long long)own);
}

/* A call of a chart that others may still come in. */
struct open_call {
    size_t path_end;
    uint64_t end;     /* where it ends, as its start */
    uint64_t written; /* up to where its own time is in the text */
};

/* What the innermost call has of its own up to there. */
static void add_own_time(struct text *text, struct text *path, struct open_call *call, uint64_t until)
{
    path->length = call->path_end;
    add_line(text, path, until - call->written, NULL);
    call->written = until;
}

/* Lines in the order of time, so that a call has one for each time that it goes on for itself. */
static void add_chart(struct text *text, const struct profile *profile, const struct call_tree *tree)
{
    SCOPED(text_done) struct text path = {0};
    VEC(struct open_call) open = {0};

    for (size_t i = 1; i <= tree->nodes.count; i++) {
        const struct call_node *node = i < tree->nodes.count ? &tree->nodes.items[i] : NULL;
        size_t depth = node ? node->depth - 1 : 0;

        for (; open.count > depth; open.count--) {
            struct open_call *last = &open.items[open.count - 1];

            add_own_time(text, &path, last, last->end);
            if (open.count > 1)
                last[-1].written = last->end;
        }
        if (!node)
            break;
        if (open.count > 0) {
            add_own_time(text, &path, &open.items[open.count - 1], node->start);
            text_add_byte(&path, ';');
        } else {
            path.length = 0;
        }
        add_name(&path, profile_text(profile, node->name));
        *vec_add(&open) = (struct open_call){path.length, node->start + node->weights.total, node->start};
    }
    vec_done(&open);
}

/* Lines of nodes that come each behind its parent. */
struct line_writer {
    struct text *text;
    const struct profile *profile;
    struct text path;
    VEC(size_t) ends; /* of the path, by depth */
};

static void line_writer_done(struct line_writer *writer)
{
    text_done(&writer->path);
    vec_done(&writer->ends);
}

/* `pair` NULL: what the node has of its own. */
static void write_line(struct line_writer *writer, const struct call_node *node,
                       const struct folded_pair *pair)
{
    struct text *path = &writer->path;

    /* The root is what all lines have in common. */
    if (node->kind == CALL_ROOT)
        return;
    if (writer->ends.count > node->depth - 1)
        writer->ends.count = node->depth - 1;
    path->length = writer->ends.count ? writer->ends.items[writer->ends.count - 1] : 0;
    if (writer->ends.count)
        text_add_byte(path, ';');
    add_name(path, profile_text(writer->profile, node->name));
    *vec_add(&writer->ends) = path->length;
    add_line(writer->text, path, node->weights.self, pair);
}

/* `pairs` NULL: what the nodes have of their own. */
static void add_lines(struct text *text, const struct profile *profile, const struct call_tree *tree,
                      const struct folded_pair *pairs)
{
    SCOPED(line_writer_done) struct line_writer writer = {.text = text, .profile = profile};

    for (size_t i = 0; i < tree->nodes.count; i++)
        write_line(&writer, &tree->nodes.items[i], pairs ? &pairs[i] : NULL);
}

/* heavy_tree_visit_fn */
static void visit_node(void *context, const struct call_node *node)
{
    write_line(context, node, NULL);
}

void folded_add_heavy(struct text *text, struct profile *profile, uint32_t series)
{
    SCOPED(line_writer_done) struct line_writer writer = {.text = text, .profile = profile};

    heavy_tree_walk(
        profile, series,
        &(struct heavy_tree_walk){.order = CALLS_BY_NAME, .visit = visit_node, .context = &writer});
}

void folded_add(struct text *text, const struct profile *profile, const struct call_tree *tree)
{
    if (tree->is_chart)
        add_chart(text, profile, tree);
    else
        add_lines(text, profile, tree, NULL);
}

void folded_add_pairs(struct text *text, const struct profile *profile, const struct call_tree *tree,
                      const struct folded_pair *pairs)
{
    add_lines(text, profile, tree, pairs);
}

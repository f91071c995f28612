#include "page/flame_label.h"

#include "base/ascii.h"

#include <stdbool.h>

/*
 * Where the last `parts` parts of a path begin; "::" within brackets separates nothing, and a part such
 * as "{{closure}}" says too little to count.
 */
static size_t tail_start(struct slice name, unsigned parts)
{
    size_t depth = 0;

    for (size_t i = name.length; i-- > 0;) {
        char byte = name.data[i];
        /* The ">" of "->" closes nothing. */
        bool is_arrow = byte == '>' && i > 0 && name.data[i - 1] == '-';

        if ((byte == '>' && !is_arrow) || byte == ')' || byte == ']' || byte == '}')
            depth++;
        else if ((byte == '<' || byte == '(' || byte == '[' || byte == '{') && depth > 0)
            depth--;
        else if (byte == ':' && depth == 0 && i > 0 && i + 1 < name.length && name.data[i - 1] == ':') {
            if (name.data[i + 1] != '{' && --parts == 0)
                return i + 1;
            i--;
        }
    }
    return 0;
}

/* A name of C++ without the arguments that it ends in: which function of a class it is tells more. */
static struct slice without_arguments(struct slice name)
{
    struct slice rest = name;
    size_t depth = 0;

    if (slice_ends_with(name, SLICE(" const")))
        rest.length -= SLICE(" const").length;
    if (!slice_ends_with(rest, SLICE(")")))
        return name;
    do {
        rest.length--;
        depth += rest.data[rest.length] == ')';
        depth -= rest.data[rest.length] == '(';
    } while (depth > 0 && rest.length > 0);
    return rest.length == 0 || slice_ends_with(rest, SLICE("operator")) ? name : rest;
}

static bool is_word(char byte)
{
    return ascii_is_name(byte) || byte == '$' || (byte & 0x80);
}

static size_t word_length(struct slice text)
{
    size_t length = 0;

    while (length < text.length && is_word(text.data[length]))
        length++;
    return length;
}

/* Whether the text, behind a word, goes on with the next word of a path. */
static bool is_path_on(struct slice text)
{
    return slice_starts_with(text, SLICE("::")) && text.length > 2 && is_word(text.data[2]);
}

/* Appends `name` with only the last word of each path that stands in brackets. */
static void add_without_inner_paths(struct text *text, struct slice name)
{
    size_t depth = 0;
    size_t at = 0;

    while (at < name.length) {
        size_t length = word_length(slice_range(name, at, name.length));

        if (length > 0 && depth > 0 && is_path_on(slice_range(name, at + length, name.length))) {
            at += length + 2;
            continue;
        }
        if (length == 0) {
            depth += name.data[at] == '<';
            depth -= name.data[at] == '>' && depth > 0 && name.data[at - 1] != '-';
            length = 1;
        }
        text_add(text, slice_range(name, at, at + length));
        at += length;
    }
}

/* The bytes of the first `columns` columns. */
static struct slice cut(struct slice name, size_t columns)
{
    size_t end = 0;

    while (end < name.length && columns > 0) {
        size_t length = text_utf8_length(slice_range(name, end, name.length));

        end += length ? length : 1;
        columns--;
    }
    return slice_range(name, 0, end);
}

void flame_label_add_start(struct text *text, struct slice line, size_t columns)
{
    if (text_columns(line) <= columns) {
        text_add(text, line);
        return;
    }
    text_add(text, cut(line, columns - 1));
    text_add_string(text, "…");
}

void flame_label_add(struct text *text, struct slice name, size_t columns)
{
    enum { LEAST_COLUMNS = 3 };
    struct slice shown = name;
    SCOPED(text_done) struct text shorter = {0};

    if (columns < LEAST_COLUMNS)
        return;
    if (text_columns(shown) > columns)
        shown = without_arguments(shown);
    if (text_columns(shown) > columns)
        shown = slice_range(shown, tail_start(shown, 2), shown.length);
    if (text_columns(shown) > columns) {
        add_without_inner_paths(&shorter, shown);
        shown = text_slice(&shorter);
    }
    if (text_columns(shown) > columns)
        shown = slice_range(shown, tail_start(shown, 1), shown.length);
    flame_label_add_start(text, shown, columns);
}

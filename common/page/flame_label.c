#include "page/flame_label.h"

/* Where the last `parts` parts of a path begin; "::" within brackets separates nothing. */
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
        else if (byte == ':' && depth == 0 && i > 0 && name.data[i - 1] == ':') {
            if (--parts == 0)
                return i + 1;
            i--;
        }
    }
    return 0;
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

void flame_label_add(struct text *text, struct slice name, size_t columns)
{
    enum { LEAST_COLUMNS = 3 };
    struct slice shown = name;

    if (columns < LEAST_COLUMNS)
        return;
    for (unsigned parts = 2; parts > 0 && text_columns(shown) > columns; parts--)
        shown = slice_range(name, tail_start(name, parts), name.length);
    if (text_columns(shown) <= columns) {
        text_add(text, shown);
        return;
    }
    text_add(text, cut(shown, columns - 1));
    text_add_string(text, "…");
}

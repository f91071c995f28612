#include "report/indent.h"

#include <inttypes.h>

struct indent indent_within(uint64_t deepest, size_t columns)
{
    struct indent usual = INDENT_USUAL;

    if (deepest <= columns / usual.step)
        return usual;
    return (struct indent){1, columns < usual.levels ? (uint32_t)columns : usual.levels};
}

size_t indent_columns(struct indent indent, uint64_t level)
{
    SCOPED(text_done) struct text text = {0};

    indent_add(&text, indent, level);
    return text.length;
}

void indent_add(struct text *text, struct indent indent, uint64_t level)
{
    bool is_deeper = level > indent.levels;

    text_add_repeated(text, ' ', (size_t)indent.step * (is_deeper ? indent.levels : level));
    if (is_deeper)
        text_format(text, "[%" PRIu64 "] ", level);
}

#include "view/call_line.h"

void call_line_add(struct text *text, const struct profile *profile, const struct call_node *node,
                   uint32_t level)
{
    bool is_deeper = level > CALL_LINE_MOST_LEVELS;

    text_add_repeated(text, ' ', 2 * (size_t)(is_deeper ? CALL_LINE_MOST_LEVELS : level));
    if (is_deeper)
        text_format(text, "[%u] ", level);
    text_add(text, profile_text(profile, node->name));
    if (node->inlined_weight > 0 && node->inlined_weight >= node->weights.total)
        text_add_string(text, " (inlined)");
}

#include "tree/call_line.h"

void call_line_add(struct text *text, const struct profile *profile, const struct call_node *node)
{
    text_add(text, profile_text(profile, node->name));
    if (call_node_is_inlined(node))
        text_add_string(text, " (inlined)");
}

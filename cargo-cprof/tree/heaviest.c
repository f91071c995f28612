#include "tree/heaviest.h"

void heaviest_done(struct heaviest *heaviest)
{
    vec_done(&heaviest->kept);
}

static bool is_lighter(struct heavy_node a, struct heavy_node b)
{
    return a.weight != b.weight ? a.weight < b.weight : a.depth > b.depth;
}

/* Puts a node in where the last place is free. */
static void sift_up(struct heavy_node *kept, size_t at, struct heavy_node node)
{
    for (; at > 0 && is_lighter(node, kept[(at - 1) / 2]); at = (at - 1) / 2)
        kept[at] = kept[(at - 1) / 2];
    kept[at] = node;
}

/* Puts a node in where the first place is free. */
static void sift_down(struct heavy_node *kept, size_t count, struct heavy_node node)
{
    size_t at = 0;

    for (size_t child = 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && is_lighter(kept[child + 1], kept[child]))
            child++;
        if (!is_lighter(kept[child], node))
            break;
        kept[at] = kept[child];
        at = child;
    }
    kept[at] = node;
}

bool heaviest_take(struct heaviest *heaviest, struct heavy_node node)
{
    if (heaviest->most == 0)
        return true;
    if (heaviest->kept.count < heaviest->most) {
        (void)vec_add(&heaviest->kept);
        sift_up(heaviest->kept.items, heaviest->kept.count - 1, node);
        return true;
    }
    if (is_lighter(node, heaviest->kept.items[0]))
        return false;
    sift_down(heaviest->kept.items, heaviest->kept.count, node);
    return true;
}

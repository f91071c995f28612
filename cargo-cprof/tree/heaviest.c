#include "tree/heaviest.h"

void heaviest_done(struct heaviest *heaviest)
{
    vec_done(&heaviest->kept);
}

static bool is_lighter(struct heavy_node a, struct heavy_node b)
{
    return a.weight != b.weight ? a.weight < b.weight : a.depth > b.depth;
}

/* Puts a node in where this place is free, and those below it are a heap each. */
static void sift_down(struct heavy_node *kept, size_t count, size_t at, struct heavy_node node)
{
    for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && is_lighter(kept[child + 1], kept[child]))
            child++;
        if (!is_lighter(kept[child], node))
            break;
        kept[at] = kept[child];
        at = child;
    }
    kept[at] = node;
}

static void make_heap(struct heavy_node *kept, size_t count)
{
    for (size_t at = count / 2; at-- > 0;)
        sift_down(kept, count, at, kept[at]);
}

bool heaviest_take(struct heaviest *heaviest, struct heavy_node node)
{
    if (heaviest->most == 0)
        return true;
    if (heaviest->kept.count < heaviest->most) {
        *vec_add(&heaviest->kept) = node;
        if (heaviest->kept.count == heaviest->most)
            make_heap(heaviest->kept.items, heaviest->kept.count);
        return true;
    }
    if (is_lighter(node, heaviest->kept.items[0]))
        return false;
    sift_down(heaviest->kept.items, heaviest->kept.count, 0, node);
    return true;
}

#include "tree/heaviest.h"

void heaviest_done(struct heaviest *heaviest)
{
    vec_done(&heaviest->kept);
}

/* A number that is less for a lighter node. From depths of 2^20 and weights of 2^44 on all are alike. */
static uint64_t rank_of(struct heavy_node node)
{
    enum { DEPTH_BITS = 20, MOST_DEPTH = (1 << DEPTH_BITS) - 1 };
    const uint64_t most_weight = UINT64_MAX >> DEPTH_BITS;
    uint64_t weight = node.weight < most_weight ? node.weight : most_weight;
    uint32_t depth = node.depth < MOST_DEPTH ? node.depth : MOST_DEPTH;

    return weight << DEPTH_BITS | (MOST_DEPTH - depth);
}

/*
 * Brings the `most` greatest, at least one and no more than there are, to the front (Hoare's quickselect);
 * the least of them. Pivots are drawn, as numbers that are in order already are usual.
 */
static uint64_t select_greatest(uint64_t *numbers, size_t count, size_t most)
{
    size_t first = 0;
    size_t end = count;
    uint64_t random = 1;

    while (true) {
        size_t equal = first;
        size_t less = end;
        uint64_t pivot = 0;

        random = random * 6364136223846793005U + 1442695040888963407U; /* Knuth's MMIX */
        pivot = numbers[first + (size_t)(random >> 33) % (end - first)];
        for (size_t at = first; at < less;) {
            uint64_t number = numbers[at];

            if (number > pivot) {
                numbers[at++] = numbers[equal];
                numbers[equal++] = number;
            } else if (number < pivot) {
                numbers[at] = numbers[--less];
                numbers[less] = number;
            } else {
                at++;
            }
        }
        if (most > equal && most <= less)
            return pivot;
        if (most <= equal)
            end = equal;
        else
            first = less;
    }
}

void heaviest_settle(struct heaviest *heaviest)
{
    if (heaviest->most == 0 || heaviest->kept.count < heaviest->most)
        return;
    heaviest->least = select_greatest(heaviest->kept.items, heaviest->kept.count, heaviest->most);
    heaviest->has_least = true;
    heaviest->kept.count = heaviest->most;
}

bool heaviest_has(const struct heaviest *heaviest, struct heavy_node node)
{
    return !heaviest->has_least || rank_of(node) >= heaviest->least;
}

bool heaviest_take(struct heaviest *heaviest, struct heavy_node node)
{
    size_t most = heaviest->most;

    if (most == 0)
        return true;
    if (!heaviest_has(heaviest, node))
        return false;
    *vec_add(&heaviest->kept) = rank_of(node);
    if (heaviest->kept.count >= (heaviest->has_least ? most + most / 2 + 1 : most))
        heaviest_settle(heaviest);
    return true;
}

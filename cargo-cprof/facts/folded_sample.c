#include "facts/folded_sample.h"

#include <stdlib.h>

#include "base/vec.h"

enum {
    LARGE = 1000,         /* more samples than most stacks of a recording have, */
    MANY_STACKS = 20,     /* where it has so many; */
    VERY_LARGE = 1000000, /* more than any but the few of a program that does one thing for very long */
};

static int compare_weights(const void *left, const void *right)
{
    const uint64_t *a = left;
    const uint64_t *b = right;

    return (*a > *b) - (*a < *b);
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b > 0) {
        uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

uint64_t folded_sample_weight(const struct sample_sums *sums)
{
    struct sums_cursor cursor = sums_cursor_of(sums);
    struct sample_sum sum;
    VEC(uint64_t) weights = {0};
    uint64_t common = 0;
    uint64_t smaller = 0;
    uint64_t weight = 1;

    while (sums_cursor_next(&cursor, &sum)) {
        *vec_add(&weights) = sum.value;
        common = common_divisor(common, sum.value);
    }
    if (weights.count > 1) {
        qsort(weights.items, weights.count, sizeof(*weights.items), compare_weights);
        smaller = weights.items[weights.count / 4];
        /* Numbers of samples have no divisor that large in common. */
        if (common >= LARGE)
            weight = common;
        else if (smaller >= (weights.count < MANY_STACKS ? VERY_LARGE : LARGE))
            weight = smaller;
    }
    vec_done(&weights);
    return weight;
}

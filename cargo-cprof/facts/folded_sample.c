#include "facts/folded_sample.h"

#include <stdlib.h>

#include "base/vec.h"

/* Recordings have so many stacks, and of counted samples some of them are rarer than that. */
enum { LEAST_STACKS = 20, LARGE = 1000 };

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

    while (sums_cursor_next(&cursor, &sum)) {
        *vec_add(&weights) = sum.value;
        common = common_divisor(common, sum.value);
    }
    if (weights.count >= LEAST_STACKS) {
        qsort(weights.items, weights.count, sizeof(*weights.items), compare_weights);
        smaller = weights.items[weights.count / 4];
    }
    vec_done(&weights);
    if (smaller < LARGE)
        return 1;
    return common >= LARGE ? common : smaller;
}

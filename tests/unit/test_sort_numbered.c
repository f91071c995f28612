#include "cmocka_all.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "base/sort_numbered.h"

struct item {
    uint64_t number;
    uint64_t place; /* where it was */
};

/* By number and, of one number, by where they were: what a stable sort makes. */
static int compare(const void *left, const void *right)
{
    const struct item *a = left;
    const struct item *b = right;

    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

static void assert_sorted(size_t count, uint64_t mask)
{
    SCOPED(memory_free_at) struct item *items = memory_new(count, sizeof(*items));
    SCOPED(memory_free_at) struct item *expected = memory_new(count, sizeof(*items));
    uint64_t random = 1;

    for (size_t i = 0; i < count; i++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        items[i] = expected[i] = (struct item){(random ^ random >> 32) & mask, i};
    }
    qsort(expected, count, sizeof(*expected), compare);
    sort_numbered(items, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(items[i].number, expected[i].number);
        assert_int_equal(items[i].place, expected[i].place);
    }
}

static void items_rise_and_those_of_one_number_keep_their_order(void **state)
{
    static const uint64_t masks[] = {UINT64_MAX, 0xffff, 0x7ff, 0xfff000, 0xff00000000000000, 1, 0};

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(masks); i++) {
        assert_sorted(5000, masks[i]);
        assert_sorted(2, masks[i]);
        assert_sorted(1, masks[i]);
    }
    sort_numbered(NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_rise_and_those_of_one_number_keep_their_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

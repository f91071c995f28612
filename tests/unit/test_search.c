#include "cmocka_all.h"

#include "base/compiler.h"
#include "base/search.h"

struct item {
    uint32_t narrow;
    uint64_t number;
};

static void the_first_item_from_and_after_a_number_is_found(void **state)
{
    static const struct item items[] = {{9, 3}, {8, 5}, {7, 5}, {6, UINT64_MAX}};
    const size_t count = ARRAY_COUNT(items);

    (void)state;
    assert_int_equal(SEARCH_FROM(items, count, number, 0), 0);
    assert_int_equal(SEARCH_FROM(items, count, number, 3), 0);
    assert_int_equal(SEARCH_AFTER(items, count, number, 3), 1);
    assert_int_equal(SEARCH_FROM(items, count, number, 4), 1);
    assert_int_equal(SEARCH_FROM(items, count, number, 5), 1);
    assert_int_equal(SEARCH_AFTER(items, count, number, 5), 3);
    assert_int_equal(SEARCH_FROM(items, count, number, UINT64_MAX), 3);
    assert_int_equal(SEARCH_AFTER(items, count, number, UINT64_MAX), 4);
}

static void a_number_of_half_the_width_is_found_beside_others(void **state)
{
    static const struct item items[] = {{1, UINT64_MAX}, {2, 5}, {2, 7}, {UINT32_MAX, 0}};
    const size_t count = ARRAY_COUNT(items);

    (void)state;
    assert_int_equal(SEARCH_FROM(items, count, narrow, 2), 1);
    assert_int_equal(SEARCH_AFTER(items, count, narrow, 2), 3);
    assert_int_equal(SEARCH_FROM(items, count, narrow, UINT32_MAX), 3);
    assert_int_equal(SEARCH_FROM(items, count, narrow, UINT64_C(1) << 32), 4);
}

static void nothing_has_no_items(void **state)
{
    const struct item *items = NULL;

    (void)state;
    assert_int_equal(SEARCH_FROM(items, 0, number, 1), 0);
    assert_int_equal(SEARCH_AFTER(items, 0, number, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_item_from_and_after_a_number_is_found),
        cmocka_unit_test(a_number_of_half_the_width_is_found_beside_others),
        cmocka_unit_test(nothing_has_no_items),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

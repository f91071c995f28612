#include "cmocka_all.h"

#include "base/slice.h"

static void a_range_is_cut_to_the_slice(void **state)
{
    (void)state;
    assert_true(slice_is(slice_range(SLICE("abcdef"), 2, 4), "cd"));
    assert_true(slice_is(slice_range(SLICE("abc"), 1, 99), "bc"));
    assert_int_equal(slice_range(SLICE("abc"), 3, 2).length, 0);
}

static void order_is_bytewise_and_the_shorter_comes_first(void **state)
{
    (void)state;
    assert_true(slice_compare(SLICE("ab"), SLICE("abc")) < 0);
    assert_true(slice_compare(SLICE("b"), SLICE("abc")) > 0);
    assert_int_equal(slice_compare(SLICE(""), (struct slice){0}), 0);
}

static void what_is_not_there_is_found_at_the_end(void **state)
{
    (void)state;
    assert_int_equal(slice_find(SLICE("hello"), SLICE("lo")), 3);
    assert_int_equal(slice_find(SLICE("hello"), SLICE("x")), 5);
    assert_int_equal(slice_find_byte(SLICE("hello"), 'l'), 2);
    assert_int_equal(slice_find_last_byte(SLICE("hello"), 'l'), 3);
    assert_int_equal(slice_find_byte((struct slice){0}, 'l'), 0);
}

static void starts_and_ends_are_compared_whole(void **state)
{
    (void)state;
    assert_true(slice_starts_with(SLICE("abc"), SLICE("ab")));
    assert_false(slice_starts_with(SLICE("a"), SLICE("ab")));
    assert_true(slice_ends_with(SLICE("abc"), SLICE("bc")));
    assert_false(slice_ends_with(SLICE("c"), SLICE("bc")));
}

static void trimming_takes_white_space_from_both_ends(void **state)
{
    (void)state;
    assert_true(slice_is(slice_trim(SLICE(" \t a b\r\n")), "a b"));
    assert_int_equal(slice_trim(SLICE("  ")).length, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_range_is_cut_to_the_slice),
        cmocka_unit_test(order_is_bytewise_and_the_shorter_comes_first),
        cmocka_unit_test(what_is_not_there_is_found_at_the_end),
        cmocka_unit_test(starts_and_ends_are_compared_whole),
        cmocka_unit_test(trimming_takes_white_space_from_both_ends),
    };

    return cmocka_run_group_tests_name("slice", tests, NULL, NULL);
}

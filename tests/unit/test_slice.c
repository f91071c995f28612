#include "cmocka_all.h"

#include <stdio.h>

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
    assert_false(slice_starts_with(SLICE("abc"), SLICE("ac")));
    assert_false(slice_starts_with(SLICE("abc"), SLICE("bb")));
    assert_true(slice_ends_with(SLICE("abc"), SLICE("bc")));
    assert_false(slice_ends_with(SLICE("c"), SLICE("bc")));
    assert_true(slice_ends_with(SLICE("bc"), SLICE("bc")));
    assert_true(slice_starts_with(SLICE("bc"), SLICE("bc")));
}

static void any_string_of_a_list_is_enough(void **state)
{
    static const char *const strings[] = {"bc", "ab"};

    (void)state;
    assert_true(slice_is_any(SLICE("ab"), strings, 2));
    assert_false(slice_is_any(SLICE("abc"), strings, 2));
    assert_false(slice_is_any(SLICE("ab"), strings, 1));
    assert_true(slice_starts_with_any(SLICE("abx"), strings, 2));
    assert_false(slice_starts_with_any(SLICE("xab"), strings, 2));
    assert_true(slice_ends_with_any(SLICE("xab"), strings, 2));
    assert_false(slice_ends_with_any(SLICE("abx"), strings, 2));
    assert_true(slice_has_any(SLICE("xabx"), strings, 2));
    assert_false(slice_has_any(SLICE("xaxb"), strings, 2));
    assert_false(slice_has_any((struct slice){0}, strings, 2));
    assert_true(slice_has(SLICE("xabx"), SLICE("ab")));
    assert_false(slice_has(SLICE("xaxb"), SLICE("ab")));
}

static void trimming_takes_white_space_from_both_ends(void **state)
{
    (void)state;
    assert_true(slice_is(slice_trim(SLICE(" \t a b\r\n")), "a b"));
    assert_int_equal(slice_trim(SLICE("  ")).length, 0);
}

static void a_hash_is_sixteen_digits(void **state)
{
    (void)state;
    assert_true(slice_is_hash(SLICE("0123456789abcdef")));
    assert_false(slice_is_hash(SLICE("0123456789abcdeF")));
    assert_false(slice_is_hash(SLICE("0123456789abcde")));
    assert_false(slice_is_hash(SLICE("0123456789abcdef0")));
    assert_false(slice_is_hash(SLICE("")));
}

static void no_string_is_the_empty_slice(void **state)
{
    (void)state;
    assert_int_equal(slice_of(NULL).length, 0);
    assert_int_equal(slice_of("").length, 0);
    assert_true(slice_equal(slice_of(NULL), slice_of("")));
    assert_true(slice_is(slice_of("abc"), "abc"));
    assert_false(slice_is(slice_of("abc"), "abd"));
    assert_false(slice_is(slice_of("abc"), "abcd"));
    assert_false(slice_is(slice_of("abcd"), "abc"));
    assert_false(slice_is(slice_of("bbc"), "abc"));
    assert_false(slice_is(slice_of(""), "abc"));
    assert_false(slice_is(slice_of("abc"), ""));
    assert_true(slice_is(slice_of(""), ""));
    assert_true(slice_is((struct slice){0}, ""));
}

static void the_empty_slice_is_at_the_start_and_the_end_of_all(void **state)
{
    (void)state;
    assert_true(slice_starts_with(SLICE("abc"), (struct slice){0}));
    assert_true(slice_ends_with(SLICE("abc"), (struct slice){0}));
    assert_true(slice_starts_with((struct slice){0}, (struct slice){0}));
    assert_int_equal(slice_find(SLICE("abc"), (struct slice){0}), 0);
    assert_int_equal(slice_find((struct slice){0}, SLICE("a")), 0);
    assert_int_equal(slice_find_last_byte((struct slice){0}, 'a'), 0);
    assert_int_equal(slice_trim((struct slice){0}).length, 0);
}

static void only_ascii_white_space_is_trimmed(void **state)
{
    (void)state;
    assert_true(slice_is(slice_trim(SLICE("\t\n\v\f\r x\r\f\v\n\t ")), "x"));
    assert_true(slice_is(slice_trim(SLICE("\bx\x0e")), "\bx\x0e"));
    assert_true(slice_is(slice_trim(SLICE("\xc2\xa0")), "\xc2\xa0"));
}

static void the_arguments_for_printf_fit_its_int(void **state)
{
    (void)state;
    const struct slice huge = {"abc", (size_t)INT_MAX + 5};
    char printed[32];

    snprintf(printed, sizeof(printed), "%.*s|%.*s", SLICE_ARGUMENTS(SLICE("abc")),
             SLICE_ARGUMENTS((struct slice){0}));
    assert_string_equal(printed, "abc|");
    snprintf(printed, sizeof(printed), "%d %s", SLICE_ARGUMENTS(huge));
    assert_string_equal(printed, "2147483647 abc");
}

static void a_file_name_follows_the_last_slash(void **state)
{
    (void)state;
    assert_true(slice_is(slice_file_name(SLICE("/usr/bin/app")), "app"));
    assert_true(slice_is(slice_file_name(SLICE("app")), "app"));
    assert_true(slice_is(slice_file_name(SLICE("folder/")), ""));
    assert_int_equal(slice_file_name((struct slice){0}).length, 0);
}

static void a_folder_is_before_the_last_slash(void **state)
{
    (void)state;
    assert_true(slice_is(slice_folder(SLICE("/usr/bin/app")), "/usr/bin"));
    assert_true(slice_is(slice_folder(SLICE("folder/")), "folder"));
    assert_true(slice_is(slice_folder(SLICE("/app")), ""));
    assert_true(slice_is(slice_folder(SLICE("app")), ""));
    assert_int_equal(slice_folder((struct slice){0}).length, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_range_is_cut_to_the_slice),
        cmocka_unit_test(order_is_bytewise_and_the_shorter_comes_first),
        cmocka_unit_test(what_is_not_there_is_found_at_the_end),
        cmocka_unit_test(a_file_name_follows_the_last_slash),
        cmocka_unit_test(a_folder_is_before_the_last_slash),
        cmocka_unit_test(starts_and_ends_are_compared_whole),
        cmocka_unit_test(any_string_of_a_list_is_enough),
        cmocka_unit_test(trimming_takes_white_space_from_both_ends),
        cmocka_unit_test(a_hash_is_sixteen_digits),
        cmocka_unit_test(no_string_is_the_empty_slice),
        cmocka_unit_test(the_empty_slice_is_at_the_start_and_the_end_of_all),
        cmocka_unit_test(only_ascii_white_space_is_trimmed),
        cmocka_unit_test(the_arguments_for_printf_fit_its_int),
    };

    return cmocka_run_group_tests_name("slice", tests, NULL, NULL);
}

#include "cmocka_all.h"

#include "page/flame_box.h"

static void assert_distance(uint64_t part, uint64_t whole, const char *expected)
{
    SCOPED(text_done) struct text svg = {0};

    text_add_string(&svg, "x=");
    flame_box_add_distance(&svg, part, whole);
    assert_string_equal(text_string(&svg) + 2, expected);
}

static void a_distance_has_four_digits_and_no_zeros_at_the_end(void **state)
{
    (void)state;
    assert_distance(0, 0, "0%");
    assert_distance(0, 7, "0%");
    assert_distance(7, 7, "100%");
    assert_distance(1, 2, "50%");
    assert_distance(1, 3, "33.3333%");
    assert_distance(1, 8, "12.5%");
    assert_distance(1, 10000, "0.01%");
    assert_distance(1, 1000000, "0.0001%");
    assert_distance(1, 1000001, "0%");
}

static void a_distance_is_exact_where_the_weights_are_as_large_as_they_can_be(void **state)
{
    (void)state;
    assert_distance(UINT64_MAX, UINT64_MAX, "100%");
    assert_distance(UINT64_MAX / 2, UINT64_MAX, "49.9999%");
    assert_distance(UINT64_MAX / 1000000, UINT64_MAX, "0%");
    assert_distance(UINT64_MAX / 1000000 + 1, UINT64_MAX, "0.0001%");
}

static void a_box_is_one_element(void **state)
{
    SCOPED(text_done) struct text svg = {0};

    (void)state;
    flame_box_add_rect(&svg,
                       &(struct flame_box){.start = 1, .weight = 2, .whole = 3, .top = 92, .height = 17});
    assert_string_equal(text_string(&svg),
                        "<rect x=\"33.3333%\" y=\"92\" width=\"66.6666%\" height=\"17\"/>");
}

static void the_longest_numbers_have_room(void **state)
{
    SCOPED(text_done) struct text svg = {0};
    const struct flame_box box = {UINT64_MAX, UINT64_MAX, 1, UINT32_MAX, UINT32_MAX};

    (void)state;
    flame_box_add_rect(&svg, &box);
    assert_int_equal(svg.data[svg.length - 1], '>');
    text_clear(&svg);
    flame_box_add_data(&svg, UINT64_MAX, 0, UINT64_MAX, UINT64_MAX);
    assert_string_equal(text_string(&svg),
                        "18446744073709551615,0,18446744073709551615,18446744073709551615");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_distance_has_four_digits_and_no_zeros_at_the_end),
        cmocka_unit_test(a_distance_is_exact_where_the_weights_are_as_large_as_they_can_be),
        cmocka_unit_test(a_box_is_one_element),
        cmocka_unit_test(the_longest_numbers_have_room),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

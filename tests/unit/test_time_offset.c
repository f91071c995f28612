#include "cmocka_all.h"

#include "sampler/perf/time_offset.h"

static void a_clock_that_is_ahead_has_seconds_and_their_parts(void **state)
{
    (void)state;
    assert_int_equal(
        time_offset_read(SLICE("monotonic     1000000         5\nboottime            7         0\n")),
        UINT64_C(1000000000000005));
    assert_int_equal(time_offset_read(SLICE("boottime 7 0\nmonotonic 1 0\n")), 1000000000);
}

static void one_that_is_behind_wraps_around(void **state)
{
    (void)state;
    assert_int_equal(time_offset_read(SLICE("monotonic  -2  1\n")) + 2000000000, 1);
}

static void what_is_of_another_form_is_no_offset(void **state)
{
    (void)state;
    assert_int_equal(time_offset_read(SLICE("")), 0);
    assert_int_equal(time_offset_read(SLICE("boottime 7 0\n")), 0);
    assert_int_equal(time_offset_read(SLICE("monotonic7 0\n")), 0);
    assert_int_equal(time_offset_read(SLICE("monotonic 7\n")), 0);
    assert_int_equal(time_offset_read(SLICE("monotonic 7 x\n")), 0);
    assert_int_equal(time_offset_read(SLICE("monotonic 7 0 0\n")), 0);
    assert_int_equal(time_offset_read(SLICE("monotonic x 0\n")), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clock_that_is_ahead_has_seconds_and_their_parts),
        cmocka_unit_test(one_that_is_behind_wraps_around),
        cmocka_unit_test(what_is_of_another_form_is_no_offset),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "cmocka_all.h"

#include <math.h>

#include "base/vec.h"
#include "changes/chance.h"

static void assert_near(double actual, double expected)
{
    assert_true(fabs(actual - expected) <= 1e-9 + 1e-6 * fabs(expected));
}

static void few_samples_are_counted_exactly(void **state)
{
    (void)state;
    assert_near(chance_of_counts(0, 10, 0.5), 2.0 / 1024);
    assert_near(chance_of_counts(10, 0, 0.5), 2.0 / 1024);
    /* 1 + 10 + 45 of 1024, on either side */
    assert_near(chance_of_counts(2, 8, 0.5), 2 * 56.0 / 1024);
    assert_near(chance_of_counts(0, 2, 0.25), 2.0 / 16);
    assert_near(chance_of_counts(3, 0, 0.25), 2 * 27.0 / 64);
}

static void what_is_as_likely_as_not_is_no_difference(void **state)
{
    (void)state;
    assert_near(chance_of_counts(0, 0, 0.5), 1);
    assert_near(chance_of_counts(5, 5, 0.5), 1);
    assert_near(chance_of_counts(300, 100, 0.25), 1);
}

static void the_order_of_the_sides_does_not_matter(void **state)
{
    (void)state;
    assert_near(chance_of_counts(120, 180, 0.4), chance_of_counts(180, 120, 0.6));
    assert_near(chance_of_counts(7, 31, 0.3), chance_of_counts(31, 7, 0.7));
}

static void many_samples_are_as_the_normal_distribution_has_them(void **state)
{
    (void)state;
    /* Three deviations of a million and more, and the exact figure for just below that. */
    assert_near(chance_of_counts(1000000 - 3000, 1000000 + 3000, 0.5), erfc(6 * sqrt(0.5) / sqrt(2)));
    assert_true(fabs(chance_of_counts(499500 - 1500, 499500 + 1500, 0.5) -
                     chance_of_counts(500500 - 1500, 500500 + 1500, 0.5)) < 2e-4);
    assert_near(chance_of_counts(0, UINT64_MAX, 0.5), 0);
    assert_near(chance_of_counts(0, 1000000, 0.5), 0);
}

static void the_least_chance_is_that_of_all_samples_on_the_rarer_side(void **state)
{
    (void)state;
    assert_near(chance_least(0, 0.5), 1);
    assert_near(chance_least(10, 0.5), chance_of_counts(0, 10, 0.5));
    assert_near(chance_least(10, 0.25), chance_of_counts(0, 10, 0.25));
    assert_near(chance_least(10, 0.75), chance_of_counts(10, 0, 0.75));
}

static void the_limit_is_divided_among_what_can_pass_it(void **state)
{
    double none[] = {1, 0.9};
    double three[] = {1e-9, 0.5, 1e-9, 1, 1e-9};
    /* The third would pass a limit of its own, but not half of it. */
    double nearly[] = {1e-9, 0.03, 1e-9};

    (void)state;
    assert_near(chance_limit(NULL, 0, 0.05), 0.05);
    assert_near(chance_limit(none, 2, 0.05), 0.05);
    assert_near(chance_limit(three, 5, 0.05), 0.05 / 3);
    assert_near(chance_limit(nearly, 3, 0.05), 0.05 / 2);
}

static void deviations_are_those_of_the_tables(void **state)
{
    (void)state;
    assert_true(fabs(chance_deviations(0.05) - 1.959964) < 1e-5);
    assert_true(fabs(chance_deviations(0.001) - 3.290527) < 1e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_samples_are_counted_exactly),
        cmocka_unit_test(what_is_as_likely_as_not_is_no_difference),
        cmocka_unit_test(the_order_of_the_sides_does_not_matter),
        cmocka_unit_test(many_samples_are_as_the_normal_distribution_has_them),
        cmocka_unit_test(the_least_chance_is_that_of_all_samples_on_the_rarer_side),
        cmocka_unit_test(the_limit_is_divided_among_what_can_pass_it),
        cmocka_unit_test(deviations_are_those_of_the_tables),
    };

    return cmocka_run_group_tests_name("chance", tests, NULL, NULL);
}

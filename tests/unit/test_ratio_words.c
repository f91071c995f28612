#include "cmocka_all.h"

#include "timing/ratio_words.h"

static void assert_interval(double low, double high, const char *expected)
{
    SCOPED(text_done) struct text said = {0};

    ratio_add_interval(
        &said, (struct ratio){.estimate = (low + high) / 2, .low = low, .high = high, .is_bounded = true});
    assert_string_equal(text_string(&said), expected);
}

static void bounds_tell_on_which_side_of_no_change_they_are(void **state)
{
    SCOPED(text_done) struct text said = {0};

    (void)state;
    assert_interval(0.98, 1.032, "-2.0% to +3.2%");
    assert_interval(0.98, 0.9998, "-2.0% to -0.02%");
    assert_interval(1.000003, 1.25, "+0.0003% to +25.0%");
    assert_interval(1, 1.25, "0.0% to +25.0%");
    ratio_add_interval(&said, (struct ratio){.estimate = 1});
    assert_string_equal(text_string(&said), "?");
}

static void so_does_the_sentence(void **state)
{
    const struct ratio ratio = {.estimate = 1.004, .low = 0.9998, .high = 1.008, .is_bounded = true};
    SCOPED(text_done) struct text said = {0};

    (void)state;
    ratio_add_sentence(&said, ratio, " time", 0.95, "old", "new");
    assert_string_equal(
        text_string(&said),
        "no change beyond noise: new takes between 0.02% less and 0.8% more time than old, with "
        "95% confidence");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_tell_on_which_side_of_no_change_they_are),
        cmocka_unit_test(so_does_the_sentence),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "emit/firefox.h"

#include <string.h>

#include "profile_fixture.h"

static void assert_interval(struct profile_fixture *f, const char *expected)
{
    SCOPED(text_done) struct text document = {0};

    profile_builder_finish(&f->profile);
    assert_int_equal(firefox_add(&document, &f->profile, 0, &f->err), 0);
    assert_non_null(strstr(text_string(&document), expected));
}

static void the_interval_is_that_of_the_frequency(void **state)
{
    struct profile_fixture *f = *state;

    f->profile.series.items[0].frequency_hz = 500;
    profile_builder_add(&f->profile, 0, SLICE("own app main"), 3);
    assert_interval(f, "\"interval\":2,");
}

static void without_one_it_is_what_a_sample_of_a_clock_stands_for(void **state)
{
    struct profile_fixture *f = *state;

    f->profile.series.items[0].frequency_hz = 0;
    for (uint64_t i = 0; i < 3; i++)
        profile_add_sample(&f->profile, 0,
                           (struct profile_sample){.time_ns = i, .value = 10000000, .stack = PROFILE_NONE});
    assert_interval(f, "\"interval\":10,");
}

static void of_other_events_it_is_not_known(void **state)
{
    struct profile_fixture *f = *state;

    f->profile.series.items[0].frequency_hz = 0;
    f->profile.series.items[0].unit = profile_string(&f->profile, SLICE("page-faults"));
    profile_builder_add(&f->profile, 0, SLICE("own app main"), 3);
    assert_interval(f, "\"interval\":1,");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_interval_is_that_of_the_frequency, profile_fixture_set_up,
                                        profile_fixture_tear_down),
        cmocka_unit_test_setup_teardown(without_one_it_is_what_a_sample_of_a_clock_stands_for,
                                        profile_fixture_set_up, profile_fixture_tear_down),
        cmocka_unit_test_setup_teardown(of_other_events_it_is_not_known, profile_fixture_set_up,
                                        profile_fixture_tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

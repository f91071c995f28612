#include "annotate/usual_function.h"
#include "profile_fixture.h"

static void assert_usual(struct profile_fixture *fixture, const char *name)
{
    uint32_t function = 0;

    profile_builder_finish(&fixture->profile);
    function = usual_function_of(&fixture->profile, 0);
    assert_true(
        slice_is(profile_text(&fixture->profile, fixture->profile.functions.items[function].name), name));
}

static void what_it_calls_of_others_is_counted_with_it(void **state)
{
    struct profile_fixture *fixture = *state;

    profile_builder_add(&fixture->profile, 0, SLICE("own app main > own app reads"), 3);
    profile_builder_add(&fixture->profile, 0,
                        SLICE("own app main > own app sorts > std core sort > std core less"), 4);
    profile_builder_add(&fixture->profile, 0, SLICE("own app main > own app sorts > own app key"), 2);
    profile_builder_add(&fixture->profile, 0, SLICE("std std alone"), 9);
    assert_usual(fixture, "sorts");
}

static void what_others_call_back_is_that_function_s(void **state)
{
    struct profile_fixture *fixture = *state;

    profile_builder_add(&fixture->profile, 0, SLICE("own app sorts > std core sort"), 3);
    profile_builder_add(&fixture->profile, 0, SLICE("own app sorts > std core sort > own app key"), 4);
    assert_usual(fixture, "key");
}

static void without_own_ones_it_is_the_one_that_takes_the_most_itself(void **state)
{
    struct profile_fixture *fixture = *state;

    profile_builder_add(&fixture->profile, 0, SLICE("std core sort"), 3);
    profile_builder_add(&fixture->profile, 0, SLICE("std core sort > std core less"), 4);
    assert_usual(fixture, "less");
}

static void where_no_sample_tells_one_there_is_none(void **state)
{
    struct profile_fixture *fixture = *state;

    profile_builder_add(&fixture->profile, 0, SLICE(""), 3);
    profile_builder_finish(&fixture->profile);
    assert_int_equal(usual_function_of(&fixture->profile, 0), PROFILE_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_it_calls_of_others_is_counted_with_it, profile_fixture_set_up,
                                        profile_fixture_tear_down),
        cmocka_unit_test_setup_teardown(what_others_call_back_is_that_function_s, profile_fixture_set_up,
                                        profile_fixture_tear_down),
        cmocka_unit_test_setup_teardown(without_own_ones_it_is_the_one_that_takes_the_most_itself,
                                        profile_fixture_set_up, profile_fixture_tear_down),
        cmocka_unit_test_setup_teardown(where_no_sample_tells_one_there_is_none, profile_fixture_set_up,
                                        profile_fixture_tear_down),
    };

    return cmocka_run_group_tests_name("usual function", tests, NULL, NULL);
}

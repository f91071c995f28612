#include "cmocka_all.h"

#include "outer_simulation.h"

/* As samples go at 4,000 a second: 0.08 ms, 0.8 ms, 8 ms and 80 ms on average. */
static const double deep_times[] = {0.3, 3, 30, 300};

/* The times between. */
struct gap {
    double share; /* of the time down there */
    bool is_far;
};

static const struct gap gaps[] = {{0.01, false}, {0.1, false}, {0.1, true}};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static double percent(unsigned part, unsigned whole)
{
    assert_true(whole > 0);
    return 100.0 * part / whole;
}

static struct simulated run(double other_share, bool is_shown, size_t number)
{
    double deep_time = deep_times[number / 2 % COUNT_OF(deep_times)];
    const struct gap *gap = &gaps[number / 2 / COUNT_OF(deep_times)];
    struct simulation simulation = {
        .other_share = other_share,
        .deep_time = deep_time,
        .shallow_time = deep_time * gap->share,
        .goes_far = gap->is_far,
        .is_shown = is_shown,
        .is_frozen = number % 2,
        .look_length = 16,
        .sample_count = 10000,
    };

    return simulation_run(&simulation);
}

/* The most that is wrong, of all speeds at which callers change, in percent of the samples down there. */
static double most_wrong(double other_share, bool is_shown)
{
    double most = 0;

    for (size_t i = 0; i < 2 * COUNT_OF(deep_times) * COUNT_OF(gaps); i++) {
        struct simulated result = run(other_share, is_shown, i);
        double wrong = percent(result.wrong_count, result.deep_count);

        assert_int_equal(result.over_count, 0);
        most = wrong > most ? wrong : most;
    }
    return most;
}

static void callers_that_leave_other_words_are_never_taken_for_each_other(void **state)
{
    (void)state;
    assert_true(most_wrong(0.5, true) == 0);
    assert_true(most_wrong(0.1, true) == 0);
    assert_true(most_wrong(0.01, true) == 0);
}

/* What nothing tells but that callers are seen to change: the more seldom they do, the later. */
static void callers_that_leave_the_same_words_are_hardly_ever_taken_for_each_other(void **state)
{
    (void)state;
    assert_true(most_wrong(0.5, false) == 0);
    assert_true(most_wrong(0.25, false) < 0.2);
    assert_true(most_wrong(0.1, false) < 0.7);
    assert_true(most_wrong(0.05, false) < 1);
    assert_true(most_wrong(0.02, false) < 1.2);
    assert_true(most_wrong(0.01, false) < 1);
}

/* For 50 us between two calls of 22 ms, as of a program that goes from file to file. */
static void a_thread_between_two_calls_now_and_then_keeps_its_stacks(void **state)
{
    struct simulation simulation = {
        .deep_time = 88, .shallow_time = 0.2, .look_length = 16, .sample_count = 20000};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct simulated result;

        simulation.is_frozen = i > 0;
        result = simulation_run(&simulation);
        assert_true(percent(result.kept_count, result.deep_count) > 99.7);
        assert_int_equal(result.over_count, 0);
    }
}

static void a_thread_that_is_met_between_two_calls_often_keeps_most_of_its_stacks(void **state)
{
    struct simulation simulation = {
        .deep_time = 30, .shallow_time = 3, .is_frozen = true, .look_length = 16, .sample_count = 20000};
    struct simulated result = simulation_run(&simulation);

    (void)state;
    assert_true(percent(result.kept_count, result.deep_count) > 98);
    assert_int_equal(result.over_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(callers_that_leave_other_words_are_never_taken_for_each_other),
        cmocka_unit_test(callers_that_leave_the_same_words_are_hardly_ever_taken_for_each_other),
        cmocka_unit_test(a_thread_between_two_calls_now_and_then_keeps_its_stacks),
        cmocka_unit_test(a_thread_that_is_met_between_two_calls_often_keeps_most_of_its_stacks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

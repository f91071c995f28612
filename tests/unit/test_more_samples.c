/* What is advised for runs of which too little was sampled. */
#include "cmocka_all.h"

#include "facts/more_samples.h"
#include "profile_builder.h"

struct run {
    uint64_t samples;
    uint64_t cpu_ns;
    uint64_t wall_ns;
    uint32_t frequency_hz;
    uint32_t run_count;
};

/* What runs of so much are advised, in all. */
static void assert_advice(struct run run, bool is_started, const char *expected)
{
    struct text text = {0};
    struct profile profile;

    profile_builder_init(&profile);
    if (run.samples > 0)
        profile_builder_add(&profile, 0, SLICE("main"), run.samples);
    profile_builder_finish(&profile);
    profile.cpu_ns = run.cpu_ns;
    profile.wall_ns = run.wall_ns;
    profile.run_count = run.run_count;
    profile.series.items[0].frequency_hz = run.frequency_hz;
    more_samples_add(&text, &profile, &profile.series.items[0], is_started);
    assert_string_equal(text_string(&text), expected);
    text_done(&text);
    profile_done(&profile);
}

static const uint64_t ms = 1000000;

static void a_higher_frequency_where_that_is_enough(void **state)
{
    (void)state;
    assert_advice((struct run){89, 90 * ms, 100 * ms, 997, 1}, true, ", or sample more often: -F 4000");
    assert_advice((struct run){89, 90 * ms, 100 * ms, 997, 1}, false, ", or sample more often: -F 4000");
}

static void many_runs_where_one_is_too_short_for_that(void **state)
{
    (void)state;
    assert_advice((struct run){9, 11 * ms, 20 * ms, 1000, 1}, true,
                  ", or many runs in one profile: --runs 5 -F 4000");
    /* What it has at 1000 Hz lies in its first period. */
    assert_advice((struct run){0, ms, 2 * ms, 1000, 1}, true,
                  ", or many runs in one profile: --runs 80 -F 4000");
    assert_advice((struct run){1, 200 * ms, 500 * ms, 1000, 200}, true,
                  ", or many runs in one profile: --runs 80 -F 4000");
    assert_advice((struct run){5, 6 * ms, 10 * ms, 1000, 1}, true,
                  ", or many runs in one profile: --runs 9 -F 4000");
    /* 100 runs at 99 Hz would have 200 samples, none of them of its first 10 ms. */
    assert_advice((struct run){2, 24 * ms, 24 * ms, 99, 1}, true,
                  ", or many runs in one profile: --runs 3 -F 4000");
    assert_advice((struct run){23, 6 * ms, 10 * ms, 4000, 1}, true,
                  ", or many runs in one profile: --runs 9");
}

/* Of which one run has fewer samples than its time alone would tell. */
static void more_runs_where_threads_are_shorter_than_a_period(void **state)
{
    (void)state;
    assert_advice((struct run){1, 8 * ms, 10 * ms, 1000, 1}, true,
                  ", or many runs in one profile: --runs 50 -F 4000");
    assert_advice((struct run){0, 8 * ms, 10 * ms, 1000, 1}, true,
                  ", or many runs in one profile: --runs 50 -F 4000");
    assert_advice((struct run){4, 8 * ms, 10 * ms, 1000, 1}, true,
                  ", or many runs in one profile: --runs 7 -F 4000");
    assert_advice((struct run){0, 6 * ms, 10 * ms, 4000, 1}, true,
                  ", or many runs in one profile: --runs 200");
}

static void what_runs_already_is_not_started_again(void **state)
{
    (void)state;
    assert_advice((struct run){0, ms, 2 * ms, 1000, 1}, false, "");
}

static void nothing_where_that_would_take_minutes_or_is_not_known(void **state)
{
    (void)state;
    assert_advice((struct run){0, ms, 10000 * ms, 1000, 1}, true, "");
    assert_advice((struct run){0, 0, 0, 1000, 1}, true, "");
    assert_advice((struct run){0, ms / 10, ms, 1000, 1}, true, "");
    assert_advice((struct run){3, ms, ms, 0, 1}, true, "");
}

static void what_is_advised_can_be_told_as_options_alone(void **state)
{
    static const struct {
        uint64_t samples;
        uint64_t cpu_ns;
        const char *options;
    } expected[] = {{89, 90000000, "-F 4000"}, {0, 1000000, "--runs 80 -F 4000"}, {0, 0, ""}};

    (void)state;
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        SCOPED(text_done) struct text text = {0};
        struct profile profile;

        profile_builder_init(&profile);
        if (expected[i].samples > 0)
            profile_builder_add(&profile, 0, SLICE("main"), expected[i].samples);
        profile_builder_finish(&profile);
        profile.cpu_ns = profile.wall_ns = expected[i].cpu_ns;
        profile.series.items[0].frequency_hz = 1000;
        more_samples_add_options(&text, &profile, &profile.series.items[0]);
        assert_string_equal(text_string(&text), expected[i].options);
        profile_done(&profile);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_higher_frequency_where_that_is_enough),
        cmocka_unit_test(many_runs_where_one_is_too_short_for_that),
        cmocka_unit_test(more_runs_where_threads_are_shorter_than_a_period),
        cmocka_unit_test(what_runs_already_is_not_started_again),
        cmocka_unit_test(what_is_advised_can_be_told_as_options_alone),
        cmocka_unit_test(nothing_where_that_would_take_minutes_or_is_not_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "cmocka_all.h"

#include "profile_builder.h"
#include "view/summary.h"

/* A profile of `count` samples of a millisecond each, of a program that took `cpu_ns` as the system tells. */
static void assert_sampled(uint64_t count, uint64_t cpu_ns, const char *expected)
{
    struct profile profile;
    SCOPED(text_done) struct text said = {0};

    profile_builder_init(&profile);
    profile_builder_add(&profile, 0, SLICE("own app main"), count);
    profile.cpu_ns = cpu_ns;
    summary_add_sampled(&said, &profile, 0);
    assert_string_equal(text_string(&said), expected);
    profile_done(&profile);
}

static void the_time_spent_is_the_systems_where_samples_were_lost(void **state)
{
    (void)state;
    assert_sampled(1000, 2000000000, "1,000 samples of cpu-clock at 1000 Hz: 2.00 s of CPU time, 1 thread");
}

static void the_time_spent_is_what_samples_stand_for_where_the_system_misses_children(void **state)
{
    (void)state;
    assert_sampled(3000, 1000000000, "3,000 samples of cpu-clock at 1000 Hz: 3.00 s of CPU time, 1 thread");
}

static void the_clocks_own_error_is_not_taken_for_children(void **state)
{
    (void)state;
    assert_sampled(2040, 2000000000, "2,040 samples of cpu-clock at 1000 Hz: 2.00 s of CPU time, 1 thread");
}

static void samples_tell_the_time_where_the_system_does_not(void **state)
{
    (void)state;
    assert_sampled(1, 0, "1 sample of cpu-clock at 1000 Hz: 0.00 s of CPU time, 1 thread");
}

/* What is said of 950 samples and so many lost ones. */
static bool says_how_to_lose_less(uint64_t lost_count)
{
    struct profile profile;
    SCOPED(text_done) struct text said = {0};
    bool says = false;

    profile_builder_init(&profile);
    profile_builder_add(&profile, 0, SLICE("own app main"), 950);
    profile.series.items[0].lost_count = lost_count;
    summary_add_facts(&said, &profile, 0);
    says = slice_find(text_slice(&said), SLICE("a lower frequency (-F) loses less\n")) < said.length;
    profile_done(&profile);
    return says;
}

static void heavy_loss_comes_with_what_to_do(void **state)
{
    (void)state;
    assert_true(says_how_to_lose_less(51));
    assert_false(says_how_to_lose_less(50));
}

static void deep_stacks_are_told_by_what_became_of_them(void **state)
{
    struct profile profile;
    struct profile_series *series = NULL;
    SCOPED(text_done) struct text said = {0};

    (void)state;
    profile_builder_init(&profile);
    profile_builder_add(&profile, 0, SLICE("own app main"), 10);
    series = &profile.series.items[0];
    series->ended_counts[STACK_COMPLETE] = 6;
    series->ended_counts[STACK_CUT_BY_COPY] = 4;
    series->completed_count = 5;
    series->rejected_count = 3;
    series->refused_count = 1;
    summary_add_facts(&said, &profile, 0);
    assert_true(
        slice_find(text_slice(&said),
                   SLICE("  completed: 5 deeper than what is copied of a stack, the rest read a "
                         "little later\n"
                         "  cut: 4 deeper than what is copied of a stack; 3 had changed when the rest "
                         "was read, 1 could not be read\n")) < said.length);
    profile_done(&profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_time_spent_is_the_systems_where_samples_were_lost),
        cmocka_unit_test(the_time_spent_is_what_samples_stand_for_where_the_system_misses_children),
        cmocka_unit_test(the_clocks_own_error_is_not_taken_for_children),
        cmocka_unit_test(samples_tell_the_time_where_the_system_does_not),
        cmocka_unit_test(heavy_loss_comes_with_what_to_do),
        cmocka_unit_test(deep_stacks_are_told_by_what_became_of_them),
    };

    return cmocka_run_group_tests_name("summary", tests, NULL, NULL);
}

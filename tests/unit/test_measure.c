#include "change_fixture.h"

#include <string.h>

#include "changes/change_headline.h"
#include "profile_builder.h"

/* As what was recorded without it: `user` samples, of a program that took `cpu_ns` in all. */
static void fill_user_only(struct profile *profile, uint64_t user, uint64_t cpu_ns)
{
    profile_builder_add(profile, 0, SLICE("own app main > own app hot"), user);
    profile->series.items[0].is_user_only = true;
    profile->cpu_ns = cpu_ns;
    profile->user_ns = user * 1000000;
}

/* Places of the kernel's functions are in the kernel. */
static void place_kernel(struct profile *profile)
{
    uint32_t kernel = profile_add_module(profile, MODULE_KERNEL, SLICE("[kernel]"), SLICE(""));

    for (size_t i = 0; i < profile->locations.count; i++) {
        struct profile_location *location = &profile->locations.items[i];
        const struct profile_frame *frame = &profile->frames.items[location->first_frame];

        if (profile->functions.items[frame->function].category == CATEGORY_KERNEL)
            location->module = kernel;
    }
}

static void what_the_kernel_took_unsampled_is_given_to_no_function(void **state)
{
    struct change_fixture *f = *state;

    fill_user_only(&f->before, 1000, 1010000000);
    fill_user_only(&f->after, 1010, 1850000000);
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_changes(f, "[kernel] +830/+830! | hot +10/+10 main +0/+10 ");
    assert_string_equal(measure_words(&f->changes.measure), "by CPU seconds, the kernel's apart");
    assert_int_equal(measure_all(&f->changes.measure.sides[JOINED_AFTER]), 1850000000);
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_CRATE);
    assert_changes(f, "[kernel] +830/+830! | app +10/+10 ");
    change_fixture_compare(f, MEASURE_SHARE, JOINED_BY_FUNCTION);
    assert_changes(f, "");
    assert_string_equal(measure_words(&f->changes.measure),
                        "by share of each side's samples outside of the kernel");
}

static void the_kernels_time_is_known_no_better_than_that_of_samples(void **state)
{
    struct change_fixture *f = *state;

    fill_user_only(&f->before, 1000, 1100000000);
    fill_user_only(&f->after, 950, 1100000000);
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_changes(f, "| [kernel] +50/+50 hot -50/-50 main +0/-50 ");
    assert_int_equal(change_fixture_find(f, "[kernel]")->self.error,
                     change_fixture_find(f, "hot")->self.error);
}

static void time_in_the_kernel_alone_is_not_held_against_all_of_it(void **state)
{
    struct change_fixture *f = *state;
    struct profile *sides[] = {&f->before, &f->after};

    for (size_t i = 0; i < 2; i++) {
        profile_builder_add(sides[i], 0, SLICE("own app main > own app read"), 400);
        sides[i]->series.items[0].event = profile_string(sides[i], SLICE("cpu-clock:k"));
        sides[i]->cpu_ns = i == 0 ? 800000000 : 1600000000;
        sides[i]->user_ns = sides[i]->cpu_ns - 400000000;
    }
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_changes(f, "");
    assert_int_equal(measure_all(&f->changes.measure.sides[JOINED_AFTER]), 400000000);
}

static void samples_of_two_frequencies_count_nothing(void **state)
{
    struct change_fixture *f = *state;
    struct joined_part parts[] = {{&f->before, 0}, {&f->after, 0}};
    struct measure measure;

    profile_builder_add(&f->before, 0, SLICE("own app main"), 1000);
    profile_builder_add(&f->after, 0, SLICE("own app main"), 4000);
    f->before.series.items[0].frequency_hz = 1000;
    f->after.series.items[0].frequency_hz = 4000;
    f->before.cpu_ns = f->after.cpu_ns = 1000000000;
    assert_int_equal(measure_make(parts, MEASURE_CPU, &measure, &f->err), 0);
    assert_int_equal(measure_make(parts, MEASURE_COUNT, &measure, &f->err), -1);
    assert_int_equal(f->err.kind, ERROR_USAGE);
    f->before.series.items[0].frequency_hz = 4000;
    assert_int_equal(measure_make(parts, MEASURE_COUNT, &measure, &f->err), 0);
}

static void what_cannot_be_compared_says_why(void **state)
{
    struct change_fixture *f = *state;
    struct joined_part parts[] = {{&f->before, 0}, {&f->after, 0}};
    struct measure measure;

    profile_builder_add(&f->before, 0, SLICE("own app main"), 1000);
    profile_builder_add(&f->after, 0, SLICE("own app main"), 1000);
    f->after.series.items[0].event = profile_string(&f->after, SLICE("cpu-clock:k"));
    assert_int_equal(measure_make(parts, MEASURE_SHARE, &measure, &f->err), -1);
    assert_string_equal(f->err.message, "cpu-clock cannot be compared with cpu-clock:k");
    for (size_t i = 0; i < 2; i++) {
        struct profile *side = i == 0 ? &f->before : &f->after;

        side->series.items[0].event = side->series.items[0].unit = profile_string(side, SLICE("page-faults"));
    }
    f->err = (struct error){0};
    assert_int_equal(measure_make(parts, MEASURE_CPU, &measure, &f->err), -1);
    assert_string_equal(f->err.message, "the first side is of page-faults, which are no CPU time");
    assert_non_null(strstr(f->err.hint, "--measure count"));
}

static void lost_samples_are_no_change_of_what_was_counted(void **state)
{
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("own app main"), 1000);
    profile_builder_add(&f->after, 0, SLICE("own app main"), 800);
    f->after.series.items[0].lost_count = 200;
    change_fixture_compare(f, MEASURE_COUNT, JOINED_BY_FUNCTION);
    assert_changes(f, "");
    assert_int_equal(measure_all(&f->changes.measure.sides[JOINED_AFTER]),
                     measure_all(&f->changes.measure.sides[JOINED_BEFORE]));
}

static void what_the_kernel_counted_without_a_sample_is_of_the_whole(void **state)
{
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("own app main"), 1000);
    profile_builder_add(&f->after, 0, SLICE("own app main > own app few"), 900);
    profile_builder_add(&f->after, 0, SLICE("own app main > kernel [kernel] clear_page"), 100);
    place_kernel(&f->after);
    for (size_t i = 0; i < 2; i++) {
        struct profile *side = i == 0 ? &f->before : &f->after;

        side->series.items[0].event = profile_string(side, SLICE("page-faults"));
        side->series.items[0].unit = profile_string(side, SLICE("page-faults"));
    }
    f->after.series.items[0].happened_count = 3000000000;
    change_fixture_compare(f, MEASURE_COUNT, JOINED_BY_FUNCTION);
    assert_int_equal(measure_all(&f->changes.measure.sides[JOINED_BEFORE]), 1000000000);
    assert_int_equal(measure_all(&f->changes.measure.sides[JOINED_AFTER]), 3000000000);
    f->before.series.items[0].is_user_only = true; /* so that the kernel's samples are no part of either */
    change_fixture_compare(f, MEASURE_COUNT, JOINED_BY_FUNCTION);
    assert_int_equal(measure_all(&f->changes.measure.sides[JOINED_AFTER]), 2700000000);
}

/* Three runs of two samples each, of 1,000,000: 666,666.67 of one run are nearer to 666,667. */
static void what_a_run_has_is_rounded_to_the_nearest(void **state)
{
    struct change_fixture *f = *state;
    const struct change *hot = NULL;

    for (size_t i = 0; i < JOINED_SIDES; i++) {
        struct profile *side = i == JOINED_BEFORE ? &f->before : &f->after;

        profile_builder_add(side, 0, SLICE("own app main > own app hot"), i == JOINED_BEFORE ? 2 : 5);
        side->series.items[0].event = profile_string(side, SLICE("heap-peak"));
        side->series.items[0].unit = profile_string(side, SLICE("bytes"));
        side->run_count = 3;
    }
    change_fixture_compare(f, MEASURE_COUNT, JOINED_BY_FUNCTION);
    assert_int_equal(measure_all(&f->changes.measure.sides[JOINED_BEFORE]), 666667);
    assert_int_equal(measure_all(&f->changes.measure.sides[JOINED_AFTER]), 1666667);
    assert_true(slice_is(change_subject(&f->changes), "heap-peak"));
    hot = change_fixture_find(f, "hot");
    assert_int_equal(hot->self.amounts[JOINED_BEFORE], 666667);
    assert_int_equal(measure_amount(&(struct measure_side){.weight = 3, .whole = 10}, 2), 7);
    assert_int_equal(measure_amount(&(struct measure_side){.weight = 3, .whole = 10}, 3), 10);
}

static void what_one_side_alone_has_of_the_kernel_is_left_out(void **state)
{
    struct change_fixture *f = *state;

    fill_user_only(&f->before, 1000, 1800000000);
    profile_builder_add(&f->after, 0, SLICE("own app main > own app hot"), 1000);
    profile_builder_add(&f->after, 0, SLICE("own app main > kernel [kernel] read_zero"), 800);
    place_kernel(&f->after);
    f->after.cpu_ns = 1820000000;
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_changes(f, "| [kernel] +20/+20 ");
    change_fixture_compare(f, MEASURE_SHARE, JOINED_BY_FUNCTION);
    assert_changes(f, "");
    f->before.series.items[0].is_user_only = false;
    f->before.cpu_ns = 1010000000;
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_string_equal(measure_words(&f->changes.measure), "by CPU seconds");
    assert_non_null(change_fixture_find(f, "read_zero"));
}

static void what_the_kernel_took_may_not_be_known(void **state)
{
    struct change_fixture *f = *state;

    fill_user_only(&f->before, 1000, 1010000000);
    fill_user_only(&f->after, 1010, 0);
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_changes(f, "| hot +10/+10 main +0/+10 ");
    assert_string_equal(measure_words(&f->changes.measure), "by CPU seconds outside of the kernel");
    assert_true(slice_is(change_subject(&f->changes), "CPU time outside of the kernel"));
}

/* As of many short threads. */
static void time_of_user_code_without_samples_is_apart_with_the_kernels(void **state)
{
    struct change_fixture *f = *state;

    fill_user_only(&f->before, 1000, 2000000000);
    fill_user_only(&f->after, 740, 2000000000);
    f->after.user_ns = f->before.user_ns = 1010000000;
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_changes(f, "[not sampled] +260/+260! hot -260/-260! main +0/-260 ");
    assert_string_equal(measure_words(&f->changes.measure), "by CPU seconds, those without samples apart");
    f->after.user_ns = f->before.user_ns = 0;
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_int_equal(f->changes.measure.sides[JOINED_AFTER].whole, 740000000);
    f->before.series.items[0].unit = profile_string(&f->before, SLICE("cycles"));
    f->before.user_ns = 990000000;
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_int_equal(f->changes.measure.sides[JOINED_BEFORE].whole, 990000000);
}

/* As of a program that starts many short ones, and computes more by itself after a change. */
static void time_without_samples_is_given_to_no_function(void **state)
{
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("own app main > own app spawn"), 100);
    profile_builder_add(&f->after, 0, SLICE("own app main > own app spawn"), 100);
    profile_builder_add(&f->after, 0, SLICE("own app main > own app compute"), 300);
    f->before.cpu_ns = 1000000000;
    f->after.cpu_ns = 1310000000;
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_changes(f, "compute +300/+300! main +0/+300 | [not sampled] +10/+10 ");
    assert_string_equal(measure_words(&f->changes.measure), "by CPU seconds, those without samples apart");
    assert_int_equal(measure_all(&f->changes.measure.sides[JOINED_BEFORE]), 1000000000);
    assert_true(slice_is(change_subject(&f->changes), "CPU time"));
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_CRATE);
    assert_changes(f, "app +300/+300! | [not sampled] +10/+10 ");
    /* Of a tenth nothing is told. */
    f->before.cpu_ns = 110000000;
    f->after.cpu_ns = 440000000;
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_string_equal(measure_words(&f->changes.measure), "by CPU seconds");
    assert_null(change_fixture_find(f, "[not sampled]"));
    /* Nor where the other side does not tell what its samples stand for. */
    f->before.cpu_ns = 1000000000;
    f->after.series.items[0].unit = profile_string(&f->after, SLICE("cycles"));
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_string_equal(measure_words(&f->changes.measure), "by CPU seconds");
    assert_null(change_fixture_find(f, "[not sampled]"));
}

static void lost_samples_are_of_the_users_time_too(void **state)
{
    struct change_fixture *f = *state;

    fill_user_only(&f->before, 1000, 2000000000);
    fill_user_only(&f->after, 800, 2000000000);
    f->after.series.items[0].lost_count = 200;
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_changes(f, "");
}

static void of_several_runs_one_is_compared(void **state)
{
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("own app main > own app hot"), 500);
    profile_builder_add(&f->after, 0, SLICE("own app main > own app hot"), 1500);
    f->before.cpu_ns = 500000000;
    f->after.cpu_ns = 1530000000;
    f->before.run_count = 1;
    f->after.run_count = 3;
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_changes(f, "| hot +10/+10 main +0/+10 ");
    assert_string_equal(measure_words(&f->changes.measure), "by CPU seconds of a run");
    assert_int_equal(f->changes.measure.sides[JOINED_AFTER].samples, 1500);
    change_fixture_compare(f, MEASURE_COUNT, JOINED_BY_FUNCTION);
    assert_changes(f, "");
    assert_string_equal(measure_words(&f->changes.measure), "by what was counted in a run");
    f->before.run_count = 3;
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_string_equal(measure_words(&f->changes.measure), "by CPU seconds of a run");
    assert_int_equal(f->changes.measure.sides[JOINED_AFTER].whole, 510000000);
    f->before.run_count = 0; /* of folded stacks nobody knows */
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_int_equal(f->changes.measure.sides[JOINED_AFTER].whole, 1530000000);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, change_fixture_set_up, change_fixture_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_the_kernel_took_unsampled_is_given_to_no_function),
        TEST(the_kernels_time_is_known_no_better_than_that_of_samples),
        TEST(time_in_the_kernel_alone_is_not_held_against_all_of_it),
        TEST(samples_of_two_frequencies_count_nothing),
        TEST(what_cannot_be_compared_says_why),
        TEST(lost_samples_are_no_change_of_what_was_counted),
        TEST(what_the_kernel_counted_without_a_sample_is_of_the_whole),
        TEST(what_a_run_has_is_rounded_to_the_nearest),
        TEST(what_one_side_alone_has_of_the_kernel_is_left_out),
        TEST(what_the_kernel_took_may_not_be_known),
        TEST(time_of_user_code_without_samples_is_apart_with_the_kernels),
        TEST(time_without_samples_is_given_to_no_function),
        TEST(lost_samples_are_of_the_users_time_too),
        TEST(of_several_runs_one_is_compared),
    };

    return cmocka_run_group_tests_name("measure", tests, NULL, NULL);
}

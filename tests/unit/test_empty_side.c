/* What of two sides is no comparison, as nothing was sampled of one. */
#include "change_fixture.h"

#include <string.h>

#include "changes/empty_side.h"
#include "profile_builder.h"

static const struct change_words words = {"old", "new"};

static int check(struct change_fixture *f, enum measure_kind kind)
{
    const struct joined_part parts[JOINED_SIDES] = {{&f->before, 0}, {&f->after, 0}};
    struct measure measure;

    profile_builder_finish(&f->before);
    profile_builder_finish(&f->after);
    assert_int_equal(measure_make(parts, kind, &measure, &f->err), 0);
    f->err = (struct error){0};
    return empty_side_check(parts, &measure, &words, &f->err);
}

static void set_event(struct profile *profile, struct slice event, struct slice unit)
{
    profile->series.items[0].event = profile_string(profile, event);
    profile->series.items[0].unit = profile_string(profile, unit);
    profile->series.items[0].frequency_hz = 0;
}

static void two_sides_with_samples_are_compared(void **state)
{
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("main"), 1);
    profile_builder_add(&f->after, 0, SLICE("main"), 1);
    assert_int_equal(check(f, MEASURE_SHARE), 0);
}

static void one_without_is_named_with_the_event(void **state)
{
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("main"), 1);
    assert_int_equal(check(f, MEASURE_COUNT), -1);
    assert_string_equal(f->err.message, "new has no samples of cpu-clock, so nothing can be compared");
    assert_int_equal(f->err.kind, ERROR_MISSING);
    assert_string_equal(f->err.hint, "what runs for so short is to be given more to do");
}

/* Nothing was sampled of so long a run. */
static void set_run(struct profile *profile, uint64_t cpu_ns)
{
    profile->cpu_ns = cpu_ns;
    profile->wall_ns = cpu_ns;
    profile->run_count = 1;
    profile->series.items[0].frequency_hz = 1000;
}

static void what_would_give_it_enough_is_told(void **state)
{
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("main"), 1);
    set_run(&f->before, 1000000);
    set_run(&f->after, 1000000);
    assert_int_equal(check(f, MEASURE_SHARE), -1);
    assert_string_equal(
        f->err.hint, "what runs for so short has enough with --runs 80 -F 4000: record both so, or give them "
                     "more to do");
}

static void of_two_without_samples_the_shorter_says_how_many_runs_it_takes(void **state)
{
    struct change_fixture *f = *state;

    set_run(&f->before, 3000000);
    set_run(&f->after, 1000000);
    assert_int_equal(check(f, MEASURE_SHARE), -1);
    assert_non_null(strstr(f->err.hint, "--runs 80 -F 4000"));
    set_run(&f->before, 500000);
    assert_int_equal(check(f, MEASURE_SHARE), -1);
    assert_non_null(strstr(f->err.hint, "--runs 400 -F 4000"));
}

static void what_was_watched_for_a_time_is_not_run_again(void **state)
{
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("main"), 1);
    set_run(&f->after, 1000000);
    f->after.is_part = true;
    assert_int_equal(check(f, MEASURE_SHARE), -1);
    assert_string_equal(f->err.hint, "record it for longer, or while it works");
}

static void neither_has(void **state)
{
    struct change_fixture *f = *state;

    assert_int_equal(check(f, MEASURE_SHARE), -1);
    assert_string_equal(f->err.message, "neither side has samples of cpu-clock, so nothing can be compared");
}

static void of_what_has_a_sample_each_time_none_is_none(void **state)
{
    struct change_fixture *f = *state;

    set_event(&f->before, SLICE("off-cpu"), SLICE("us"));
    set_event(&f->after, SLICE("off-cpu"), SLICE("us"));
    profile_builder_add(&f->after, 0, SLICE("main"), 1);
    assert_int_equal(check(f, MEASURE_COUNT), 0);
    assert_int_equal(check(f, MEASURE_SHARE), -1); /* there is no whole that it could be a share of */
    f->before.series.items[0].lost_count = 1;
    assert_int_equal(check(f, MEASURE_COUNT), -1);
}

static void what_was_counted_without_a_sample_is_not_none(void **state)
{
    struct change_fixture *f = *state;

    set_event(&f->before, SLICE("page-faults"), SLICE("page-faults"));
    set_event(&f->after, SLICE("page-faults"), SLICE("page-faults"));
    profile_builder_add(&f->after, 0, SLICE("main"), 1);
    assert_int_equal(check(f, MEASURE_COUNT), 0);
    f->before.series.items[0].happened_count = 9;
    assert_int_equal(check(f, MEASURE_COUNT), -1);
}

static void what_memory_a_program_has_it_may_not_have_told(void **state)
{
    struct change_fixture *f = *state;

    set_event(&f->before, SLICE("heap-peak"), SLICE("bytes"));
    set_event(&f->after, SLICE("heap-peak"), SLICE("bytes"));
    f->before.series.items[0].heap = f->after.series.items[0].heap = HEAP_EVENT_PEAK;
    profile_builder_add(&f->after, 0, SLICE("main"), 1);
    assert_int_equal(check(f, MEASURE_COUNT), -1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, change_fixture_set_up, change_fixture_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(two_sides_with_samples_are_compared),
        TEST(one_without_is_named_with_the_event),
        TEST(what_would_give_it_enough_is_told),
        TEST(of_two_without_samples_the_shorter_says_how_many_runs_it_takes),
        TEST(what_was_watched_for_a_time_is_not_run_again),
        TEST(neither_has),
        TEST(of_what_has_a_sample_each_time_none_is_none),
        TEST(what_was_counted_without_a_sample_is_not_none),
        TEST(what_memory_a_program_has_it_may_not_have_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

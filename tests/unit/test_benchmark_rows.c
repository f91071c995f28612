#include "change_fixture.h"

#include <string.h>

#include "criterion/benchmark_rows.h"
#include "profile_builder.h"
#include "report/render.h"

/* An iteration takes `after` times as long as 6 us, give or take a tenth. */
static struct criterion_benchmark benchmark_of(double after)
{
    return (struct criterion_benchmark){
        .id = "abc",
        .times = {{.value = 6000}, {.value = 6000 * after}},
        .ratio = {.estimate = after, .low = after * 0.9, .high = after * 1.1, .is_bounded = true},
        .verdict = after > 1 ? CRITERION_SLOWER : CRITERION_FASTER,
    };
}

static void add(struct profile *profile, uint64_t alpha, uint64_t beta, uint64_t gamma)
{
    profile_builder_add(profile, 0, SLICE("own app bench > own app alpha"), alpha);
    profile_builder_add(profile, 0, SLICE("own app bench > own app beta"), beta);
    profile_builder_add(profile, 0, SLICE("own app bench > own app gamma"), gamma);
}

/* The functions that are told, a line of CSV each. */
static void assert_told(struct change_fixture *f, double ratio, const char *expected)
{
    SCOPED(rows_done) struct rows rows = {0};
    SCOPED(text_done) struct text text = {0};
    struct criterion_benchmark benchmark = benchmark_of(ratio);
    const char *lines = NULL;
    size_t told = 0;

    change_fixture_compare(f, MEASURE_SHARE, JOINED_BY_FUNCTION);
    benchmark_rows_begin(&rows);
    told = benchmark_rows_add_functions(&benchmark, &f->changes, 0, &rows);
    assert_int_equal(told, rows_count(&rows));
    render_csv(&text, &rows);
    lines = strchr(text_string(&text), '\n') + 1;
    assert_string_equal(lines, expected);
}

static void only_what_has_a_larger_share_is_slower(void **state)
{
    struct change_fixture *f = *state;

    add(&f->before, 1000, 1000, 1000);
    add(&f->after, 1500, 750, 750);
    assert_told(f, 1.8, "slower,abc,alpha,2000000,5400000,2000000,5400000,,,\r\n");
}

static void what_kept_its_share_is_not_told_however_slow_the_benchmark_became(void **state)
{
    struct change_fixture *f = *state;

    add(&f->before, 1000, 1000, 1000);
    add(&f->after, 1030, 990, 980);
    assert_told(f, 1.8, "");
    assert_told(f, 0.5, "");
}

static void a_share_that_rose_must_be_more_time_at_the_least_of_the_interval(void **state)
{
    struct change_fixture *f = *state;

    add(&f->before, 1000, 1000, 1000);
    add(&f->after, 1500, 1000, 500);
    /* Half as long again as a share: at most 0.77 of the time, at least 0.63. */
    assert_told(f, 0.7, "faster,abc,gamma,2000000,700000,2000000,700000,,,\r\n");
    assert_told(f, 0.98,
                "slower,abc,alpha,2000000,2940000,2000000,2940000,,,\r\n"
                "faster,abc,gamma,2000000,980000,2000000,980000,,,\r\n");
    assert_told(f, 1.05,
                "slower,abc,alpha,2000000,3150000,2000000,3150000,,,\r\n"
                "faster,abc,gamma,2000000,1050000,2000000,1050000,,,\r\n");
    assert_told(f, 2.5, "slower,abc,alpha,2000000,7500000,2000000,7500000,,,\r\n");
}

static void an_own_function_is_told_by_what_is_inlined_into_it(void **state)
{
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("own app bench > own app alpha + std core wrapping_mul"), 1000);
    profile_builder_add(&f->before, 0, SLICE("own app bench > own app beta + std core wrapping_mul"), 1000);
    profile_builder_add(&f->after, 0, SLICE("own app bench > own app alpha + std core wrapping_mul"), 1500);
    profile_builder_add(&f->after, 0, SLICE("own app bench > own app beta + std core wrapping_mul"), 500);
    assert_told(f, 2.2, "calls,abc,alpha,0,0,3000000,9900000,,,\r\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(only_what_has_a_larger_share_is_slower, change_fixture_set_up,
                                        change_fixture_tear_down),
        cmocka_unit_test_setup_teardown(what_kept_its_share_is_not_told_however_slow_the_benchmark_became,
                                        change_fixture_set_up, change_fixture_tear_down),
        cmocka_unit_test_setup_teardown(a_share_that_rose_must_be_more_time_at_the_least_of_the_interval,
                                        change_fixture_set_up, change_fixture_tear_down),
        cmocka_unit_test_setup_teardown(an_own_function_is_told_by_what_is_inlined_into_it,
                                        change_fixture_set_up, change_fixture_tear_down),
    };

    return cmocka_run_group_tests_name("benchmark_rows", tests, NULL, NULL);
}

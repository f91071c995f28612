/* Samples of processors that had nothing to do, as perf record -a has them. */
#include "cmocka_all.h"

#include <string.h>

#include "base/file.h"
#include "perf_data_fixture.h"

static size_t count_samples(struct perf_fixture *fixture)
{
    struct sampler_event event;
    size_t count = 0;

    while (perf_data_next(fixture->data, &event))
        count += event.kind == SAMPLER_SAMPLE;
    return count;
}

static void no_time_of_a_program_is_that_of_idle_processors(void **state)
{
    SCOPED(perf_fixture_done) struct perf_fixture fixture = {0};
    SCOPED(file_close_descriptor) int file = -1;

    (void)state;
    perf_fixture_add_sample(&fixture.records, FIRST_ID, 1, 1);
    perf_fixture_add_sample_of(&fixture.records, FIRST_ID, 2, 1, 0, PERF_RECORD_MISC_KERNEL);
    perf_fixture_add_sample_of(&fixture.records, FIRST_ID, 3, 1, 7, PERF_RECORD_MISC_KERNEL);
    assert_int_equal(perf_fixture_open(&fixture, &file), 0);
    assert_int_equal(count_samples(&fixture), 2);
    assert_int_equal(perf_data_idle_count(fixture.data), 1);
}

static void what_idle_processors_count_has_happened(void **state)
{
    SCOPED(perf_fixture_done) struct perf_fixture fixture = {.second = perf_fixture_usual};
    SCOPED(file_close_descriptor) int file = -1;

    (void)state;
    fixture.second.type = PERF_TYPE_HARDWARE;
    fixture.second.config = PERF_COUNT_HW_INSTRUCTIONS;
    perf_fixture_add_sample_of(&fixture.records, SECOND_ID, 1, 1, 0, PERF_RECORD_MISC_KERNEL);
    assert_int_equal(perf_fixture_open(&fixture, &file), 0);
    assert_int_equal(count_samples(&fixture), 1);
    assert_int_equal(perf_data_idle_count(fixture.data), 0);
}

/* Recorded in a PID namespace: all that is outside of it has the number 0, too. */
static void where_process_0_runs_programs_it_is_none_that_is_idle(void **state)
{
    SCOPED(perf_fixture_done) struct perf_fixture fixture = {0};
    SCOPED(file_close_descriptor) int file = -1;

    (void)state;
    perf_fixture_add_sample_of(&fixture.records, FIRST_ID, 1, 1, 0, PERF_RECORD_MISC_KERNEL);
    perf_fixture_add_sample_of(&fixture.records, FIRST_ID, 2, 1, 0, PERF_RECORD_MISC_USER);
    assert_int_equal(perf_fixture_open(&fixture, &file), 0);
    assert_int_equal(count_samples(&fixture), 2);
    assert_int_equal(perf_data_idle_count(fixture.data), 0);
}

static void where_all_were_idle_that_is_said(void **state)
{
    SCOPED(perf_fixture_done) struct perf_fixture fixture = {0};
    SCOPED(file_close_descriptor) int file = -1;

    (void)state;
    perf_fixture_add_sample_of(&fixture.records, FIRST_ID, 1, 1, 0, PERF_RECORD_MISC_KERNEL);
    assert_int_equal(perf_fixture_open(&fixture, &file), -1);
    assert_non_null(strstr(fixture.err.message, "idle"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_time_of_a_program_is_that_of_idle_processors),
        cmocka_unit_test(what_idle_processors_count_has_happened),
        cmocka_unit_test(where_process_0_runs_programs_it_is_none_that_is_idle),
        cmocka_unit_test(where_all_were_idle_that_is_said),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What perf can record, and nobody here reads. */
#include "cmocka_all.h"

#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "perf_data_fixture.h"

static void calls_that_a_processor_kept_are_known_not_to_be_read(void **state)
{
    static const struct {
        uint64_t sample_type;
        uint64_t branch_sample_type;
        bool is_told;
    } cases[] = {
        {PERF_SAMPLE_BRANCH_STACK, PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK, true},
        {PERF_SAMPLE_BRANCH_STACK, PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY, false},
        {0, 0, false},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        SCOPED(perf_fixture_done) struct perf_fixture fixture = {.second = perf_fixture_usual};
        SCOPED(file_close_descriptor) int file = -1;

        fixture.second.sample_type |= cases[i].sample_type;
        fixture.second.branch_sample_type = cases[i].branch_sample_type;
        perf_fixture_add_sample(&fixture.records, SECOND_ID, 1, 1);
        assert_int_equal(perf_fixture_open(&fixture, &file), 0);
        assert_int_equal(perf_data_has_branch_calls(fixture.data), cases[i].is_told);
    }
}

static void counts_in_the_samples_of_another_event_are_known_not_to_be_read(void **state)
{
    static const struct {
        uint64_t sample_type;
        uint64_t read_format;
        uint64_t frequency;
        bool is_told;
    } cases[] = {
        {PERF_SAMPLE_READ, PERF_FORMAT_ID | PERF_FORMAT_GROUP, 0, true},
        {PERF_SAMPLE_READ, PERF_FORMAT_ID | PERF_FORMAT_GROUP, 99, false}, /* whose samples they are in */
        {PERF_SAMPLE_READ, PERF_FORMAT_ID, 0, false},
        {0, PERF_FORMAT_ID, 0, false}, /* as a dummy for what is mapped */
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        SCOPED(perf_fixture_done) struct perf_fixture fixture = {.second = perf_fixture_usual};
        SCOPED(file_close_descriptor) int file = -1;

        fixture.second.sample_type |= cases[i].sample_type;
        fixture.second.read_format = cases[i].read_format;
        fixture.second.sample_freq = cases[i].frequency;
        perf_fixture_add_sample(&fixture.records, FIRST_ID, 1, 1);
        assert_int_equal(perf_fixture_open(&fixture, &file), 0);
        assert_int_equal(perf_data_has_counts_of_others(fixture.data), cases[i].is_told);
    }
}

static void a_recording_of_several_files_says_what_makes_it_one(void **state)
{
    SCOPED(perf_fixture_done) struct perf_fixture fixture = {0};
    SCOPED(file_close_descriptor) int file = -1;

    (void)state;
    perf_fixture_add_sample(&fixture.records, FIRST_ID, 1, 1);
    perf_fixture_add_number(&fixture.features[PERF_DATA_FOLDERS], 1);
    assert_int_equal(perf_fixture_open(&fixture, &file), -1);
    assert_non_null(strstr(fixture.err.message, "is of several files (perf record --threads)"));
    assert_non_null(strstr(fixture.err.hint, "perf inject -i FOLDER -o -"));
}

/* Where it stands among the others is by the time that it had when all were gone over. */
static void a_record_that_has_another_time_by_now_is_damaged(void **state)
{
    static const uint64_t then = 0x1122334455667788;
    static const uint64_t now = 1;
    SCOPED(perf_fixture_done) struct perf_fixture fixture = {.second = perf_fixture_usual};
    SCOPED(file_close_descriptor) int file = -1;
    SCOPED(text_done) struct text bytes = {0};
    const char *found = NULL;
    struct sampler_event event;

    (void)state;
    perf_fixture_add_sample(&fixture.records, FIRST_ID, 2, 1);
    perf_fixture_add_sample(&fixture.records, FIRST_ID, then, 1);
    perf_fixture_write(&fixture, &bytes);
    found = memmem(bytes.data, bytes.length, &then, sizeof(then));
    assert_non_null(found);
    assert_int_equal(perf_fixture_open_bytes(&fixture, text_slice(&bytes), &file), 0);
    assert_int_equal(pwrite(file, &now, sizeof(now), found - bytes.data), sizeof(now));
    assert_true(perf_data_next(fixture.data, &event));
    assert_int_equal(event.time_ns, 2);
    assert_false(perf_data_next(fixture.data, &event));
    assert_int_equal(perf_data_damaged_count(fixture.data), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_that_a_processor_kept_are_known_not_to_be_read),
        cmocka_unit_test(counts_in_the_samples_of_another_event_are_known_not_to_be_read),
        cmocka_unit_test(a_recording_of_several_files_says_what_makes_it_one),
        cmocka_unit_test(a_record_that_has_another_time_by_now_is_damaged),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

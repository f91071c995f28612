/* When perf recorded, by its file. */
#include "cmocka_all.h"

#include <sys/stat.h>

#include "base/clock.h"
#include "base/file.h"
#include "import/recorded_times.h"
#include "perf_data_fixture.h"

static const uint64_t second_ns = 1000000000;

static uint64_t now_unix_ns(void)
{
    return clock_unix_ns(CLOCK_MONOTONIC, clock_now_ns());
}

static struct timespec time_of(uint64_t unix_ns)
{
    return (struct timespec){(time_t)(unix_ns / second_ns), (long)(unix_ns % second_ns)};
}

/* Of a file with one sample, of this time, which was written so long before now. */
static struct past_times times_of(struct perf_fixture *fixture, uint64_t sample_ns, uint64_t written_ago_ns)
{
    SCOPED(file_close_descriptor) int file = -1;
    struct timespec times[2] = {time_of(now_unix_ns() - written_ago_ns)};

    times[1] = times[0];
    perf_fixture_add_sample(&fixture->records, FIRST_ID, sample_ns, 1);
    assert_int_equal(perf_fixture_open(fixture, &file), 0);
    assert_int_equal(futimens(file, times), 0);
    return recorded_times(file, fixture->data);
}

static void assert_near(uint64_t shift_ns, int64_t expected_ns, uint64_t within_ns)
{
    assert_in_range((uint64_t)((int64_t)shift_ns - expected_ns) + within_ns, 0, 2 * within_ns);
}

static void what_was_just_written_was_recorded_by_the_clock_of_now(void **state)
{
    SCOPED(perf_fixture_done) struct perf_fixture fixture = {0};
    uint64_t last_ns = clock_now_ns() - 10 * second_ns;
    struct past_times times = times_of(&fixture, last_ns, 9 * second_ns);

    (void)state;
    assert_near(times.latest_shift_ns, (int64_t)second_ns, second_ns);
    assert_true(times.has_earliest);
    assert_true(times.is_of_this_start);
    assert_true((int64_t)times.earliest_shift_ns < 0);
    assert_int_equal(times.first_ns, last_ns);
    assert_int_equal(times.last_ns, last_ns);
}

/* Else a program that was built anew between would be taken for the one that ran. */
static void of_a_copy_the_clock_tells_that_it_was_earlier(void **state)
{
    SCOPED(perf_fixture_done) struct perf_fixture fixture = {0};
    uint64_t ago_ns = clock_now_ns() / 2; /* as much of it as a machine has that was just started */
    uint64_t last_ns = clock_now_ns() - ago_ns;
    struct past_times times = times_of(&fixture, last_ns, 0);

    (void)state;
    if (ago_ns < 200 * second_ns)
        skip();
    assert_near(times.latest_shift_ns, 0, 10 * second_ns + last_ns / 1000);
    assert_false(times.has_earliest);
}

/* By its clock it was later than it is now: the machine was started since, or it was another one. */
static void of_an_earlier_start_the_file_tells_the_time(void **state)
{
    SCOPED(perf_fixture_done) struct perf_fixture fixture = {0};
    struct past_times times = times_of(&fixture, clock_now_ns() + 5000 * second_ns, 1000 * second_ns);

    (void)state;
    assert_near(times.latest_shift_ns, -6000 * (int64_t)second_ns, second_ns);
    assert_false(times.has_earliest);
}

/* HEADER_CLOCK_DATA, of perf record -k: the sample was taken an hour ago, whatever the file's time. */
static void where_both_clocks_are_told_the_time_is_known(void **state)
{
    SCOPED(perf_fixture_done) struct perf_fixture fixture = {0};
    struct text *clock = &fixture.features[PERF_DATA_CLOCK];
    struct past_times times;

    (void)state;
    perf_fixture_add_number(clock, 1);
    perf_fixture_add_number(clock, now_unix_ns() - 3600 * second_ns);
    perf_fixture_add_number(clock, 77);
    times = times_of(&fixture, 77, 0);
    assert_near(77 + times.latest_shift_ns, (int64_t)(clock_now_ns() - 3600 * second_ns), second_ns);
    assert_true(times.has_earliest);
    assert_int_equal(times.earliest_shift_ns, times.latest_shift_ns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_just_written_was_recorded_by_the_clock_of_now),
        cmocka_unit_test(of_a_copy_the_clock_tells_that_it_was_earlier),
        cmocka_unit_test(of_an_earlier_start_the_file_tells_the_time),
        cmocka_unit_test(where_both_clocks_are_told_the_time_is_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

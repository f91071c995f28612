#include "cmocka_all.h"

#include <unistd.h>

#include "target/run_delay.h"

static void the_second_figure_of_schedstat_is_the_waiting(void **state)
{
    (void)state;
    assert_int_equal(run_delay_read_schedstat(SLICE("133669793 383759097 52\n")), 383759097);
    assert_int_equal(run_delay_read_schedstat(SLICE("133669793")), 0);
    assert_int_equal(run_delay_read_schedstat(SLICE("133669793 383759097")), 0);
    assert_int_equal(run_delay_read_schedstat(SLICE("")), 0);
    assert_int_equal(run_delay_read_schedstat(SLICE("a 383759097 52\n")), 0);
}

static void the_total_of_some_is_the_machines_waiting_in_microseconds(void **state)
{
    (void)state;
    assert_int_equal(
        run_delay_read_pressure(SLICE("some avg10=97.67 avg60=98.95 avg300=98.98 total=15399069\n"
                                      "full avg10=0.00 avg60=0.00 avg300=0.00 total=7\n")),
        15399069000);
    assert_int_equal(run_delay_read_pressure(SLICE("full avg10=0.00 total=7\n")), 0);
    assert_int_equal(run_delay_read_pressure(SLICE("some avg10=0.00 total=\n")), 0);
    assert_int_equal(run_delay_read_pressure(SLICE("some avg10=0.00 total=7x\n")), 0);
    assert_int_equal(run_delay_read_pressure(SLICE("some avg10=0.00\n")), 0);
    assert_int_equal(run_delay_read_pressure(SLICE("some total=18446744073709551615\n")), 0);
}

static void what_is_not_told_is_0(void **state)
{
    (void)state;
    /* No process can have this number. */
    assert_int_equal(run_delay_of_process_ns(INT32_MAX), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_second_figure_of_schedstat_is_the_waiting),
        cmocka_unit_test(the_total_of_some_is_the_machines_waiting_in_microseconds),
        cmocka_unit_test(what_is_not_told_is_0),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "cmocka_all.h"

#include <stdio.h>

#include "base/units.h"

static void assert_bytes(uint64_t bytes, const char *expected)
{
    SCOPED(text_done) struct text text = {0};

    units_add_bytes(&text, bytes);
    assert_string_equal(text_string(&text), expected);
}

static void assert_percent(uint64_t part, uint64_t whole, const char *expected)
{
    SCOPED(text_done) struct text text = {0};

    units_add_percent(&text, part, whole);
    assert_string_equal(text_string(&text), expected);
}

static void assert_count(uint64_t count, const char *expected)
{
    SCOPED(text_done) struct text text = {0};

    units_add_count(&text, count);
    assert_string_equal(text_string(&text), expected);
}

static void times_have_the_unit_that_reads_best(void **state)
{
    SCOPED(text_done) struct text text = {0};
    static const uint64_t times_ns[] = {0, 499, 1000, 999499, 999500, 999949999, 999950000, 12345678901};

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(times_ns); i++) {
        units_add_time(&text, times_ns[i]);
        text_add_byte(&text, '|');
    }
    assert_string_equal(text_string(&text), "0 s|0 us|1 us|999 us|1.0 ms|999.9 ms|1.00 s|12.35 s|");
}

static void measured_times_have_a_digit_more(void **state)
{
    SCOPED(text_done) struct text text = {0};
    static const double times[] = {0,          0.00000000123, 0.00000099949, 0.0000009995, 0.000009994,
                                   0.00001234, 0.0009994,     0.0009995,     0.0999494,    0.12034,
                                   0.9994,     0.9995,        12.3456,       -0.5};

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(times); i++) {
        units_add_measured_time(&text, times[i]);
        text_add_byte(&text, '|');
    }
    assert_string_equal(text_string(&text), "0 s|1.23 ns|999.49 ns|1.00 us|9.99 us|12.3 us|999.4 us|1.00 ms|"
                                            "99.95 ms|120.3 ms|999.4 ms|1.000 s|12.346 s|-500.0 ms|");
}

static void seconds_have_as_many_decimals_as_asked_for(void **state)
{
    SCOPED(text_done) struct text text = {0};

    (void)state;
    units_add_seconds(&text, 49999999, 2);
    units_add_seconds(&text, 12345678901, 3);
    units_add_seconds(&text, 0, 2);
    assert_string_equal(text_string(&text), "0.05 s12.346 s0.00 s");
}

static void changes_of_times_and_parts_have_a_sign(void **state)
{
    SCOPED(text_done) struct text text = {0};

    (void)state;
    units_add_time_change(&text, 1500000000);
    units_add_time_change(&text, -2500000);
    units_add_time_change(&text, 0);
    units_add_part(&text, 123456789);
    units_add_part_change(&text, 10000000);
    units_add_part_change(&text, INT64_MIN);
    units_add_part_change(&text, 0);
    assert_string_equal(text_string(&text), "+1.50 s-2.5 ms0 s12.35%+1.00 pp-922337203685.48 pp0 pp");
}

static void assert_share(uint64_t part, uint64_t whole, unsigned decimals, const char *expected)
{
    SCOPED(text_done) struct text text = {0};

    units_add_share(&text, part, whole, decimals);
    assert_string_equal(text_string(&text), expected);
}

static void shares_have_as_many_decimals_as_are_asked_for(void **state)
{
    (void)state;
    assert_share(0, 0, 2, "0.00%");
    assert_share(0, 7, 1, "0.0%");
    assert_share(1, 3, 2, "33.33%");
    assert_share(2, 3, 4, "66.6667%");
    assert_share(7, 7, 1, "100.0%");
    assert_share(1, 100000, 2, "0.00%");
    assert_share(UINT64_MAX, UINT64_MAX, 4, "100.0000%");
    assert_share(UINT64_MAX - 1, UINT64_MAX, 2, "100.00%");
    /* Halves go to the even. */
    assert_share(1, 800, 2, "0.12%");
    assert_share(3, 800, 2, "0.38%");
}

static void shares_are_as_printf_rounds_them(void **state)
{
    (void)state;
    for (uint64_t part = 0; part < 1009; part++) {
        char expected[32];

        snprintf(expected, sizeof(expected), "%.2f%%", 100.0 * (double)part / 1009);
        assert_share(part, 1009, 2, expected);
    }
}

static void bytes_have_a_unit_and_one_decimal_from_a_kibibyte_on(void **state)
{
    (void)state;
    assert_bytes(0, "0B");
    assert_bytes(512, "512B");
    assert_bytes(1023, "1023B");
    assert_bytes(1024, "1.0KiB");
    assert_bytes(86938, "84.9KiB");
    assert_bytes(1048576, "1.0MiB");
    assert_bytes(1258291, "1.2MiB");
    assert_bytes(3221225472, "3.0GiB");
    assert_bytes((uint64_t)1 << 40, "1.0TiB");
    assert_bytes((uint64_t)1 << 50, "1.0PiB");
    assert_bytes(UINT64_MAX, "16.0EiB");
}

static void a_percentage_has_one_decimal_and_of_nothing_is_zero(void **state)
{
    (void)state;
    assert_percent(136, 1000, "13.6%");
    assert_percent(1, 3, "33.3%");
    assert_percent(2, 3, "66.7%");
    assert_percent(7, 7, "100.0%");
    assert_percent(3, 2, "150.0%");
    assert_percent(0, 5, "0.0%");
    assert_percent(5, 0, "0.0%");
    assert_percent(UINT64_MAX, UINT64_MAX, "100.0%");
}

static void counts_have_a_comma_before_each_three_digits(void **state)
{
    (void)state;
    assert_count(0, "0");
    assert_count(999, "999");
    assert_count(1000, "1,000");
    assert_count(12345, "12,345");
    assert_count(1234567, "1,234,567");
    assert_count(UINT64_MAX, "18,446,744,073,709,551,615");
}

static void a_change_has_its_sign_and_none_has_no_sign(void **state)
{
    (void)state;
    SCOPED(text_done) struct text text = {0};

    units_add_bytes_change(&text, 1536);
    text_add_byte(&text, ' ');
    units_add_bytes_change(&text, -3);
    text_add_byte(&text, ' ');
    units_add_bytes_change(&text, 0);
    text_add_byte(&text, ' ');
    units_add_count_change(&text, 1234);
    text_add_byte(&text, ' ');
    units_add_count_change(&text, INT64_MIN);
    assert_string_equal(text_string(&text), "+1.5KiB -3B 0B +1,234 -9,223,372,036,854,775,808");
}

static void growth_is_of_what_was_before(void **state)
{
    (void)state;
    SCOPED(text_done) struct text text = {0};

    units_add_growth(&text, 200, 300);
    text_add_byte(&text, ' ');
    units_add_growth(&text, 300, 200);
    text_add_byte(&text, ' ');
    units_add_growth(&text, 100000, 100001);
    text_add_byte(&text, ' ');
    units_add_growth(&text, 7, 7);
    assert_string_equal(text_string(&text), "+50.0% -33.3% +0.0% 0.0%");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_have_the_unit_that_reads_best),
        cmocka_unit_test(measured_times_have_a_digit_more),
        cmocka_unit_test(seconds_have_as_many_decimals_as_asked_for),
        cmocka_unit_test(changes_of_times_and_parts_have_a_sign),
        cmocka_unit_test(shares_have_as_many_decimals_as_are_asked_for),
        cmocka_unit_test(shares_are_as_printf_rounds_them),
        cmocka_unit_test(bytes_have_a_unit_and_one_decimal_from_a_kibibyte_on),
        cmocka_unit_test(a_percentage_has_one_decimal_and_of_nothing_is_zero),
        cmocka_unit_test(counts_have_a_comma_before_each_three_digits),
        cmocka_unit_test(a_change_has_its_sign_and_none_has_no_sign),
        cmocka_unit_test(growth_is_of_what_was_before),
    };

    return cmocka_run_group_tests_name("units", tests, NULL, NULL);
}

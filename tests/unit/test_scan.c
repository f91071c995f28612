#include "cmocka_all.h"

#include "base/scan.h"

#define assert_rest(scan, literal) assert_true(slice_is((scan).rest, literal))

static void a_byte_and_a_text_are_taken_only_when_they_stand_there(void **state)
{
    (void)state;
    struct scan scan = scan_of(SLICE("ab: c"));

    assert_int_equal(scan_peek(&scan), 'a');
    assert_false(scan_byte(&scan, 'b'));
    assert_false(scan_text(&scan, "abc"));
    assert_rest(scan, "ab: c");
    assert_true(scan_byte(&scan, 'a'));
    assert_true(scan_text(&scan, "b: "));
    assert_true(scan_text(&scan, ""));
    assert_rest(scan, "c");
    assert_false(scan_text(&scan, "cd"));
    assert_rest(scan, "c");
}

static void at_the_end_nothing_can_be_taken(void **state)
{
    (void)state;
    struct scan scan = scan_of((struct slice){0});
    struct slice taken = SLICE("untouched");
    uint64_t value = 42;

    assert_true(scan_at_end(&scan));
    assert_int_equal(scan_peek(&scan), '\0');
    assert_false(scan_byte(&scan, '\0'));
    assert_false(scan_hex(&scan, &value));
    assert_false(scan_decimal(&scan, &value));
    assert_false(scan_word(&scan, &taken));
    assert_false(scan_until(&scan, '\n', &taken));
    assert_false(scan_line(&scan, &taken));
    assert_false(scan_bytes(&scan, 1, &taken));
    assert_true(scan_skip_any(&scan, " "));
    assert_int_equal(value, 42);
    assert_true(slice_is(taken, "untouched"));
}

static void numbers_are_taken_up_to_the_first_other_byte(void **state)
{
    (void)state;
    struct scan scan = scan_of(SLICE("0aFfAg123x"));
    uint64_t value = 0;

    assert_true(scan_hex(&scan, &value));
    assert_int_equal(value, 0xaffa);
    assert_false(scan_hex(&scan, &value));
    assert_false(scan_decimal(&scan, &value));
    assert_rest(scan, "g123x");
    assert_true(scan_byte(&scan, 'g'));
    assert_true(scan_decimal(&scan, &value));
    assert_int_equal(value, 123);
    assert_rest(scan, "x");
}

static void the_neighbours_of_digits_are_no_digits(void **state)
{
    (void)state;
    const char *const others[] = {"/", ":", "@", "G", "`", "g", "-1", "+1", " 1"};
    uint64_t value = 42;

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        struct scan scan = scan_of(slice_of(others[i]));

        assert_false(scan_hex(&scan, &value));
        assert_false(scan_decimal(&scan, &value));
        assert_rest(scan, others[i]);
    }
    assert_int_equal(value, 42);
}

static void a_number_that_does_not_fit_64_bits_is_refused(void **state)
{
    (void)state;
    struct scan largest = scan_of(SLICE("18446744073709551615"));
    struct scan sum = scan_of(SLICE("18446744073709551616"));
    struct scan product = scan_of(SLICE("184467440737095516150"));
    struct scan hex = scan_of(SLICE("ffffffffffffffff"));
    struct scan zeros = scan_of(SLICE("000000000000000000000000001"));
    struct scan too_long = scan_of(SLICE("10000000000000000"));
    uint64_t value = 42;

    assert_false(scan_decimal(&sum, &value));
    assert_false(scan_decimal(&product, &value));
    assert_false(scan_hex(&too_long, &value));
    assert_int_equal(value, 42);
    assert_rest(sum, "18446744073709551616");
    assert_true(scan_decimal(&largest, &value));
    assert_true(value == UINT64_MAX);
    assert_true(scan_hex(&hex, &value));
    assert_true(value == UINT64_MAX);
    assert_true(scan_hex(&zeros, &value));
    assert_int_equal(value, 1);
}

/* The rest is what `text` has behind `taken`. */
static void assert_fraction(const char *text, size_t taken, double real, uint64_t billionths)
{
    struct scan scan = scan_of(slice_of(text));
    struct scan again = scan;
    double value = 42;
    uint64_t number = 42;

    assert_true(scan_real(&scan, &value));
    assert_true(value == real);
    assert_rest(scan, text + taken);
    assert_true(scan_billionths(&again, &number));
    assert_true(number == billionths);
    assert_rest(again, text + taken);
}

static void a_fraction_is_digits_with_a_point_among_them(void **state)
{
    (void)state;
    assert_fraction("12", 2, 12, UINT64_C(12000000000));
    assert_fraction("0.1x", 3, 0.1, 100000000);
    assert_fraction("1.5%", 3, 1.5, 1500000000);
    assert_fraction(".25 ", 3, 0.25, 250000000);
    assert_fraction("1.2.3", 3, 1.2, 1200000000);
    assert_fraction("1..2", 1, 1, 1000000000);
    assert_fraction("1.", 1, 1, 1000000000);
    assert_fraction("1e3", 1, 1, 1000000000);
    assert_fraction("0.146484375", 11, 150.0 / 1024, 146484375);
    assert_fraction("0.0000000019", 12, 0.0000000019, 1);
    assert_fraction("0.5000000000000000000000000000000000", 36, 0.5, 500000000);
}

static void what_is_no_fraction_is_left(void **state)
{
    (void)state;
    const char *const others[] = {"", ".", "..1", ".x", "-1", "+1", " 1", "inf", "18446744073709551616"};
    const char *const beyond[] = {"18446744074", "18446744073.709551616"};
    double value = 42;
    uint64_t number = 42;

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        struct scan scan = scan_of(slice_of(others[i]));

        assert_false(scan_real(&scan, &value));
        assert_false(scan_billionths(&scan, &number));
        assert_rest(scan, others[i]);
    }
    for (size_t i = 0; i < sizeof(beyond) / sizeof(beyond[0]); i++) {
        struct scan scan = scan_of(slice_of(beyond[i]));

        assert_false(scan_billionths(&scan, &number));
        assert_rest(scan, beyond[i]);
    }
    assert_true(value == 42 && number == 42);
    assert_fraction("18446744073.709551615", 21, 18446744073.709551615, UINT64_MAX);
}

static void a_word_ends_at_white_space_which_stays(void **state)
{
    (void)state;
    const char *const texts[] = {"r-xp 0", "r-xp\t0", "r-xp\r\n", "r-xp\n", "r-xp"};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct scan scan = scan_of(slice_of(texts[i]));
        struct slice word = {0};

        assert_true(scan_word(&scan, &word));
        assert_true(slice_is(word, "r-xp"));
        assert_rest(scan, texts[i] + 4);
        assert_false(scan_word(&scan, &word));
    }
}

static void what_ends_at_a_byte_needs_that_byte(void **state)
{
    (void)state;
    struct scan scan = scan_of(SLICE("key=value"));
    struct slice taken = {0};

    assert_true(scan_until(&scan, '=', &taken));
    assert_true(slice_is(taken, "key"));
    assert_false(scan_until(&scan, '=', &taken));
    assert_rest(scan, "value");
    scan = scan_of(SLICE("=value"));
    assert_true(scan_until(&scan, '=', &taken));
    assert_int_equal(taken.length, 0);
    assert_rest(scan, "value");
}

static void lines_come_without_their_ends_and_the_last_needs_none(void **state)
{
    (void)state;
    struct scan scan = scan_of(SLICE("unix\n\ndos\r\n\r\nlast"));
    const char *const expected[] = {"unix", "", "dos", "", "last"};
    struct slice line = {0};

    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        assert_true(scan_line(&scan, &line));
        assert_true(slice_is(line, expected[i]));
    }
    assert_false(scan_line(&scan, &line));
}

static void a_line_end_at_the_end_is_no_further_line(void **state)
{
    (void)state;
    struct scan scan = scan_of(SLICE("one\n"));
    struct slice line = {0};

    assert_true(scan_line(&scan, &line));
    assert_false(scan_line(&scan, &line));
    assert_true(slice_is(line, "one"));
}

static void bytes_are_taken_whole_or_not_at_all(void **state)
{
    (void)state;
    struct scan scan = scan_of(SLICE("abc"));
    struct slice taken = {0};

    assert_false(scan_bytes(&scan, 4, &taken));
    assert_false(scan_bytes(&scan, SIZE_MAX, &taken));
    assert_true(scan_bytes(&scan, 0, &taken));
    assert_rest(scan, "abc");
    assert_true(scan_bytes(&scan, 3, &taken));
    assert_true(slice_is(taken, "abc"));
    assert_true(scan_at_end(&scan));
}

static void skipping_takes_the_bytes_of_the_set_and_never_a_nul(void **state)
{
    (void)state;
    struct scan scan = scan_of(SLICE(" \t \0x"));

    assert_true(scan_skip_any(&scan, " \t"));
    assert_int_equal(scan.rest.length, 2);
    assert_true(scan_skip_any(&scan, "x"));
    assert_int_equal(scan.rest.length, 2);
    assert_int_equal(scan_peek(&scan), '\0');
    assert_false(scan_at_end(&scan));
}

static void a_byte_is_two_hexadecimal_digits(void **state)
{
    struct scan scan = scan_of(SLICE("7fa0Ag1f"));
    char byte = 0;

    (void)state;
    assert_true(scan_hex_byte(&scan, &byte) && byte == 0x7f);
    assert_true(scan_hex_byte(&scan, &byte) && byte == '\xa0');
    assert_false(scan_hex_byte(&scan, &byte));
    assert_true(scan_text(&scan, "A"));
    assert_false(scan_hex_byte(&scan, &byte));
    assert_true(scan_text(&scan, "g1"));
    assert_false(scan_hex_byte(&scan, &byte)); /* a digit alone */
    assert_int_equal(byte, '\xa0');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_byte_is_two_hexadecimal_digits),
        cmocka_unit_test(a_byte_and_a_text_are_taken_only_when_they_stand_there),
        cmocka_unit_test(at_the_end_nothing_can_be_taken),
        cmocka_unit_test(numbers_are_taken_up_to_the_first_other_byte),
        cmocka_unit_test(the_neighbours_of_digits_are_no_digits),
        cmocka_unit_test(a_number_that_does_not_fit_64_bits_is_refused),
        cmocka_unit_test(a_fraction_is_digits_with_a_point_among_them),
        cmocka_unit_test(what_is_no_fraction_is_left),
        cmocka_unit_test(a_word_ends_at_white_space_which_stays),
        cmocka_unit_test(what_ends_at_a_byte_needs_that_byte),
        cmocka_unit_test(lines_come_without_their_ends_and_the_last_needs_none),
        cmocka_unit_test(a_line_end_at_the_end_is_no_further_line),
        cmocka_unit_test(bytes_are_taken_whole_or_not_at_all),
        cmocka_unit_test(skipping_takes_the_bytes_of_the_set_and_never_a_nul),
    };

    return cmocka_run_group_tests_name("scan", tests, NULL, NULL);
}

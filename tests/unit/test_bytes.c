#include "cmocka_all.h"

#include "base/bytes.h"

static void numbers_follow_the_byte_order(void **state)
{
    const struct slice data = SLICE("\x01\x02\x03\x04\x05\x06\x07\xf8");
    struct bytes little = bytes_of(data, false);
    struct bytes big = bytes_of(data, true);

    (void)state;
    assert_int_equal(bytes_u8(&little), 0x01);
    assert_int_equal(bytes_u16(&little), 0x0302);
    assert_int_equal(bytes_u32(&little), 0x07060504);
    bytes_seek(&little, 0);
    assert_true(bytes_u64(&little) == 0xf807060504030201);
    assert_int_equal(bytes_u16(&big), 0x0102);
    assert_int_equal(bytes_u32(&big), 0x03040506);
    bytes_seek(&big, 0);
    assert_true(bytes_u64(&big) == 0x01020304050607f8);
    assert_false(little.failed || big.failed);
}

static void a_read_past_the_end_is_0_and_is_remembered(void **state)
{
    struct bytes bytes = bytes_of(SLICE("\x01\x02\x03"), false);

    (void)state;
    assert_int_equal(bytes_u16(&bytes), 0x0201);
    assert_int_equal(bytes_u16(&bytes), 0);
    assert_true(bytes.failed);
    assert_int_equal(bytes_left(&bytes), 0);
    assert_int_equal(bytes_u8(&bytes), 0);
}

static void a_seek_past_the_end_fails_and_one_to_the_end_does_not(void **state)
{
    struct bytes bytes = bytes_of(SLICE("abc"), false);

    (void)state;
    bytes_seek(&bytes, 3);
    assert_false(bytes.failed);
    bytes_seek(&bytes, UINT64_MAX);
    assert_true(bytes.failed);
}

static void a_length_that_overflows_takes_nothing(void **state)
{
    struct bytes bytes = bytes_of(SLICE("abc"), false);

    (void)state;
    bytes_u8(&bytes);
    assert_int_equal(bytes_take(&bytes, UINT64_MAX).length, 0);
    assert_true(bytes.failed);
}

static void a_string_needs_its_end(void **state)
{
    struct bytes bytes = bytes_of(SLICE("ab\0\0cd"), false);

    (void)state;
    assert_true(slice_is(bytes_string(&bytes), "ab"));
    assert_true(slice_is(bytes_string(&bytes), ""));
    assert_false(bytes.failed);
    assert_true(slice_is(bytes_string(&bytes), ""));
    assert_true(bytes.failed);
}

static void a_number_has_1_2_4_or_8_bytes(void **state)
{
    struct bytes bytes = bytes_of(SLICE("abcdefgh"), false);

    (void)state;
    assert_int_equal(bytes_unsigned(&bytes, 4), 0x64636261);
    assert_int_equal(bytes_unsigned(&bytes, 3), 0);
    assert_true(bytes.failed);
}

static void leb128_numbers_have_seven_bits_a_byte(void **state)
{
    struct bytes bytes = bytes_of(SLICE("\x02\x7f\x80\x01\xe5\x8e\x26"
                                        "\x02\x7e\xff\0\x80\x7f"),
                                  false);

    (void)state;
    assert_int_equal(bytes_uleb128(&bytes), 2);
    assert_int_equal(bytes_uleb128(&bytes), 127);
    assert_int_equal(bytes_uleb128(&bytes), 128);
    assert_int_equal(bytes_uleb128(&bytes), 624485);
    assert_int_equal(bytes_sleb128(&bytes), 2);
    assert_int_equal(bytes_sleb128(&bytes), -2);
    assert_int_equal(bytes_sleb128(&bytes), 127);
    assert_int_equal(bytes_sleb128(&bytes), -128);
    assert_false(bytes.failed);
    assert_int_equal(bytes_uleb128(&bytes), 0);
    assert_true(bytes.failed);
}

#define NINE_FULL "\xff\xff\xff\xff\xff\xff\xff\xff\xff"

static void leb128_numbers_of_more_than_64_bits_fail(void **state)
{
    struct bytes largest = bytes_of(SLICE(NINE_FULL "\x01"), false);
    struct bytes larger = bytes_of(SLICE(NINE_FULL "\x03"), false);
    struct bytes longer = bytes_of(SLICE(NINE_FULL "\xff\x01"), false);
    struct bytes lowest = bytes_of(SLICE("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f"), false);
    struct bytes cut = bytes_of(SLICE("\x80\x80"), false);

    (void)state;
    assert_true(bytes_uleb128(&largest) == UINT64_MAX && !largest.failed);
    assert_true(bytes_uleb128(&larger) == 0 && larger.failed);
    assert_true(bytes_uleb128(&longer) == 0 && longer.failed);
    assert_true(bytes_sleb128(&lowest) == INT64_MIN && !lowest.failed);
    assert_true(bytes_sleb128(&cut) == 0 && cut.failed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_follow_the_byte_order),
        cmocka_unit_test(a_read_past_the_end_is_0_and_is_remembered),
        cmocka_unit_test(a_seek_past_the_end_fails_and_one_to_the_end_does_not),
        cmocka_unit_test(a_length_that_overflows_takes_nothing),
        cmocka_unit_test(a_string_needs_its_end),
        cmocka_unit_test(a_number_has_1_2_4_or_8_bytes),
        cmocka_unit_test(leb128_numbers_have_seven_bits_a_byte),
        cmocka_unit_test(leb128_numbers_of_more_than_64_bits_fail),
    };

    return cmocka_run_group_tests_name("bytes", tests, NULL, NULL);
}

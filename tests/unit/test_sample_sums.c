#include "cmocka_all.h"

#include "profile/sample_sums.h"

static const struct sample_limits limits = {10, 1000};

static void assert_next(struct sums_cursor *cursor, struct sample_sum expected)
{
    struct sample_sum sum;

    assert_true(sums_cursor_next(cursor, &sum));
    assert_int_equal(sum.thread, expected.thread);
    assert_int_equal(sum.stack, expected.stack);
    assert_int_equal(sum.count, expected.count);
    assert_true(sum.value == expected.value);
}

static void sums_come_by_thread_and_stack_whatever_order_they_were_added_in(void **state)
{
    SCOPED(sample_sums_done) struct sample_sums sums = {0};
    struct sums_cursor cursor;
    struct sample_sum sum;

    (void)state;
    sample_sums_add(&sums, (struct sample_sum){4000000000, 70000, 1, 1});
    sample_sums_add(&sums, (struct sample_sum){1, 5, 1, 10});
    sample_sums_add(&sums, (struct sample_sum){0, 4000000000, 1, 3});
    sample_sums_add(&sums, (struct sample_sum){1, PROFILE_NONE, 2, 4});
    sample_sums_settle(&sums);
    /* Some of what is there already, some between, some before and behind. */
    sample_sums_add(&sums, (struct sample_sum){1, 5, 3, 30});
    sample_sums_add(&sums, (struct sample_sum){1, 0, 1, 7});
    sample_sums_add(&sums, (struct sample_sum){0, PROFILE_NONE, 1, 8});
    sample_sums_add(&sums, (struct sample_sum){4000000000, 70001, 1, 9});
    sample_sums_add(&sums, (struct sample_sum){4000000000, 70001, 1, 9});
    sample_sums_settle(&sums);
    sample_sums_settle(&sums);
    assert_int_equal(sums.count, 7);
    cursor = sums_cursor_of(&sums);
    assert_next(&cursor, (struct sample_sum){0, PROFILE_NONE, 1, 8});
    assert_next(&cursor, (struct sample_sum){0, 4000000000, 1, 3});
    assert_next(&cursor, (struct sample_sum){1, PROFILE_NONE, 2, 4});
    assert_next(&cursor, (struct sample_sum){1, 0, 1, 7});
    assert_next(&cursor, (struct sample_sum){1, 5, 4, 40});
    assert_next(&cursor, (struct sample_sum){4000000000, 70000, 1, 1});
    assert_next(&cursor, (struct sample_sum){4000000000, 70001, 2, 18});
    assert_false(sums_cursor_next(&cursor, &sum));
    assert_false(sums_cursor_next(&cursor, &sum));
}

static void values_stop_at_the_largest_number(void **state)
{
    SCOPED(sample_sums_done) struct sample_sums sums = {0};
    struct sums_cursor cursor;

    (void)state;
    sample_sums_add(&sums, (struct sample_sum){1, 1, 1, UINT64_MAX - 1});
    sample_sums_add(&sums, (struct sample_sum){1, 1, 1, 5});
    sample_sums_settle(&sums);
    sample_sums_add(&sums, (struct sample_sum){1, 1, 1, 5});
    sample_sums_settle(&sums);
    cursor = sums_cursor_of(&sums);
    assert_next(&cursor, (struct sample_sum){1, 1, 3, UINT64_MAX});
}

static void nothing_has_no_sums(void **state)
{
    struct sample_sums sums = {0};
    struct sums_cursor cursor;
    struct sample_sum sum;

    (void)state;
    sample_sums_settle(&sums);
    cursor = sums_cursor_of(&sums);
    assert_false(sums_cursor_next(&cursor, &sum));
    assert_int_equal(sums.packed.length, 0);
    sample_sums_done(&sums);
}

/* More than are sorted at once. */
static void millions_add_up(void **state)
{
    enum { COUNT = 2500000, THREADS = 3, STACKS = 50000 };
    SCOPED(sample_sums_done) struct sample_sums sums = {0};
    struct sums_cursor cursor;
    struct sample_sum sum;
    uint64_t count = 0;
    uint64_t value = 0;

    (void)state;
    for (uint32_t i = 0; i < COUNT; i++)
        sample_sums_add(&sums, (struct sample_sum){i % THREADS, i * 7919 % STACKS, 1, 2});
    sample_sums_settle(&sums);
    assert_int_equal(sums.count, THREADS * STACKS);
    cursor = sums_cursor_of(&sums);
    for (uint32_t i = 0; sums_cursor_next(&cursor, &sum); i++) {
        assert_int_equal(sum.thread, i / STACKS);
        assert_int_equal(sum.stack, i % STACKS);
        count += sum.count;
        value += sum.value;
    }
    assert_int_equal(count, COUNT);
    assert_int_equal(value, 2 * COUNT);
}

static bool read_sums(const char *data, size_t length, size_t count, uint64_t sample_count)
{
    SCOPED(sample_sums_done) struct sample_sums sums = {0};
    struct bytes bytes = bytes_of((struct slice){data, length}, false);
    bool is_good = sample_sums_read(&bytes, count, limits, sample_count, &sums);

    assert_int_equal(sums.count, is_good ? count : 0);
    assert_int_equal(sums.packed.length, is_good ? length : 0);
    assert_int_equal(bytes.at, is_good ? length : 0);
    return is_good;
}

#define READ(literal, count, samples) read_sums(literal, sizeof(literal) - 1, count, samples)

static void what_was_packed_is_read_back(void **state)
{
    SCOPED(sample_sums_done) struct sample_sums sums = {0};

    (void)state;
    sample_sums_add(&sums, (struct sample_sum){9, 999, 1, 1});
    sample_sums_add(&sums, (struct sample_sum){9, PROFILE_NONE, 200, 300});
    sample_sums_add(&sums, (struct sample_sum){0, 998, 7, UINT64_MAX});
    sample_sums_settle(&sums);
    assert_true(read_sums(sums.packed.data, sums.packed.length, 3, 208));
    for (size_t i = 0; i < sums.packed.length; i++)
        assert_false(read_sums(sums.packed.data, i, 3, 208));
}

static void what_no_sums_can_be_is_refused(void **state)
{
    (void)state;
    assert_true(READ("", 0, 0));
    assert_true(READ("\x00\x00\x01\x05\x00\x01\x01\x05", 2, 2));
    /* The same one twice. */
    assert_false(READ("\x00\x00\x01\x05\x00\x00\x01\x05", 2, 2));
    assert_false(READ("\x03\x04\x01\x05\x00\x00\x01\x05", 2, 2));
    /* Of a thread or a stack that is not there. */
    assert_false(READ("\x0a\x00\x01\x05", 1, 1));
    assert_false(READ("\x09\x00\x01\x05\x01\x00\x01\x05", 2, 2));
    assert_false(READ("\x00\xe9\x07\x01\x05", 1, 1));
    assert_false(READ("\x00\xe8\x07\x01\x05\x00\x01\x01\x05", 2, 2));
    assert_false(READ("\xff\xff\xff\xff\x1f\x00\x01\x05", 1, 1));
    assert_false(READ("\x00\xff\xff\xff\xff\x1f\x01\x05", 1, 1));
    /* Of none. */
    assert_false(READ("\x00\x00\x00\x05", 1, 0));
    assert_false(READ("\x00\x00\x02\x05\x00\x01\x00\x05", 2, 2));
    /* Of more or fewer samples than there are, or than can be counted. */
    assert_false(READ("\x00\x00\x01\x05", 1, 2));
    assert_false(READ("\x00\x00\x03\x05", 1, 2));
    assert_false(READ("\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x05\x00\x01\x01\x05", 2, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_come_by_thread_and_stack_whatever_order_they_were_added_in),
        cmocka_unit_test(values_stop_at_the_largest_number),
        cmocka_unit_test(nothing_has_no_sums),
        cmocka_unit_test(millions_add_up),
        cmocka_unit_test(what_was_packed_is_read_back),
        cmocka_unit_test(what_no_sums_can_be_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "cmocka_all.h"

#include <signal.h>
#include <sys/resource.h>

#include "profile/sample_store.h"

static const struct sample_limits limits = {10, 1000};

/* Samples that use every case of the columns: runs, steps back, no stack, large numbers. */
static const struct profile_sample mixed[] = {
    {.time_ns = 1ULL << 60, .value = 1, .thread = 3, .stack = 999},
    {.time_ns = 1ULL << 60, .value = 1, .thread = 3, .stack = 0},
    {.time_ns = (1ULL << 60) + 1003009, .value = UINT64_MAX, .thread = 0, .stack = PROFILE_NONE},
    {.time_ns = UINT64_MAX, .value = 0, .thread = 9, .stack = 500},
};

static void assert_sample(const struct profile_sample *is, const struct profile_sample *expected)
{
    assert_int_equal(is->time_ns, expected->time_ns);
    assert_int_equal(is->value, expected->value);
    assert_int_equal(is->thread, expected->thread);
    assert_int_equal(is->stack, expected->stack);
}

static void a_block_gives_back_what_was_put_in(void **state)
{
    SCOPED(text_done) struct text bytes = {0};
    struct profile_sample out[ARRAY_COUNT(mixed)];

    (void)state;
    sample_block_encode(&bytes, mixed, ARRAY_COUNT(mixed));
    assert_true(sample_block_decode(text_slice(&bytes), ARRAY_COUNT(mixed), limits, out));
    for (size_t i = 0; i < ARRAY_COUNT(mixed); i++)
        assert_sample(&out[i], &mixed[i]);
}

static void an_empty_block_has_no_bytes(void **state)
{
    SCOPED(text_done) struct text bytes = {0};

    (void)state;
    sample_block_encode(&bytes, mixed, 0);
    assert_int_equal(bytes.length, 0);
    assert_true(sample_block_decode((struct slice){0}, 0, limits, NULL));
}

static void a_block_cut_anywhere_or_longer_is_refused(void **state)
{
    SCOPED(text_done) struct text bytes = {0};
    struct profile_sample out[ARRAY_COUNT(mixed)];

    (void)state;
    sample_block_encode(&bytes, mixed, ARRAY_COUNT(mixed));
    for (size_t i = 0; i < bytes.length; i++)
        assert_false(sample_block_decode((struct slice){bytes.data, i}, ARRAY_COUNT(mixed), limits, out));
    text_add_byte(&bytes, 0);
    assert_false(sample_block_decode(text_slice(&bytes), ARRAY_COUNT(mixed), limits, out));
}

static void assert_refused(const char *literal, size_t length, size_t count)
{
    struct profile_sample out[4];

    assert_false(sample_block_decode((struct slice){literal, length}, count, limits, out));
}

static void what_no_sample_can_be_is_refused(void **state)
{
    struct profile_sample out[4];
    /* One sample at time 5 of thread 9, stack 0, value 1. */
    static const char good[] = {5, 9, 1, 2, 1, 1};

    (void)state;
    assert_true(sample_block_decode((struct slice){good, sizeof(good)}, 1, limits, out));
    assert_int_equal(out[0].stack, 0);
    /* A thread and a stack that are not there. */
    assert_refused("\x05\x0a\x01\x02\x01\x01", 6, 1);
    assert_refused("\x05\x09\x01\xd2\x0f\x01\x01", 7, 1);
    /* A stack below "none". */
    assert_refused("\x05\x09\x01\x03\x01\x01", 6, 1);
    /* Runs of no sample, and of more than there are. */
    assert_refused("\x05\x09\x00\x09\x01\x02\x01\x01", 8, 1);
    assert_refused("\x05\x09\x02\x02\x01\x01", 6, 1);
    assert_refused("\x05\x09\x01\x02\x01\x02", 6, 1);
    /* Times beyond 64 bits. */
    assert_refused("\x05\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x09\x02\x02\x00\x01\x02", 17, 2);
}

static struct profile_sample sample_number(uint64_t i)
{
    return (struct profile_sample){
        .time_ns = i * 1000000, .value = 1000, .thread = i % 3 == 0, .stack = (uint32_t)(i * 7919 % 5)};
}

static void a_store_gives_back_all_in_order_whether_blocks_are_closed_or_not(void **state)
{
    enum { COUNT = 2 * SAMPLE_BLOCK_MOST + 5 };
    struct sample_store store = {0};
    struct profile_sample sample;

    (void)state;
    for (uint64_t i = 0; i < COUNT; i++)
        sample_store_add(&store, sample_number(i));
    for (int closed = 0; closed < 2; closed++) {
        struct sample_cursor cursor = sample_cursor_of(&store);

        for (uint64_t i = 0; i < COUNT; i++) {
            struct profile_sample expected = sample_number(i);

            assert_true(sample_cursor_next(&cursor, &sample));
            assert_sample(&sample, &expected);
        }
        assert_false(sample_cursor_next(&cursor, &sample));
        assert_false(sample_cursor_next(&cursor, &sample));
        sample_cursor_done(&cursor);
        assert_int_equal(sample_store_end_ns(&store), (COUNT - 1) * 1000000ULL);
        assert_true(sample_store_finish(&store));
    }
    assert_int_equal(sample_store_end_ns(&store), (COUNT - 1) * 1000000ULL);
    assert_int_equal(store.blocks.count, 3);
    assert_int_equal(store.blocks.items[1].first_time_ns, SAMPLE_BLOCK_MOST * 1000000ULL);
    assert_int_equal(store.blocks.items[2].last_time_ns, (COUNT - 1) * 1000000ULL);
    assert_int_equal(store.count, COUNT);
    sample_store_done(&store);
}

static void assert_all_there(const struct sample_store *store, uint64_t count)
{
    struct sample_cursor cursor = sample_cursor_of(store);
    struct profile_sample sample;

    for (uint64_t i = 0; i < count; i++) {
        struct profile_sample expected = sample_number(i);

        assert_true(sample_cursor_next(&cursor, &sample));
        assert_sample(&sample, &expected);
    }
    assert_false(sample_cursor_next(&cursor, &sample));
    assert_false(cursor.is_damaged);
    sample_cursor_done(&cursor);
}

static void full_blocks_go_to_a_file_and_come_back_from_there(void **state)
{
    enum { COUNT = 3 * SAMPLE_BLOCK_MOST + 5 };
    struct error err = {0};
    struct sample_store store = {0};

    (void)state;
    assert_int_equal(block_file_open((const char *const[]){"/tmp", NULL}, &store.file, &err), 0);
    for (uint64_t i = 0; i < COUNT; i++)
        sample_store_add(&store, sample_number(i));
    assert_all_there(&store, COUNT);
    assert_true(sample_store_finish(&store));
    assert_all_there(&store, COUNT);
    for (size_t i = 0; i < 3; i++)
        assert_null(store.blocks.items[i].owned);
    assert_non_null(store.blocks.items[3].owned);
    assert_int_equal(store.sums.count, 10);
    block_file_close(store.file);
    sample_store_done(&store);
}

/* A limit on the size of files stops a write half-way, as a full disk does. */
static void what_a_full_disk_does_not_take_stays_in_memory(void **state)
{
    enum { COUNT = 20 * SAMPLE_BLOCK_MOST, LIMIT_BYTES = 300 };
    struct error err = {0};
    struct sample_store store = {0};
    struct rlimit before;

    (void)state;
    assert_int_equal(block_file_open((const char *const[]){"/tmp", NULL}, &store.file, &err), 0);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){LIMIT_BYTES, before.rlim_max}), 0);
    for (uint64_t i = 0; i < COUNT; i++)
        sample_store_add(&store, sample_number(i));
    /* Waits until all are written. */
    assert_string_equal(block_file_failure(store.file), "File too large");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_true(sample_store_finish(&store));
    assert_all_there(&store, COUNT);
    block_file_close(store.file);
    sample_store_done(&store);
}

static void sums_go_by_thread_and_stack_and_by_second(void **state)
{
    struct sample_store store = {0};
    struct sums_cursor cursor;
    struct sample_sum sum;
    static const struct profile_sample samples[] = {
        {.time_ns = 999999999, .value = 5, .thread = 0, .stack = 1},
        {.time_ns = 1000000000, .value = 6, .thread = 1, .stack = 1},
        {.time_ns = 1500000000, .value = UINT64_MAX, .thread = 0, .stack = 1},
        {.time_ns = 9000000000, .value = 1, .thread = 0, .stack = PROFILE_NONE},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(samples); i++)
        sample_store_add(&store, samples[i]);
    assert_true(sample_store_finish(&store));
    assert_int_equal(store.sums.count, 3);
    cursor = sums_cursor_of(&store.sums);
    assert_true(sums_cursor_next(&cursor, &sum));
    assert_int_equal(sum.thread, 0);
    assert_int_equal(sum.stack, PROFILE_NONE);
    assert_true(sums_cursor_next(&cursor, &sum));
    assert_int_equal(sum.stack, 1);
    assert_int_equal(sum.count, 2);
    assert_true(sum.value == UINT64_MAX);
    assert_true(sums_cursor_next(&cursor, &sum));
    assert_int_equal(sum.thread, 1);
    assert_false(sums_cursor_next(&cursor, &sum));
    assert_int_equal(store.seconds.count, 3);
    assert_int_equal(store.seconds.items[1].second, 1);
    assert_int_equal(store.seconds.items[1].count, 2);
    assert_int_equal(store.seconds.items[2].second, 9);
    assert_int_equal(store.seconds.items[2].value, 1);
    sample_store_done(&store);
}

static void an_empty_store_has_no_sample(void **state)
{
    struct sample_store store = {0};
    struct sample_cursor cursor = sample_cursor_of(&store);
    struct profile_sample sample;

    (void)state;
    assert_false(sample_cursor_next(&cursor, &sample));
    sample_cursor_done(&cursor);
    assert_true(sample_store_finish(&store));
    assert_int_equal(store.blocks.count, 0);
    sample_store_done(&store);
}

static void each_of_thousands_of_sums_stands_once(void **state)
{
    enum { THREADS = 7, STACKS = 1000, ROUNDS = 3 };
    SCOPED(sample_store_done) struct sample_store store = {0};
    struct sums_cursor cursor;
    struct sample_sum sum;
    uint32_t i = 0;

    (void)state;
    for (; i < ROUNDS * THREADS * STACKS; i++)
        sample_store_add(
            &store, (struct profile_sample){
                        .time_ns = i, .value = 2, .thread = i % THREADS, .stack = i / THREADS % STACKS - 1});
    assert_true(sample_store_finish(&store));
    assert_int_equal(store.sums.count, THREADS * STACKS);
    cursor = sums_cursor_of(&store.sums);
    for (i = 0; sums_cursor_next(&cursor, &sum); i++) {
        assert_int_equal(sum.thread, i / STACKS);
        assert_int_equal(sum.stack + 1, i % STACKS);
        assert_int_equal(sum.count, ROUNDS);
        assert_int_equal(sum.value, 2 * ROUNDS);
    }
    assert_int_equal(i, THREADS * STACKS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_gives_back_what_was_put_in),
        cmocka_unit_test(an_empty_block_has_no_bytes),
        cmocka_unit_test(a_block_cut_anywhere_or_longer_is_refused),
        cmocka_unit_test(what_no_sample_can_be_is_refused),
        cmocka_unit_test(a_store_gives_back_all_in_order_whether_blocks_are_closed_or_not),
        cmocka_unit_test(full_blocks_go_to_a_file_and_come_back_from_there),
        cmocka_unit_test(what_a_full_disk_does_not_take_stays_in_memory),
        cmocka_unit_test(sums_go_by_thread_and_stack_and_by_second),
        cmocka_unit_test(each_of_thousands_of_sums_stands_once),
        cmocka_unit_test(an_empty_store_has_no_sample),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

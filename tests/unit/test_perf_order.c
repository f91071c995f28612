#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "perf_builder.h"
#include "sampler/perf/order.h"

enum { RING_BYTES = 256, RECORD_BYTES = 40 };

/* A ring as the kernel shares it, in ordinary memory. */
struct memory_ring {
    struct perf_event_mmap_page page;
    _Alignas(8) char data[RING_BYTES];
};

/* Writes like the kernel does: over the end of the memory if need be. */
static void feed(struct memory_ring *memory, struct slice bytes)
{
    for (size_t i = 0; i < bytes.length; i++)
        memory->data[(memory->page.data_head + i) % RING_BYTES] = bytes.data[i];
    memory->page.data_head += bytes.length;
}

static void feed_record(struct memory_ring *memory, uint64_t time_ns)
{
    SCOPED(text_done) struct text record = {0};

    perf_builder_add(&record, PERF_RECORD_ITRACE_START, 0, SLICE(""), time_ns);
    assert_int_equal(record.length, RECORD_BYTES);
    feed(memory, text_slice(&record));
}

static uint64_t time_of(struct slice record)
{
    uint64_t time_ns = 0;

    memcpy(&time_ns, record.data + record.length - 24, sizeof(time_ns));
    return time_ns;
}

struct fixture {
    struct memory_ring memory[2];
    struct ring rings[2];
    struct order order;
};

static int set_up(void **state)
{
    struct fixture *f = memory_new(1, sizeof(*f));

    for (size_t i = 0; i < 2; i++)
        ring_init(&f->rings[i], &f->memory[i].page, f->memory[i].data, RING_BYTES);
    order_init(&f->order, f->rings, 2);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    order_done(&f->order);
    ring_done(&f->rings[0]);
    ring_done(&f->rings[1]);
    free(f);
    return 0;
}

static void assert_next(struct fixture *f, uint64_t time_ns)
{
    struct slice record = {0};

    assert_true(order_next(&f->order, &record));
    assert_int_equal(record.length, RECORD_BYTES);
    assert_int_equal(time_of(record), time_ns);
}

static void assert_no_next(struct fixture *f)
{
    struct slice record = {0};

    assert_false(order_next(&f->order, &record));
}

static void records_of_all_rings_come_in_the_order_of_time(void **state)
{
    struct fixture *f = *state;

    feed_record(&f->memory[0], 10);
    feed_record(&f->memory[0], 40);
    feed_record(&f->memory[1], 20);
    feed_record(&f->memory[1], 30);
    order_begin_round(&f->order, UINT64_MAX);
    assert_next(f, 10);
    assert_next(f, 20);
    assert_next(f, 30);
    assert_next(f, 40);
    assert_no_next(f);
}

static void what_is_later_than_the_round_waits_for_the_next(void **state)
{
    struct fixture *f = *state;

    feed_record(&f->memory[0], 10);
    feed_record(&f->memory[0], 21);
    feed_record(&f->memory[1], 20);
    order_begin_round(&f->order, 20);
    assert_next(f, 10);
    assert_next(f, 20);
    assert_no_next(f);
    feed_record(&f->memory[1], 20);
    order_begin_round(&f->order, 30);
    assert_next(f, 20);
    assert_next(f, 21);
    assert_no_next(f);
}

static void what_is_of_a_future_that_no_clock_told_keeps_nothing_back(void **state)
{
    struct fixture *f = *state;
    const uint64_t future = UINT64_MAX / 2;

    feed_record(&f->memory[0], future);
    feed_record(&f->memory[0], future);
    feed_record(&f->memory[0], 15);
    feed_record(&f->memory[1], 20);
    order_begin_round(&f->order, 20);
    assert_next(f, 20);
    assert_no_next(f);
    feed_record(&f->memory[1], 25);
    order_begin_round(&f->order, 30);
    assert_next(f, 25);
    assert_next(f, future);
    assert_next(f, future);
    assert_next(f, 15);
    assert_no_next(f);
}

static void what_is_written_after_the_round_began_is_not_seen_yet(void **state)
{
    struct fixture *f = *state;

    order_begin_round(&f->order, UINT64_MAX);
    feed_record(&f->memory[0], 10);
    assert_no_next(f);
    order_begin_round(&f->order, UINT64_MAX);
    assert_next(f, 10);
}

static void a_record_goes_back_to_the_kernel_when_the_next_is_asked_for(void **state)
{
    struct fixture *f = *state;

    feed_record(&f->memory[0], 10);
    feed_record(&f->memory[0], 20);
    order_begin_round(&f->order, UINT64_MAX);
    assert_next(f, 10);
    assert_int_equal(f->memory[0].page.data_tail, 0);
    assert_next(f, 20);
    assert_int_equal(f->memory[0].page.data_tail, RECORD_BYTES);
    assert_no_next(f);
    assert_int_equal(f->memory[0].page.data_tail, 2 * RECORD_BYTES);
}

static void a_round_gives_the_record_before_it_back_too(void **state)
{
    struct fixture *f = *state;

    feed_record(&f->memory[0], 10);
    order_begin_round(&f->order, UINT64_MAX);
    assert_next(f, 10);
    order_begin_round(&f->order, UINT64_MAX);
    assert_int_equal(f->memory[0].page.data_tail, RECORD_BYTES);
    assert_no_next(f);
}

static void a_record_over_the_end_of_the_memory_comes_in_one_piece(void **state)
{
    struct fixture *f = *state;
    SCOPED(text_done) struct text odd = {0};

    /* 48 bytes: the records after it do not fit the memory's end. */
    perf_builder_add(&odd, PERF_RECORD_ITRACE_START, 0, SLICE("12345678"), 1);
    feed(&f->memory[0], text_slice(&odd));
    for (uint64_t time_ns = 2; time_ns < 100; time_ns++) {
        struct slice record = {0};

        order_begin_round(&f->order, UINT64_MAX);
        assert_true(order_next(&f->order, &record));
        assert_int_equal(time_of(record), time_ns - 1);
        feed_record(&f->memory[0], time_ns);
    }
    assert_int_equal(f->rings[0].damaged_count, 0);
}

static void a_header_that_cannot_be_drops_what_the_ring_holds(void **state)
{
    static const struct slice bad[] = {
        SLICE("\1\0\0\0\0\0\0\0"),          /* no length */
        SLICE("\1\0\0\0\0\0\x10\0"),        /* longer than what is there */
        SLICE("\1\0\0\0\0\0\x9\0........"), /* no multiple of 8 */
        SLICE("\1\0\0\0"),                  /* cut header */
    };

    for (size_t i = 0; i < ARRAY_COUNT(bad); i++) {
        struct fixture *f = NULL;

        assert_int_equal(set_up((void **)&f), 0);
        feed_record(&f->memory[0], 10);
        feed(&f->memory[0], bad[i]);
        feed_record(&f->memory[1], 20);
        order_begin_round(&f->order, UINT64_MAX);
        assert_next(f, 10);
        assert_next(f, 20);
        assert_no_next(f);
        assert_int_equal(f->rings[0].damaged_count, 1);
        assert_int_equal(f->memory[0].page.data_tail, f->memory[0].page.data_head);
        tear_down((void **)&f);
    }
    (void)state;
}

static void a_head_further_than_the_ring_is_long_is_damage(void **state)
{
    struct fixture *f = *state;

    for (uint64_t time_ns = 0; time_ns < RING_BYTES / RECORD_BYTES; time_ns++)
        feed_record(&f->memory[0], time_ns);
    f->memory[0].page.data_head += RECORD_BYTES;
    order_begin_round(&f->order, UINT64_MAX);
    assert_no_next(f);
    assert_int_equal(f->rings[0].damaged_count, 1);
}

static void records_that_do_not_stand_on_words_are_damage(void **state)
{
    struct fixture *f = *state;
    struct ring ring;
    struct slice record = {0};

    f->memory[0].page.data_tail = 4;
    f->memory[0].page.data_head = 4;
    feed_record(&f->memory[0], 10);
    ring_init(&ring, &f->memory[0].page, f->memory[0].data, RING_BYTES);
    ring_begin_round(&ring);
    assert_false(ring_peek(&ring, &record));
    assert_int_equal(ring.damaged_count, 1);
    ring_done(&ring);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(records_of_all_rings_come_in_the_order_of_time),
        TEST(what_is_later_than_the_round_waits_for_the_next),
        TEST(what_is_of_a_future_that_no_clock_told_keeps_nothing_back),
        TEST(what_is_written_after_the_round_began_is_not_seen_yet),
        TEST(a_record_goes_back_to_the_kernel_when_the_next_is_asked_for),
        TEST(a_round_gives_the_record_before_it_back_too),
        TEST(a_record_over_the_end_of_the_memory_comes_in_one_piece),
        TEST(a_header_that_cannot_be_drops_what_the_ring_holds),
        TEST(a_head_further_than_the_ring_is_long_is_damage),
        TEST(records_that_do_not_stand_on_words_are_damage),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

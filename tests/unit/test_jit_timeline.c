#include "cmocka_all.h"

#include "symbolize/jit/timeline.h"

static const uint64_t avmas[] = {0x1000, 0x1008, 0x2000, 0x3000};

enum { COUNT = 4 };

static struct jit_record load(uint64_t time_ns, uint64_t start, uint64_t end, uint64_t index)
{
    return (struct jit_record){.kind = JIT_LOAD,
                               .time_ns = time_ns,
                               .start_avma = start,
                               .end_avma = end,
                               .code_index = index,
                               .name = SLICE("f")};
}

static struct jit_record move(uint64_t time_ns, uint64_t start, uint64_t end, uint64_t index)
{
    struct jit_record record = load(time_ns, start, end, index);

    record.kind = JIT_MOVE;
    return record;
}

static void take(struct jit_timeline *timeline, struct jit_record record, uint64_t record_at)
{
    assert_true(jit_timeline_take(timeline, &record, 7, record_at));
}

static void take_again(struct jit_timeline *timeline, struct jit_record record, uint64_t record_at)
{
    jit_timeline_take_again(timeline, &record, record_at);
}

/* Where the record is of the code that is at the address now; 0: there is none. */
static uint64_t at(const struct jit_timeline *timeline, size_t number)
{
    uint32_t code = jit_timeline_at(timeline, number);

    if (code == JIT_CODE_NONE)
        return 0;
    assert_int_equal(timeline->codes.items[code].file, 7);
    assert_true(timeline->codes.items[code].record_at > 0);
    return timeline->codes.items[code].record_at;
}

static void an_address_is_in_the_code_that_was_put_there_last(void **state)
{
    SCOPED(jit_timeline_done) struct jit_timeline timeline;

    (void)state;
    jit_timeline_init(&timeline, avmas, COUNT);
    jit_timeline_begin_file(&timeline);
    take(&timeline, load(20, 0x1004, 0x2001, 2), 200); /* written before what is older */
    take(&timeline, load(10, 0x1000, 0x1010, 1), 100);
    take(&timeline, load(20, 0x1008, 0x1009, 3), 300);
    assert_true(jit_timeline_has_reused(&timeline));
    for (int walk = 0; walk < 2; walk++) {
        jit_timeline_begin(&timeline);
        assert_false(jit_timeline_advance(&timeline, 9));
        assert_int_equal(at(&timeline, 0), 0);
        assert_true(jit_timeline_advance(&timeline, 10));
        assert_false(jit_timeline_advance(&timeline, 19));
        assert_int_equal(at(&timeline, 0), 100);
        assert_int_equal(at(&timeline, 1), 100);
        assert_int_equal(at(&timeline, 2), 0);
        assert_true(jit_timeline_advance(&timeline, UINT64_MAX));
        assert_int_equal(at(&timeline, 0), 100);
        assert_int_equal(at(&timeline, 1), 300);
        assert_int_equal(at(&timeline, 2), 200);
        assert_int_equal(at(&timeline, 3), 0);
    }
}

static void code_with_none_of_the_addresses_is_not_kept(void **state)
{
    SCOPED(jit_timeline_done) struct jit_timeline timeline;

    (void)state;
    jit_timeline_init(&timeline, avmas, COUNT);
    take(&timeline, load(1, 0, 0x1000, 1), 1);
    take(&timeline, load(1, 0x1001, 0x1008, 1), 1);
    take(&timeline, load(1, 0x3001, UINT64_MAX, 1), 1);
    take(&timeline, move(1, 0x3001, UINT64_MAX, 1), 1);
    take(&timeline, (struct jit_record){.kind = JIT_OTHER, .end_avma = UINT64_MAX}, 1);
    assert_int_equal(timeline.codes.count, 0);
    assert_false(jit_timeline_has_moved(&timeline));
    take(&timeline, load(1, 0x3000, 0x3001, 1), 1);
    take(&timeline, load(1, 0x2000, 0x2001, 1), 1);
    assert_int_equal(timeline.codes.count, 2);
    assert_false(jit_timeline_has_reused(&timeline));
}

static void code_that_was_moved_has_the_record_that_named_it_last_before(void **state)
{
    const struct jit_record records[] = {
        load(1, 0x9000, 0x9010, 5), load(2, 0x9000, 0x9010, 6), move(3, 0x1000, 0x1010, 5),
        load(4, 0x9000, 0x9010, 5), move(5, 0x2000, 0x2010, 5), move(6, 0x3000, 0x3010, 8),
        move(7, 0x8000, 0x8010, 8), load(8, 0x9000, 0x9010, 8),
    };
    SCOPED(jit_timeline_done) struct jit_timeline timeline;

    (void)state;
    jit_timeline_init(&timeline, avmas, COUNT);
    jit_timeline_begin_file(&timeline);
    for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++)
        take(&timeline, records[i], 100 + i);
    assert_true(jit_timeline_has_moved(&timeline));
    for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++)
        take_again(&timeline, records[i], 100 + i);
    /* Another file's index is another code's. */
    jit_timeline_begin_file(&timeline);
    assert_false(jit_timeline_has_moved(&timeline));
    take(&timeline, move(9, 0x1008, 0x1009, 5), 500);
    take_again(&timeline, move(9, 0x1008, 0x1009, 5), 500);
    jit_timeline_begin(&timeline);
    (void)jit_timeline_advance(&timeline, 8);
    assert_int_equal(at(&timeline, 0), 100);
    assert_int_equal(at(&timeline, 1), 100);
    assert_int_equal(at(&timeline, 2), 103);
    assert_int_equal(at(&timeline, 3), 0);
    (void)jit_timeline_advance(&timeline, 9);
    assert_int_equal(at(&timeline, 0), 100);
    assert_int_equal(at(&timeline, 1), 0);
}

static void an_end_takes_all_code_away(void **state)
{
    SCOPED(jit_timeline_done) struct jit_timeline timeline;

    (void)state;
    jit_timeline_init(&timeline, avmas, COUNT);
    take(&timeline, load(1, 0x1000, 0x4000, 1), 100);
    take(&timeline, load(6, 0x2000, 0x4000, 1), 200);
    jit_timeline_take_end(&timeline, 5);
    jit_timeline_begin(&timeline);
    (void)jit_timeline_advance(&timeline, 4);
    assert_int_equal(at(&timeline, 3), 100);
    (void)jit_timeline_advance(&timeline, 5);
    for (size_t i = 0; i < COUNT; i++)
        assert_int_equal(at(&timeline, i), 0);
    (void)jit_timeline_advance(&timeline, 6);
    assert_int_equal(at(&timeline, 1), 0);
    assert_int_equal(at(&timeline, 3), 200);
}

/* Memory is for what a file may be made to tell, not for what a program has. */
static void of_too_many_no_more_is_kept(void **state)
{
    SCOPED(jit_timeline_done) struct jit_timeline timeline;
    struct jit_record record = load(1, 0x1000, 0x1001, 1);

    (void)state;
    jit_timeline_init(&timeline, avmas, COUNT);
    for (size_t i = 0; i < JIT_CODE_MOST; i++)
        take(&timeline, record, i);
    assert_false(jit_timeline_take(&timeline, &record, 7, 1));
    assert_int_equal(timeline.codes.count, JIT_CODE_MOST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_address_is_in_the_code_that_was_put_there_last),
        cmocka_unit_test(code_with_none_of_the_addresses_is_not_kept),
        cmocka_unit_test(code_that_was_moved_has_the_record_that_named_it_last_before),
        cmocka_unit_test(an_end_takes_all_code_away),
        cmocka_unit_test(of_too_many_no_more_is_kept),
    };

    return cmocka_run_group_tests_name("jit_timeline", tests, NULL, NULL);
}

/* Calls that Linux tells of in records of their own, behind the samples that they are of. */
#include "cmocka_all.h"

#include "base/compiler.h"
#include "base/file.h"
#include "perf_builder.h"
#include "perf_data_fixture.h"
#include "sampler/perf/call_chain.h"

enum { THREADS_OF_7 = 7, MARK_OF_LATER = -640 };

/* The second event's: with calls. */
static const struct perf_event_attr with_calls = {
    .type = PERF_TYPE_SOFTWARE,
    .size = PERF_FIXTURE_ATTRIBUTES,
    .config = PERF_COUNT_SW_CPU_CLOCK,
    .sample_freq = 99,
    .freq = 1,
    .sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
                   PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN,
    .sample_id_all = 1,
};

/* A sample in the kernel, of this thread of process 7, whose own calls have the number. */
static void add_sample(struct perf_fixture *fixture, uint64_t thread, uint64_t number, uint64_t time_ns)
{
    const uint64_t body_numbers[] = {SECOND_ID,
                                     0xffffffff81000000,
                                     THREADS_OF_7 | thread << 32,
                                     time_ns,
                                     1,
                                     4,
                                     (uint64_t)PERF_CONTEXT_KERNEL,
                                     0xffffffff81000000,
                                     (uint64_t)MARK_OF_LATER,
                                     number};
    SCOPED(text_done) struct text body = {0};

    perf_builder_add_numbers(&body, body_numbers, ARRAY_COUNT(body_numbers));
    perf_fixture_add_record(&fixture->records, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL,
                            text_slice(&body));
}

/* What tells the calls: `count` may be more than there are. */
static void add_calls(struct perf_fixture *fixture, uint64_t thread, uint64_t number, uint64_t count,
                      const uint64_t calls[2])
{
    const uint64_t body_numbers[] = {number, count,    calls[0], calls[1], THREADS_OF_7 | thread << 32,
                                     900,    SECOND_ID};
    SCOPED(text_done) struct text body = {0};

    perf_builder_add_numbers(&body, body_numbers, ARRAY_COUNT(body_numbers));
    perf_fixture_add_record(&fixture->records, CALL_CHAIN_RECORD, PERF_RECORD_MISC_USER, text_slice(&body));
}

static void assert_next(struct perf_fixture *fixture, uint64_t time_ns, size_t user_calls)
{
    struct sampler_event event;

    assert_true(perf_data_next(fixture->data, &event));
    assert_int_equal(event.kind, SAMPLER_SAMPLE);
    assert_int_equal(event.time_ns, time_ns);
    assert_int_equal(sample_kernel_call_count(&event.sample), 1);
    assert_int_equal(sample_user_call_count(&event.sample), user_calls);
    if (user_calls == 2) {
        assert_int_equal(sample_user_call(&event.sample, 0), 0x401000);
        assert_int_equal(sample_user_call(&event.sample, 1), 0x402000 - 1);
    }
}

static void calls_are_those_of_the_samples_with_their_number(void **state)
{
    SCOPED(perf_fixture_done) struct perf_fixture fixture = {.second = with_calls};
    struct sampler_event event;
    SCOPED(file_close_descriptor) int file = -1;

    (void)state;
    perf_fixture_add_sample(&fixture.records, FIRST_ID, 100, 1);
    add_sample(&fixture, 8, 5, 200);
    add_sample(&fixture, 8, 5, 300);
    add_sample(&fixture, 9, 5, 400);
    add_sample(&fixture, 8, 6, 500);
    add_calls(&fixture, 8, 5, 2, (const uint64_t[]){0x401000, 0x402000});
    add_calls(&fixture, 9, 5, 2, (const uint64_t[]){(uint64_t)PERF_CONTEXT_USER, 0x403000});
    assert_int_equal(perf_fixture_open(&fixture, &file), 0);
    assert_true(perf_data_next(fixture.data, &event));
    assert_int_equal(event.time_ns, 100);
    assert_next(&fixture, 200, 2);
    assert_next(&fixture, 300, 2);
    assert_next(&fixture, 400, 1);
    /* What tells of these was lost. */
    assert_next(&fixture, 500, 0);
    assert_false(perf_data_next(fixture.data, &event));
    assert_int_equal(perf_data_damaged_count(fixture.data), 0);
    assert_int_equal(perf_data_last_ns(fixture.data), 900);
}

static void more_calls_than_there_are_are_damage(void **state)
{
    SCOPED(perf_fixture_done) struct perf_fixture fixture = {.second = with_calls};
    SCOPED(file_close_descriptor) int file = -1;

    (void)state;
    add_sample(&fixture, 8, 5, 200);
    add_calls(&fixture, 8, 5, UINT64_MAX / 8 + 1, (const uint64_t[]){0x401000, 0x402000});
    assert_int_equal(perf_fixture_open(&fixture, &file), 0);
    assert_next(&fixture, 200, 0);
    assert_int_equal(perf_data_damaged_count(fixture.data), 1);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_are_those_of_the_samples_with_their_number),
        cmocka_unit_test(more_calls_than_there_are_are_damage),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Waits of perf record --off-cpu, which the raw parts of samples tell of. */
#include "cmocka_all.h"

#include "base/compiler.h"
#include "base/file.h"
#include "perf_builder.h"
#include "perf_data_fixture.h"

enum { WAITED_NS = 5000000 };

/* The second event's. */
static struct perf_event_attr off_cpu(void)
{
    struct perf_event_attr attributes = perf_fixture_usual;

    attributes.config = PERF_COUNT_SW_BPF_OUTPUT;
    attributes.sample_type |= PERF_SAMPLE_RAW;
    attributes.freq = 0;
    return attributes;
}

/* As thread 8 of process 7 makes room for another one, of process 20, that has waited. */
static void add_wait(struct perf_fixture *fixture, uint64_t ids, uint64_t call_count, uint64_t time_ns)
{
    const uint64_t head[] = {SECOND_ID, 0xffffffff81000000, UINT64_C(7) | UINT64_C(8) << 32, time_ns, 1};
    const uint64_t raw[] = {ids, WAITED_NS, call_count, (uint64_t)PERF_CONTEXT_USER, 0x401000, 0x402000, 0};
    SCOPED(text_done) struct text body = {0};

    perf_builder_add_numbers(&body, head, ARRAY_COUNT(head));
    perf_builder_add_number(&body, sizeof(raw) + 4, 4);
    perf_builder_add_numbers(&body, raw, ARRAY_COUNT(raw));
    perf_builder_add_number(&body, 0, 4);
    perf_fixture_add_record(&fixture->records, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL,
                            text_slice(&body));
}

static void assert_wait(struct perf_fixture *fixture, uint64_t time_ns)
{
    struct sampler_event event;

    assert_true(perf_data_next(fixture->data, &event));
    assert_int_equal(event.kind, SAMPLER_SAMPLE);
    assert_int_equal(event.time_ns, time_ns);
    assert_int_equal(event.pid, 20);
    assert_int_equal(event.tid, 21);
    assert_int_equal(event.sample.period, WAITED_NS);
    assert_false(event.sample.in_kernel);
    assert_int_equal(event.sample.address, 0x401000);
    assert_int_equal(sample_user_call_count(&event.sample), 2);
    assert_int_equal(sample_user_call(&event.sample, 1), 0x402000 - 1);
    assert_int_equal(sample_kernel_call_count(&event.sample), 0);
}

static void a_wait_is_of_the_thread_that_has_waited(void **state)
{
    SCOPED(perf_fixture_done) struct perf_fixture fixture = {.second = off_cpu()};
    SCOPED(file_close_descriptor) int file = -1;

    (void)state;
    perf_fixture_add_names(&fixture, "cpu-clock", "offcpu-time");
    /* What the kernel's part tells, and what perf adds in the end. */
    add_wait(&fixture, UINT64_C(20) << 32 | 21, 3, 100);
    add_wait(&fixture, UINT64_C(21) << 32 | 20, 3, 200);
    assert_int_equal(perf_fixture_open(&fixture, &file), 0);
    assert_string_equal(perf_data_source(fixture.data, 0).unit, "nanoseconds");
    assert_int_equal(perf_data_stacks(fixture.data, 0), SAMPLER_STACKS_FRAME_POINTERS);
    assert_int_equal(perf_data_most_calls(fixture.data, 0), 32);
    assert_wait(&fixture, 100);
    assert_wait(&fixture, 200);
    assert_int_equal(perf_data_damaged_count(fixture.data), 0);
}

static void a_wait_with_more_calls_than_there_are_is_damage(void **state)
{
    SCOPED(perf_fixture_done) struct perf_fixture fixture = {.second = off_cpu()};
    SCOPED(file_close_descriptor) int file = -1;
    struct sampler_event event;

    (void)state;
    perf_fixture_add_names(&fixture, "cpu-clock", "offcpu-time");
    add_wait(&fixture, UINT64_C(20) << 32 | 21, 5, 100);
    add_wait(&fixture, UINT64_C(20) << 32 | 21, UINT64_MAX, 200);
    assert_int_equal(perf_fixture_open(&fixture, &file), 0);
    assert_false(perf_data_next(fixture.data, &event));
    assert_int_equal(perf_data_damaged_count(fixture.data), 2);
}

static void what_else_bpf_puts_out_is_of_who_ran(void **state)
{
    SCOPED(perf_fixture_done) struct perf_fixture fixture = {.second = off_cpu()};
    SCOPED(file_close_descriptor) int file = -1;
    struct sampler_event event;

    (void)state;
    perf_fixture_add_names(&fixture, "cpu-clock", "bpf-output");
    add_wait(&fixture, UINT64_C(20) << 32 | 21, 3, 100);
    assert_int_equal(perf_fixture_open(&fixture, &file), 0);
    assert_true(perf_data_next(fixture.data, &event));
    assert_int_equal(event.pid, 7);
    assert_int_equal(event.tid, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wait_is_of_the_thread_that_has_waited),
        cmocka_unit_test(a_wait_with_more_calls_than_there_are_is_damage),
        cmocka_unit_test(what_else_bpf_puts_out_is_of_who_ran),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Records in the forms that perf writes to its files, which are more than ours. */
#include "cmocka_all.h"

#include "perf_builder.h"
#include "perf_data_fixture.h"
#include "sampler/perf/decode.h"

#define NUMBERS(body, ...)                                                                                   \
    perf_builder_add_numbers(body, (const uint64_t[]){__VA_ARGS__},                                          \
                             sizeof((const uint64_t[]){__VA_ARGS__}) / 8)

/* pid 7, tid 8 */
#define SEVEN_EIGHT (UINT64_C(7) | UINT64_C(8) << 32)

static void everything_before_the_registers_is_passed_over(void **state)
{
    const struct decode_form form = {
        .sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
                       PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
                       PERF_SAMPLE_PERIOD | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW |
                       PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
        .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED,
        .branch_sample_type = PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_HW_INDEX,
        .registers = 0x180, /* sp and ip */
    };
    SCOPED(text_done) struct text body = {0};
    SCOPED(text_done) struct text record = {0};
    struct decode_stamp stamp;
    struct sampler_event event;

    (void)state;
    NUMBERS(&body, 41, 0x1000, SEVEN_EIGHT, 777, 0xadd, 42, 43, 3, 99);
    NUMBERS(&body, 2, 1000, 5, 41, 6, 42);                  /* two counters: how many, time, value and id */
    NUMBERS(&body, 2, (uint64_t)PERF_CONTEXT_USER, 0x1000); /* calls */
    perf_builder_add_number(&body, 12, 4);                  /* raw: 4 + 12 is a multiple of 8 */
    text_add(&body, SLICE("twelve bytes"));
    NUMBERS(&body, 1, 0, 0xf, 0xe, 0); /* a branch, behind the hardware's index */
    NUMBERS(&body, PERF_SAMPLE_REGS_ABI_64, 0x7000, 0x1000);
    NUMBERS(&body, 8, 0x1122334455667788, 8);
    perf_fixture_add_record(&record, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, text_slice(&body));
    assert_true(decode_record(text_slice(&record), &form, &event));
    assert_int_equal(event.event_id, 41);
    assert_int_equal(event.pid, 7);
    assert_int_equal(event.tid, 8);
    assert_int_equal(event.time_ns, 777);
    assert_int_equal(event.sample.address, 0x1000);
    assert_int_equal(event.sample.cpu, 3);
    assert_int_equal(event.sample.period, 99);
    assert_int_equal(sample_user_call_count(&event.sample), 1);
#if defined(__x86_64__)
    assert_true(event.sample.has_registers);
    assert_int_equal(event.sample.registers.values[REGISTERS_SP], 0x7000);
    assert_int_equal(event.sample.registers.values[REGISTERS_IP], 0x1000);
    assert_int_equal(event.sample.registers.known, 1u << REGISTERS_SP | 1u << REGISTERS_IP);
#endif
    assert_int_equal(event.sample.stack.length, 8);
    assert_true(decode_stamp(text_slice(&record), &form, &stamp));
    assert_int_equal(stamp.event_id, 41);
    assert_int_equal(stamp.time_ns, 777);
    for (size_t length = 0; length < record.length; length++)
        assert_false(decode_record(slice_range(text_slice(&record), 0, length), &form, &event));
}

static void counts_beyond_the_record_are_refused(void **state)
{
    static const struct {
        uint64_t type;
        uint64_t count;
    } cases[] = {
        {PERF_SAMPLE_READ, 1},
        {PERF_SAMPLE_READ, UINT64_MAX},
        {PERF_SAMPLE_BRANCH_STACK, 1},
        {PERF_SAMPLE_BRANCH_STACK, UINT64_MAX / 24},
        {PERF_SAMPLE_CALLCHAIN, UINT64_MAX / 8},
        {PERF_SAMPLE_RAW, UINT32_MAX},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct decode_form form = {.sample_type = cases[i].type, .read_format = PERF_FORMAT_GROUP};
        SCOPED(text_done) struct text body = {0};
        SCOPED(text_done) struct text record = {0};
        struct sampler_event event;

        NUMBERS(&body, cases[i].count);
        perf_fixture_add_record(&record, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, text_slice(&body));
        assert_false(decode_record(text_slice(&record), &form, &event));
    }
}

static void a_record_without_a_trailer_tells_no_time(void **state)
{
    const struct decode_form form = {.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME};
    SCOPED(text_done) struct text body = {0};
    SCOPED(text_done) struct text record = {0};
    struct decode_stamp stamp = {.time_ns = 1};
    struct sampler_event event;

    (void)state;
    NUMBERS(&body, SEVEN_EIGHT);
    text_add(&body, (struct slice){"worker\0\0", 8});
    perf_fixture_add_record(&record, PERF_RECORD_COMM, 0, text_slice(&body));
    assert_true(decode_record(text_slice(&record), &form, &event));
    assert_int_equal(event.kind, SAMPLER_NAME);
    assert_int_equal(event.tid, 8);
    assert_true(slice_is(event.name.name, "worker"));
    assert_int_equal(event.time_ns, 0);
    assert_true(decode_stamp(text_slice(&record), &form, &stamp));
    assert_int_equal(stamp.time_ns, 0);
}

static void a_trailer_is_as_long_as_the_form_tells(void **state)
{
    const struct decode_form form = {.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
                                                    PERF_SAMPLE_TIME | PERF_SAMPLE_STREAM_ID |
                                                    PERF_SAMPLE_CPU,
                                     .has_trailer = true};
    SCOPED(text_done) struct text body = {0};
    SCOPED(text_done) struct text record = {0};
    struct sampler_event event;

    (void)state;
    NUMBERS(&body, SEVEN_EIGHT, 5);  /* PERF_RECORD_LOST: whose, how many */
    NUMBERS(&body, 1234, 43, 2, 41); /* time, stream, processor, identifier */
    perf_fixture_add_record(&record, PERF_RECORD_LOST, 0, text_slice(&body));
    assert_true(decode_record(text_slice(&record), &form, &event));
    assert_int_equal(event.kind, SAMPLER_LOST);
    assert_int_equal(event.lost_count, 5);
    assert_int_equal(event.time_ns, 1234);
    assert_int_equal(event.event_id, 41);
}

/* PERF_RECORD_MMAP, which perf writes of the kernel, and wrote of all files before Linux 3.12. */
static void an_old_mapping_has_no_identity(void **state)
{
    const struct decode_form form = {0};
    SCOPED(text_done) struct text body = {0};
    SCOPED(text_done) struct text record = {0};
    struct sampler_event event;

    (void)state;
    NUMBERS(&body, SEVEN_EIGHT, 0x400000, 0x1000, 0x2000);
    text_add(&body, (struct slice){"/usr/bin/app\0\0\0\0", 16});
    perf_fixture_add_record(&record, PERF_RECORD_MMAP, PERF_RECORD_MISC_USER, text_slice(&body));
    assert_true(decode_record(text_slice(&record), &form, &event));
    assert_int_equal(event.kind, SAMPLER_MAPPING);
    assert_int_equal(event.mapping.start_avma, 0x400000);
    assert_int_equal(event.mapping.file_offset, 0x2000);
    assert_int_equal(event.mapping.inode, 0);
    assert_true(slice_is(event.mapping.path, "/usr/bin/app"));
    text_clear(&record);
    perf_fixture_add_record(&record, PERF_RECORD_MMAP, PERF_RECORD_MISC_MMAP_DATA, text_slice(&body));
    assert_true(decode_record(text_slice(&record), &form, &event));
    assert_int_equal(event.kind, SAMPLER_OTHER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_before_the_registers_is_passed_over),
        cmocka_unit_test(counts_beyond_the_record_are_refused),
        cmocka_unit_test(a_record_without_a_trailer_tells_no_time),
        cmocka_unit_test(a_trailer_is_as_long_as_the_form_tells),
        cmocka_unit_test(an_old_mapping_has_no_identity),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

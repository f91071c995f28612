#include "cmocka_all.h"

#include <string.h>

#include "perf_builder.h"
#include "sampler/perf/decode.h"

/* As many as the kernel is asked for, of any machine. */
enum { KERNEL_REGISTERS = REGISTERS_COUNT, MOST_REGISTERS = 33 };

static struct perf_builder_sample usual_sample(const uint64_t *registers)
{
    return (struct perf_builder_sample){
        .address = 0x401234,
        .pid = 11,
        .tid = 12,
        .time_ns = 777,
        .event_id = 41,
        .cpu = 3,
        .period = 1003009,
        .abi = PERF_SAMPLE_REGS_ABI_64,
        .registers = registers,
        .register_count = KERNEL_REGISTERS,
        .room = SLICE("stack on from sp________"),
        .copied_bytes = 16,
    };
}

/* Register N of the kernel's order has the value 100 + N. */
static const uint64_t numbered[MOST_REGISTERS] = {100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110,
                                                  111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121,
                                                  122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132};

static void a_sample_has_its_place_thread_time_and_period(void **state)
{
    SCOPED(text_done) struct text ring = {0};
    struct perf_builder_sample sample = usual_sample(numbered);
    struct sampler_event event;

    (void)state;
    perf_builder_add_sample(&ring, &sample);
    assert_true(decode_record(text_slice(&ring), &perf_builder_form, &event));
    assert_int_equal(event.kind, SAMPLER_SAMPLE);
    assert_int_equal(event.pid, 11);
    assert_int_equal(event.tid, 12);
    assert_int_equal(event.time_ns, 777);
    assert_int_equal(decode_time(text_slice(&ring)), 777);
    assert_int_equal(event.sample.address, 0x401234);
    assert_int_equal(event.event_id, 41);
    assert_int_equal(event.sample.cpu, 3);
    assert_int_equal(event.sample.period, 1003009);
    assert_false(event.sample.in_kernel);
}

static void a_sample_without_its_period_stands_for_the_fixed_one(void **state)
{
    enum { BEFORE_PERIOD = sizeof(struct perf_event_header) + 40, WITHOUT = 8 };
    SCOPED(text_done) struct text ring = {0};
    struct perf_builder_sample sample = usual_sample(numbered);
    struct decode_form form = perf_builder_form;
    struct perf_event_header header;
    struct sampler_event event;

    (void)state;
    form.sample_type &= ~(uint64_t)PERF_SAMPLE_PERIOD;
    form.fixed_period = 1000;
    perf_builder_add_sample(&ring, &sample);
    memmove(ring.data + BEFORE_PERIOD, ring.data + BEFORE_PERIOD + WITHOUT,
            ring.length - BEFORE_PERIOD - WITHOUT);
    ring.length -= WITHOUT;
    memcpy(&header, ring.data, sizeof(header));
    header.size -= WITHOUT;
    memcpy(ring.data, &header, sizeof(header));
    assert_true(decode_record(text_slice(&ring), &form, &event));
    assert_int_equal(event.sample.period, 1000);
    assert_int_equal(event.sample.cpu, 3);
    assert_int_equal(event.sample.stack.length, 16);
}

static void registers_come_under_their_dwarf_numbers(void **state)
{
#if defined(__aarch64__)
    const uint64_t *expected = numbered; /* x0 ... x30 sp pc: the kernel's order, too */
#else
    /* ax dx cx bx si di bp sp r8 ... r15 ip, of the kernel's ax bx cx dx si di bp sp ip r8 ... */
    static const uint64_t expected[REGISTERS_COUNT] = {100, 103, 102, 101, 104, 105, 106, 107, 109,
                                                       110, 111, 112, 113, 114, 115, 116, 108};
#endif
    SCOPED(text_done) struct text ring = {0};
    struct perf_builder_sample sample = usual_sample(numbered);
    struct sampler_event event;

    (void)state;
    perf_builder_add_sample(&ring, &sample);
    assert_true(decode_record(text_slice(&ring), &perf_builder_form, &event));
    assert_true(event.sample.has_registers);
    assert_int_equal(event.sample.registers.known, (UINT64_C(1) << REGISTERS_COUNT) - 1);
    assert_memory_equal(event.sample.registers.values, expected, sizeof(event.sample.registers.values));
}

static void the_stack_is_what_was_copied_not_the_room_for_it(void **state)
{
    SCOPED(text_done) struct text ring = {0};
    struct perf_builder_sample sample = usual_sample(numbered);
    struct sampler_event event;

    (void)state;
    perf_builder_add_sample(&ring, &sample);
    assert_true(decode_record(text_slice(&ring), &perf_builder_form, &event));
    assert_true(slice_is(event.sample.stack, "stack on from sp"));
    assert_false(event.sample.stack_is_cut);
    text_clear(&ring);
    sample.copied_bytes = sample.room.length;
    perf_builder_add_sample(&ring, &sample);
    assert_true(decode_record(text_slice(&ring), &perf_builder_form, &event));
    assert_int_equal(event.sample.stack.length, sample.room.length);
    assert_true(event.sample.stack_is_cut);
}

static void a_copy_longer_than_its_room_is_refused(void **state)
{
    SCOPED(text_done) struct text ring = {0};
    struct perf_builder_sample sample = usual_sample(numbered);
    struct sampler_event event;

    (void)state;
    sample.copied_bytes = sample.room.length + 1;
    perf_builder_add_sample(&ring, &sample);
    assert_false(decode_record(text_slice(&ring), &perf_builder_form, &event));
}

static void a_sample_may_come_without_registers_and_stack(void **state)
{
    SCOPED(text_done) struct text ring = {0};
    struct perf_builder_sample sample = usual_sample(NULL);
    struct sampler_event event;

    (void)state;
    sample.abi = PERF_SAMPLE_REGS_ABI_NONE;
    sample.register_count = 0;
    sample.room = (struct slice){0};
    perf_builder_add_sample(&ring, &sample);
    assert_true(decode_record(text_slice(&ring), &perf_builder_form, &event));
    assert_false(event.sample.has_registers);
    assert_int_equal(event.sample.stack.length, 0);
    assert_false(event.sample.stack_is_cut);
}

static void decode_with_calls(struct text *ring, const uint64_t *calls, size_t count,
                              struct sampler_event *out)
{
    struct perf_builder_sample sample = usual_sample(numbered);

    sample.calls = calls;
    sample.call_count = count;
    text_clear(ring);
    perf_builder_add_sample(ring, &sample);
    assert_true(decode_record(text_slice(ring), &perf_builder_form, out));
}

static void calls_in_the_kernel_are_those_behind_its_mark(void **state)
{
    static const uint64_t calls[] = {
        (uint64_t)PERF_CONTEXT_GUEST, 7,       (uint64_t)PERF_CONTEXT_KERNEL, 0x1000, 0x2000, 0x3000,
        (uint64_t)PERF_CONTEXT_USER,  0x401234};
    SCOPED(text_done) struct text ring = {0};
    struct sampler_event event;

    (void)state;
    decode_with_calls(&ring, calls, 8, &event);
    assert_true(event.sample.in_kernel);
    assert_int_equal(sample_kernel_call_count(&event.sample), 3);
    assert_int_equal(sample_kernel_call(&event.sample, 0), 0x1000);
    assert_int_equal(sample_kernel_call(&event.sample, 1), 0x1fff);
    assert_int_equal(sample_kernel_call(&event.sample, 2), 0x2fff);
    assert_int_equal(sample_user_call_count(&event.sample), 1);
    assert_int_equal(sample_user_call(&event.sample, 0), 0x401234);
    assert_true(event.sample.has_registers);
    assert_true(slice_is(event.sample.stack, "stack on from sp"));
    decode_with_calls(&ring, calls, 3, &event);
    assert_int_equal(sample_kernel_call_count(&event.sample), 0);
    assert_int_equal(sample_user_call_count(&event.sample), 0);
    decode_with_calls(&ring, calls + 6, 2, &event);
    assert_int_equal(sample_kernel_call_count(&event.sample), 0);
    assert_int_equal(sample_user_call_count(&event.sample), 1);
}

static void more_calls_than_the_record_holds_are_refused(void **state)
{
    enum { AT_COUNT = 56 };
    static const uint64_t counts[] = {40, UINT64_MAX / 8, UINT64_MAX};
    SCOPED(text_done) struct text ring = {0};
    struct perf_builder_sample sample = usual_sample(numbered);
    struct sampler_event event;

    (void)state;
    perf_builder_add_sample(&ring, &sample);
    for (size_t i = 0; i < 3; i++) {
        memcpy(ring.data + AT_COUNT, &counts[i], sizeof(counts[i]));
        assert_false(decode_record(text_slice(&ring), &perf_builder_form, &event));
    }
}

static void registers_of_a_32_bit_program_are_not_taken(void **state)
{
    SCOPED(text_done) struct text ring = {0};
    struct perf_builder_sample sample = usual_sample(numbered);
    struct sampler_event event;

    (void)state;
    sample.abi = PERF_SAMPLE_REGS_ABI_32;
    perf_builder_add_sample(&ring, &sample);
    assert_true(decode_record(text_slice(&ring), &perf_builder_form, &event));
    assert_false(event.sample.has_registers);
    assert_true(slice_is(event.sample.stack, "stack on from sp"));
}

static void a_sample_cut_anywhere_is_refused(void **state)
{
    SCOPED(text_done) struct text ring = {0};
    struct perf_builder_sample sample = usual_sample(numbered);
    struct sampler_event event;

    (void)state;
    perf_builder_add_sample(&ring, &sample);
    for (size_t length = 0; length < ring.length; length++)
        assert_false(decode_record(slice_range(text_slice(&ring), 0, length), &perf_builder_form, &event));
}

static void a_mapping_has_its_file_and_build_id(void **state)
{
    SCOPED(text_done) struct text ring = {0};
    struct sampler_event event;

    (void)state;
    perf_builder_add_mapping(&ring, 0x400000, 0x2000, 0x1000, "/usr/bin/true", 5);
    assert_true(decode_record(text_slice(&ring), &perf_builder_form, &event));
    assert_int_equal(event.kind, SAMPLER_MAPPING);
    assert_int_equal(event.pid, 11);
    assert_int_equal(event.tid, 12);
    assert_int_equal(event.time_ns, 5);
    assert_int_equal(event.event_id, PERF_BUILDER_EVENT_ID);
    assert_int_equal(event.mapping.start_avma, 0x400000);
    assert_int_equal(event.mapping.size_bytes, 0x2000);
    assert_int_equal(event.mapping.file_offset, 0x1000);
    assert_true(slice_is(event.mapping.path, "/usr/bin/true"));
    assert_true(slice_is(event.mapping.build_id, "\xab\xcd"));
    for (size_t length = 0; length < ring.length; length += 8)
        decode_record(slice_range(text_slice(&ring), 0, length), &perf_builder_form, &event);
}

static void the_device_and_inode_of_a_file_are_no_build_id(void **state)
{
    SCOPED(text_done) struct text ring = {0};
    struct perf_event_header header;
    struct sampler_event event;

    (void)state;
    perf_builder_add_mapping(&ring, 0x400000, 0x2000, 0x1000, "/usr/bin/true", 5);
    memcpy(&header, ring.data, sizeof(header));
    header.misc = PERF_RECORD_MISC_USER;
    memcpy(ring.data, &header, sizeof(header));
    /* Behind process and thread, address, size and offset: the numbers of the device, then the inode. */
    memcpy(ring.data + sizeof(header) + 8 + 24 + 8, "\x34\x12\0\0\0\0\0\x01", 8);
    assert_true(decode_record(text_slice(&ring), &perf_builder_form, &event));
    assert_int_equal(event.mapping.build_id.length, 0);
    assert_int_equal(event.mapping.inode, 0x0100000000001234);
    assert_true(slice_is(event.mapping.path, "/usr/bin/true"));
}

static void a_mapping_past_the_last_address_is_refused(void **state)
{
    SCOPED(text_done) struct text ring = {0};
    struct sampler_event event;

    (void)state;
    perf_builder_add_mapping(&ring, UINT64_MAX - 0xfff, 0x1000, 0, "/bin/a", 5);
    assert_false(decode_record(text_slice(&ring), &perf_builder_form, &event));
}

static void a_name_without_its_end_is_refused(void **state)
{
    SCOPED(text_done) struct text ring = {0};
    struct sampler_event event;

    (void)state;
    perf_builder_add(&ring, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, SLICE("\1\0\0\0\2\0\0\0crunch\0\0"),
                     9);
    assert_true(decode_record(text_slice(&ring), &perf_builder_form, &event));
    assert_int_equal(event.kind, SAMPLER_NAME);
    assert_int_equal(event.pid, 1);
    assert_int_equal(event.tid, 2);
    assert_true(slice_is(event.name.name, "crunch"));
    assert_true(event.name.is_exec);
    text_clear(&ring);
    perf_builder_add(&ring, PERF_RECORD_COMM, 0, SLICE("\1\0\0\0\2\0\0\0crunches"), 9);
    assert_false(decode_record(text_slice(&ring), &perf_builder_form, &event));
}

static void forks_and_exits_tell_child_and_parent(void **state)
{
    static const uint32_t ids[] = {21, 11, 22, 12}; /* pid, parent's, tid, parent's */
    SCOPED(text_done) struct text ring = {0};
    struct sampler_event event;

    (void)state;
    perf_builder_add_fork(&ring, PERF_RECORD_FORK, ids, 3);
    assert_true(decode_record(text_slice(&ring), &perf_builder_form, &event));
    assert_int_equal(event.kind, SAMPLER_FORK);
    assert_int_equal(event.pid, 21);
    assert_int_equal(event.tid, 22);
    assert_int_equal(event.fork.parent_pid, 11);
    assert_int_equal(event.fork.parent_tid, 12);
    text_clear(&ring);
    perf_builder_add_fork(&ring, PERF_RECORD_EXIT, ids, 3);
    assert_true(decode_record(text_slice(&ring), &perf_builder_form, &event));
    assert_int_equal(event.kind, SAMPLER_EXIT);
}

static void lost_records_are_counted_in_both_forms(void **state)
{
    SCOPED(text_done) struct text ring = {0};
    struct sampler_event event;

    (void)state;
    perf_builder_add(&ring, PERF_RECORD_LOST, 0, SLICE("\7\0\0\0\0\0\0\0\5\0\0\0\0\0\0\0"), 3);
    assert_true(decode_record(text_slice(&ring), &perf_builder_form, &event));
    assert_int_equal(event.kind, SAMPLER_LOST);
    assert_int_equal(event.lost_count, 5);
    text_clear(&ring);
    perf_builder_add(&ring, PERF_RECORD_LOST_SAMPLES, 0, SLICE("\6\0\0\0\0\0\0\0"), 3);
    assert_true(decode_record(text_slice(&ring), &perf_builder_form, &event));
    assert_int_equal(event.kind, SAMPLER_LOST);
    assert_int_equal(event.lost_count, 6);
}

static void throttling_is_told_and_unknown_records_are_let_pass(void **state)
{
    SCOPED(text_done) struct text ring = {0};
    struct sampler_event event;

    (void)state;
    perf_builder_add(&ring, PERF_RECORD_THROTTLE, 0, SLICE("12345678"), 3);
    assert_true(decode_record(text_slice(&ring), &perf_builder_form, &event));
    assert_int_equal(event.kind, SAMPLER_THROTTLED);
    text_clear(&ring);
    perf_builder_add(&ring, 999, 0, SLICE("12345678"), 4);
    assert_true(decode_record(text_slice(&ring), &perf_builder_form, &event));
    assert_int_equal(event.kind, SAMPLER_OTHER);
    assert_int_equal(event.time_ns, 4);
}

static void a_record_without_room_for_its_time_has_none(void **state)
{
    struct sampler_event event;

    (void)state;
    assert_int_equal(decode_time(SLICE("\4\0\0\0\0\0\x8\0")), 0);
    assert_false(decode_record(SLICE("\4\0\0\0\0\0\x8\0"), &perf_builder_form, &event));
    assert_false(decode_record(SLICE("\x3\0\0\0\0\0\x10\0\1\0\0\0\2\0\0\0"), &perf_builder_form, &event));
    assert_false(decode_record(SLICE("\x63\0\0\0\0\0\x10\0\1\0\0\0\2\0\0\0"), &perf_builder_form, &event));
    assert_int_equal(decode_time(SLICE("\x3\0\0\0\0\0\x18\0\1\0\0\0\2\0\0\0\1\0\0\0\2\0\0\0")), 0);
    assert_int_equal(decode_time(SLICE("\x9\0\0\0\0\0\x8\0")), 0);
    assert_int_equal(decode_time(SLICE("")), 0);
}

static void a_switch_tells_which_thread_came_or_went(void **state)
{
    static const struct {
        size_t body_bytes;
        uint32_t type;
        uint16_t misc;
        bool is_out, is_ready;
    } all[] = {
        {0, PERF_RECORD_SWITCH, 0, false, false},
        {0, PERF_RECORD_SWITCH, PERF_RECORD_MISC_SWITCH_OUT, true, false},
        {0, PERF_RECORD_SWITCH, PERF_RECORD_MISC_SWITCH_OUT | PERF_RECORD_MISC_SWITCH_OUT_PREEMPT, true,
         true},
        {8, PERF_RECORD_SWITCH_CPU_WIDE, PERF_RECORD_MISC_SWITCH_OUT, true, false}, /* and to whom */
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(all); i++) {
        SCOPED(text_done) struct text ring = {0};
        struct sampler_event event;

        perf_builder_add(&ring, all[i].type, all[i].misc,
                         (struct slice){"\x63\0\0\0\x64\0\0\0", all[i].body_bytes}, 777);
        assert_true(decode_record(text_slice(&ring), &perf_builder_form, &event));
        assert_int_equal(event.kind, SAMPLER_SWITCH);
        assert_int_equal(event.pid, 11);
        assert_int_equal(event.tid, 12);
        assert_int_equal(event.time_ns, 777);
        assert_int_equal(event.switched.is_out, all[i].is_out);
        assert_int_equal(event.switched.is_ready, all[i].is_ready);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sample_has_its_place_thread_time_and_period),
        cmocka_unit_test(a_sample_without_its_period_stands_for_the_fixed_one),
        cmocka_unit_test(registers_come_under_their_dwarf_numbers),
        cmocka_unit_test(the_stack_is_what_was_copied_not_the_room_for_it),
        cmocka_unit_test(a_copy_longer_than_its_room_is_refused),
        cmocka_unit_test(a_sample_may_come_without_registers_and_stack),
        cmocka_unit_test(calls_in_the_kernel_are_those_behind_its_mark),
        cmocka_unit_test(more_calls_than_the_record_holds_are_refused),
        cmocka_unit_test(registers_of_a_32_bit_program_are_not_taken),
        cmocka_unit_test(a_sample_cut_anywhere_is_refused),
        cmocka_unit_test(a_mapping_has_its_file_and_build_id),
        cmocka_unit_test(the_device_and_inode_of_a_file_are_no_build_id),
        cmocka_unit_test(a_mapping_past_the_last_address_is_refused),
        cmocka_unit_test(a_name_without_its_end_is_refused),
        cmocka_unit_test(forks_and_exits_tell_child_and_parent),
        cmocka_unit_test(lost_records_are_counted_in_both_forms),
        cmocka_unit_test(throttling_is_told_and_unknown_records_are_let_pass),
        cmocka_unit_test(a_record_without_room_for_its_time_has_none),
        cmocka_unit_test(a_switch_tells_which_thread_came_or_went),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "cmocka_all.h"

#include "jit_dump_builder.h"
#include "symbolize/jit/record.h"

static struct jit_header header_of(struct slice bytes)
{
    struct jit_header header;
    struct error err = {0};

    assert_int_equal(jit_header_read(bytes, &header, &err), 0);
    return header;
}

static const char *refused(struct slice bytes)
{
    static struct error err;
    struct jit_header header;

    err = (struct error){0};
    assert_int_equal(jit_header_read(bytes, &header, &err), -1);
    assert_int_equal(err.kind, ERROR_FORMAT);
    return err.message;
}

/* What stands behind the header. */
static struct slice records_of(const struct jit_dump_builder *builder)
{
    return slice_range(text_slice(&builder->bytes), JIT_HEADER_BYTES, SIZE_MAX);
}

static bool read_record(const struct jit_dump_builder *builder, struct slice bytes, struct jit_record *out)
{
    const struct jit_header header = header_of(text_slice(&builder->bytes));

    return jit_record_read(&header, bytes, out);
}

static void of_either_order_of_bytes_all_is_read(void **state)
{
    (void)state;
    for (int is_big_endian = 0; is_big_endian <= 1; is_big_endian++) {
        SCOPED(jit_dump_builder_done) struct jit_dump_builder builder;
        struct jit_header header;
        struct jit_record record;

        jit_dump_builder_init(&builder, is_big_endian, 0);
        jit_dump_add_load(&builder, 77, 0x7f0000001000, 0x20, "f");
        header = header_of(text_slice(&builder.bytes));
        assert_int_equal(header.is_big_endian, is_big_endian);
        assert_int_equal(header.length_bytes, JIT_HEADER_BYTES);
        assert_int_equal(header.pid, BUILT_PID);
        assert_false(header.has_own_clock);
        assert_true(read_record(&builder, records_of(&builder), &record));
        assert_int_equal(record.kind, JIT_LOAD);
        assert_int_equal(record.length_bytes, records_of(&builder).length);
        assert_int_equal(record.time_ns, 77);
        assert_int_equal(record.pid, BUILT_PID);
        assert_int_equal(record.start_avma, 0x7f0000001000);
        assert_int_equal(record.end_avma, 0x7f0000001020);
        assert_int_equal(record.code_index, 0x7f0000001000);
        assert_true(slice_is(record.name, "f"));
    }
}

static void code_that_is_moved_is_told_by_where_it_is_then(void **state)
{
    SCOPED(jit_dump_builder_done) struct jit_dump_builder builder;
    struct jit_record record;

    (void)state;
    jit_dump_builder_init(&builder, false, 0);
    jit_dump_add_move(&builder, 78, 5, 0x2000, 0x10);
    assert_int_equal(records_of(&builder).length, JIT_MOVE_BYTES);
    assert_true(read_record(&builder, records_of(&builder), &record));
    assert_int_equal(record.kind, JIT_MOVE);
    assert_int_equal(record.start_avma, 0x2000);
    assert_int_equal(record.end_avma, 0x2010);
    assert_int_equal(record.code_index, 5);
    assert_int_equal(record.name.length, 0);
    assert_true(read_record(&builder, slice_range(records_of(&builder), 0, JIT_MOVE_BYTES - 1), &record));
    assert_int_equal(record.kind, JIT_OTHER);
}

static void a_header_of_another_form_is_refused(void **state)
{
    SCOPED(jit_dump_builder_done) struct jit_dump_builder builder;
    struct slice bytes;

    (void)state;
    jit_dump_builder_init(&builder, false, 1);
    bytes = text_slice(&builder.bytes);
    assert_true(header_of(bytes).has_own_clock);
    assert_string_equal(refused(slice_range(bytes, 0, JIT_HEADER_BYTES - 1)), "its header is cut");
    assert_string_equal(refused(slice_range(bytes, 0, 3)), "no jitdump file");
    assert_string_equal(refused(SLICE("")), "no jitdump file");
    assert_string_equal(refused(SLICE("\177ELF and what follows, more than a header")), "no jitdump file");
    builder.bytes.data[8] = JIT_HEADER_BYTES + 8;
    assert_int_equal(header_of(bytes).length_bytes, JIT_HEADER_BYTES + 8);
    builder.bytes.data[8] = JIT_HEADER_BYTES - 1;
    assert_string_equal(refused(bytes), "its header is cut");
    builder.bytes.data[8] = JIT_HEADER_BYTES;
    builder.bytes.data[4] = 2;
    assert_string_equal(refused(bytes), "version 2, of which nothing is known");
}

static void of_a_record_that_is_cut_counts_what_is_there(void **state)
{
    enum { NAME_END = JIT_LOAD_BYTES + sizeof("name") };
    SCOPED(jit_dump_builder_done) struct jit_dump_builder builder;
    struct slice bytes;
    struct jit_record record;

    (void)state;
    jit_dump_builder_init(&builder, false, 0);
    jit_dump_add_load(&builder, 1, 0x1000, 0x20, "name");
    bytes = records_of(&builder);
    for (size_t length = 0; length <= bytes.length; length++) {
        bool is_there = read_record(&builder, slice_range(bytes, 0, length), &record);

        assert_int_equal(is_there, length >= JIT_RECORD_BYTES);
        if (is_there)
            assert_int_equal(record.kind, length >= NAME_END ? JIT_LOAD : JIT_OTHER);
    }
    assert_true(slice_is(record.name, "name"));
}

static void a_length_that_cannot_be_ends_all(void **state)
{
    SCOPED(jit_dump_builder_done) struct jit_dump_builder builder;
    struct jit_record record;
    char *length = NULL;

    (void)state;
    jit_dump_builder_init(&builder, false, 0);
    jit_dump_add_load(&builder, 1, 0x1000, 0x20, "name");
    length = builder.bytes.data + JIT_HEADER_BYTES + 4;
    *length = JIT_RECORD_BYTES - 1;
    assert_false(read_record(&builder, records_of(&builder), &record));
    /* What is behind a record's end is none of it. */
    *length = JIT_RECORD_BYTES;
    assert_true(read_record(&builder, records_of(&builder), &record));
    assert_int_equal(record.kind, JIT_OTHER);
    *length = JIT_LOAD_BYTES + 2;
    assert_true(read_record(&builder, records_of(&builder), &record));
    assert_int_equal(record.kind, JIT_OTHER);
}

static void what_tells_of_no_code_is_no_code(void **state)
{
    static const struct {
        uint64_t avma;
        uint64_t size_bytes;
    } ranges[] = {{UINT64_MAX - 3, 4}, {UINT64_MAX, UINT64_MAX}, {0x1000, 0}};

    (void)state;
    for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
        SCOPED(jit_dump_builder_done) struct jit_dump_builder builder;
        struct jit_record record;

        jit_dump_builder_init(&builder, false, 0);
        jit_dump_add_move(&builder, 1, 1, ranges[i].avma, ranges[i].size_bytes);
        assert_true(read_record(&builder, records_of(&builder), &record));
        assert_int_equal(record.kind, JIT_OTHER);
        builder.bytes.length = JIT_HEADER_BYTES;
        jit_dump_add_record(&builder, 3 + (uint32_t)i, 1, JIT_MOVE_BYTES - JIT_RECORD_BYTES);
        text_add_repeated(&builder.bytes, 1, JIT_MOVE_BYTES - JIT_RECORD_BYTES);
        assert_true(read_record(&builder, records_of(&builder), &record));
        assert_int_equal(record.kind, JIT_OTHER);
        builder.bytes.length = JIT_HEADER_BYTES;
        jit_dump_add_load(&builder, 1, 0x1000, 4, "");
        assert_true(read_record(&builder, records_of(&builder), &record));
        assert_int_equal(record.kind, JIT_OTHER);
    }
}

static void of_a_name_that_is_too_long_the_start_counts(void **state)
{
    (void)state;
    for (size_t more = 0; more <= 2; more++) {
        SCOPED(jit_dump_builder_done) struct jit_dump_builder builder;
        SCOPED(text_done) struct text name = {0};
        struct jit_record record;

        text_add_repeated(&name, 'n', JIT_NAME_MOST_BYTES - 1 + more);
        jit_dump_builder_init(&builder, false, 0);
        jit_dump_add_load(&builder, 1, 0x1000, 4, text_string(&name));
        assert_true(read_record(&builder, slice_range(records_of(&builder), 0, 4096), &record));
        assert_int_equal(record.kind, JIT_LOAD);
        assert_int_equal(record.name.length, JIT_NAME_MOST_BYTES - (more == 0));
        assert_true(read_record(&builder, records_of(&builder), &record));
        assert_int_equal(record.name.length, JIT_NAME_MOST_BYTES - (more == 0));
    }
}

static void lines_are_told_by_the_code_that_they_are_of(void **state)
{
    SCOPED(jit_dump_builder_done) struct jit_dump_builder builder;
    struct jit_record record;

    (void)state;
    jit_dump_builder_init(&builder, false, 0);
    jit_dump_add_lines(&builder, 0x1000, (struct jit_line_built[]){{0x1000, 3, "/a.js"}}, 1);
    assert_true(read_record(&builder, records_of(&builder), &record));
    assert_int_equal(record.kind, JIT_LINES);
    assert_false(jit_record_is_code(&record));
    assert_int_equal(record.start_avma, 0x1000);
    assert_int_equal(record.length_bytes, records_of(&builder).length);
    assert_true(read_record(&builder, slice_range(records_of(&builder), 0, JIT_LINES_BYTES - 1), &record));
    assert_int_equal(record.kind, JIT_OTHER);
}

static void the_lines_of_v8_are_told_by_its_mark(void **state)
{
    static const struct {
        char machine;
        uint32_t lines_bytes;
    } machines[] = {{62, 0x40}, {3, 0x34}, {40, 0x34}};

    (void)state;
    for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
        SCOPED(jit_dump_builder_done) struct jit_dump_builder builder;

        jit_dump_builder_init(&builder, false, 0);
        builder.bytes.data[12] = machines[i].machine;
        assert_int_equal(header_of(text_slice(&builder.bytes)).lines_bytes, 0);
        jit_dump_mark_v8(&builder);
        assert_true(header_of(text_slice(&builder.bytes)).is_of_v8);
        assert_int_equal(header_of(text_slice(&builder.bytes)).lines_bytes, machines[i].lines_bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_either_order_of_bytes_all_is_read),
        cmocka_unit_test(code_that_is_moved_is_told_by_where_it_is_then),
        cmocka_unit_test(a_header_of_another_form_is_refused),
        cmocka_unit_test(of_a_record_that_is_cut_counts_what_is_there),
        cmocka_unit_test(a_length_that_cannot_be_ends_all),
        cmocka_unit_test(what_tells_of_no_code_is_no_code),
        cmocka_unit_test(of_a_name_that_is_too_long_the_start_counts),
        cmocka_unit_test(lines_are_told_by_the_code_that_they_are_of),
        cmocka_unit_test(the_lines_of_v8_are_told_by_its_mark),
    };

    return cmocka_run_group_tests_name("jit_record", tests, NULL, NULL);
}

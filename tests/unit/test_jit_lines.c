#include "cmocka_all.h"

#include <string.h>

#include "jit_dump_builder.h"
#include "symbolize/jit/lines.h"

enum { CODE_AVMA = 0x7f0000001000, CODE_BYTES = 0x100 };

struct fixture {
    struct jit_dump_builder builder;
    struct jit_lines lines;
    const char *name; /* of the code */
};

static void set_up(struct fixture *f)
{
    *f = (struct fixture){.name = "f"};
    jit_dump_builder_init(&f->builder, false, 0);
}

static void fixture_done(struct fixture *f)
{
    jit_lines_done(&f->lines);
    jit_dump_builder_done(&f->builder);
}

static struct slice record_of(const struct fixture *f)
{
    return slice_range(text_slice(&f->builder.bytes), JIT_HEADER_BYTES, SIZE_MAX);
}

static bool read_bytes(struct fixture *f, struct slice record)
{
    const struct jit_record code = {.kind = JIT_LOAD,
                                    .start_avma = CODE_AVMA,
                                    .end_avma = CODE_AVMA + CODE_BYTES,
                                    .name = slice_of(f->name)};
    struct jit_header header;
    struct error err = {0};
    bool is_read = false;

    assert_int_equal(jit_header_read(text_slice(&f->builder.bytes), &header, &err), 0);
    is_read = jit_lines_read(&header, record, &code, &f->lines);
    if (!is_read)
        assert_null(jit_lines_at(&f->lines, CODE_BYTES));
    return is_read;
}

static bool read_lines(struct fixture *f, const struct jit_line_built *lines, size_t count)
{
    f->builder.bytes.length = JIT_HEADER_BYTES;
    jit_dump_add_lines(&f->builder, CODE_AVMA, lines, count);
    return read_bytes(f, record_of(f));
}

static void assert_line(const struct fixture *f, uint64_t offset, const char *file, uint32_t number)
{
    const struct jit_line *line = jit_lines_at(&f->lines, offset);

    assert_non_null(line);
    assert_true(slice_is(line->file, file));
    assert_int_equal(line->line, number);
}

static void a_line_counts_from_its_address_to_the_next(void **state)
{
    const struct jit_line_built lines[] = {
        {CODE_AVMA + 4, 3, "/a.js"},         {CODE_AVMA + 8, 5, "\xff"},
        {CODE_AVMA + 8, 6, "/b.js"}, /* the last of one address */
        {CODE_AVMA + 6, 4, "/a.js"}, /* not in order */
        {CODE_AVMA + CODE_BYTES, 0, "\xff"},
    };

    (void)state;
    for (int is_big_endian = 0; is_big_endian <= 1; is_big_endian++) {
        SCOPED(fixture_done) struct fixture f;

        set_up(&f);
        jit_dump_builder_done(&f.builder);
        jit_dump_builder_init(&f.builder, is_big_endian, 0);
        assert_true(read_lines(&f, lines, 5));
        assert_null(jit_lines_at(&f.lines, 3));
        assert_line(&f, 4, "/a.js", 3);
        assert_line(&f, 6, "/a.js", 4);
        assert_line(&f, 7, "/a.js", 4);
        assert_line(&f, 8, "/b.js", 6);
        assert_line(&f, CODE_BYTES - 1, "/b.js", 6);
        assert_line(&f, UINT64_MAX, "/a.js", 0);
        assert_true(read_lines(&f, NULL, 0));
        assert_null(jit_lines_at(&f.lines, UINT64_MAX));
    }
}

static void of_lines_that_cannot_all_be_the_codes_none_counts(void **state)
{
    static const struct jit_line_built wrong[] = {
        {CODE_AVMA - 1, 3, "/a.js"},
        {CODE_AVMA + CODE_BYTES + 1, 3, "/a.js"},
        {0, 3, "/a.js"},
        {CODE_AVMA, 3, "/a\x04.js"},
        {CODE_AVMA, 3, "/a\xdb.js"},
        {CODE_AVMA, 1U << 31, "/a.js"},
    };
    SCOPED(fixture_done) struct fixture f;

    (void)state;
    set_up(&f);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        const struct jit_line_built lines[] = {{CODE_AVMA, 1, "/a.js"}, wrong[i]};

        assert_false(read_lines(&f, lines, 2));
        assert_true(read_lines(&f, lines, 1));
    }
    assert_false(read_lines(&f, (struct jit_line_built[]){{CODE_AVMA, 1, "\xff"}}, 1));
}

static void of_a_record_that_is_cut_or_of_another_count_none_counts(void **state)
{
    const struct jit_line_built lines[] = {{CODE_AVMA, 1, "/a.js"}, {CODE_AVMA + 8, 2, "/b.js"}};
    enum { COUNT_AT = JIT_HEADER_BYTES + 24, WHOLE_BYTES = 32 + 2 * (16 + 6) };
    SCOPED(fixture_done) struct fixture f;

    (void)state;
    set_up(&f);
    assert_true(read_lines(&f, lines, 2));
    for (size_t length = 0; length <= record_of(&f).length; length++)
        assert_int_equal(read_bytes(&f, slice_range(record_of(&f), 0, length)), length >= WHOLE_BYTES);
    f.builder.bytes.data[COUNT_AT] = 1;
    assert_false(read_bytes(&f, record_of(&f)));
    f.builder.bytes.data[COUNT_AT] = 3;
    assert_false(read_bytes(&f, record_of(&f)));
    memset(f.builder.bytes.data + COUNT_AT, 0xff, 8);
    assert_false(read_bytes(&f, record_of(&f)));
}

static void of_v8_addresses_are_behind_the_header_of_an_elf_file(void **state)
{
    const struct jit_line_built lines[] = {{CODE_AVMA + 0x40, 3, "/a.js"}, {CODE_AVMA + 0x48, 4, "/a.js"}};
    SCOPED(fixture_done) struct fixture f;

    (void)state;
    set_up(&f);
    jit_dump_mark_v8(&f.builder);
    assert_true(read_lines(&f, lines, 2));
    assert_line(&f, 0, "/a.js", 3);
    assert_line(&f, 7, "/a.js", 3);
    assert_line(&f, 8, "/a.js", 4);
    assert_false(read_lines(&f, (struct jit_line_built[]){{CODE_AVMA + 0x3f, 3, "/a.js"}}, 1));
}

/* Bytes in the place of all names, a NUL among them. */
static void damage_names(struct fixture *f, size_t count, size_t name_length)
{
    for (size_t i = 0; i < count; i++)
        memcpy(f->builder.bytes.data + JIT_HEADER_BYTES + 32 + i * (16 + name_length + 1) + 16, "h\xdb\0\1",
               4);
}

static void of_v8_the_name_of_the_code_tells_a_file_whose_name_is_damaged(void **state)
{
    const struct jit_line_built lines[] = {{CODE_AVMA + 0x40, 3, "/my src/a.js"},
                                           {CODE_AVMA + 0x48, 4, "/my src/a.js"},
                                           {CODE_AVMA + 0x50, 5, "/my src/a.js"}};
    static const char *const others[] = {
        "JS:*f /my src/aa.js:3:14", "JS:*f /my src/a.js", "JS:*f/my src/a.js:3:14",
        "/my src/a.js:3:14",        "JS:*f src/a.js:3:1", "",
    };
    SCOPED(fixture_done) struct fixture f;

    (void)state;
    set_up(&f);
    jit_dump_mark_v8(&f.builder);
    assert_true(read_lines(&f, lines, 3));
    damage_names(&f, 3, strlen(lines[0].file));
    f.name = "JS:*f /my src/a.js:3:14";
    assert_true(read_bytes(&f, record_of(&f)));
    assert_line(&f, 0, "/my src/a.js", 3);
    assert_line(&f, 0x10, "/my src/a.js", 5);
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        f.name = others[i];
        assert_false(read_bytes(&f, record_of(&f)));
    }
    /* Of others than V8 nobody knows what stands there. */
    f.name = "JS:*f /my src/a.js:3:14";
    memset(f.builder.bytes.data + 16, 0, 4);
    assert_false(read_bytes(&f, record_of(&f)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_counts_from_its_address_to_the_next),
        cmocka_unit_test(of_lines_that_cannot_all_be_the_codes_none_counts),
        cmocka_unit_test(of_a_record_that_is_cut_or_of_another_count_none_counts),
        cmocka_unit_test(of_v8_addresses_are_behind_the_header_of_an_elf_file),
        cmocka_unit_test(of_v8_the_name_of_the_code_tells_a_file_whose_name_is_damaged),
    };

    return cmocka_run_group_tests_name("jit_lines", tests, NULL, NULL);
}

#include "cmocka_all.h"

#include <stdio.h>

#include "base/text.h"
#include "elf/archive.h"

struct fixture {
    struct text file;
    struct archive archive;
    struct error err;
};

static int set_up(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){.archive = {.descriptor = -1}};
    text_add_string(&fixture.file, "!<arch>\n");
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    archive_close(&f->archive);
    text_done(&f->file);
    return 0;
}

/* Returns where the member's header stands. */
static size_t add(struct fixture *f, const char *name, struct slice data)
{
    size_t offset = f->file.length;

    text_format(&f->file, "%-16s%-12s%-6s%-6s%-8s%-10zu`\n", name, "0", "0", "0", "644", data.length);
    text_add(&f->file, data);
    if (data.length % 2)
        text_add_byte(&f->file, '\n');
    return offset;
}

static int open_it(struct fixture *f)
{
    return archive_open_bytes(text_slice(&f->file), "lib.a", &f->archive, &f->err);
}

static struct slice data_of(struct fixture *f, size_t member)
{
    struct slice data = {0};

    assert_int_equal(archive_read_member(&f->archive, &f->archive.members.items[member], &f->archive.arena,
                                         &data, &f->err),
                     0);
    return data;
}

static void members_have_names_and_data(void **state)
{
    struct fixture *f = *state;

    add(f, "//", SLICE("a-name-longer-than-16-bytes.o/\nsecond.o/\n"));
    add(f, "short.o/", SLICE("abc"));
    add(f, "/0", SLICE("defg"));
    add(f, "/31", SLICE(""));
    add(f, "plain", SLICE("x"));
    add(f, "#1/20", SLICE("a bsd name.o\0\0\0\0\0\0\0\0data"));
    assert_int_equal(open_it(f), 0);
    assert_int_equal(f->archive.members.count, 5);
    assert_true(slice_is(f->archive.members.items[0].name, "short.o"));
    assert_true(slice_is(data_of(f, 0), "abc"));
    assert_true(slice_is(f->archive.members.items[1].name, "a-name-longer-than-16-bytes.o"));
    assert_true(slice_is(data_of(f, 1), "defg"));
    assert_true(slice_is(f->archive.members.items[2].name, "second.o"));
    assert_int_equal(f->archive.members.items[2].size_bytes, 0);
    assert_true(slice_is(f->archive.members.items[3].name, "plain"));
    assert_true(slice_is(f->archive.members.items[4].name, "a bsd name.o"));
    assert_true(slice_is(data_of(f, 4), "data"));
}

static void the_index_leads_from_symbols_to_members(void **state)
{
    struct fixture *f = *state;
    size_t index = f->file.length + 60;

    add(f, "/", SLICE("\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\7one\0two\0gone\0"));
    f->file.data[index + 7] = (char)add(f, "a.o/", SLICE("aa"));
    f->file.data[index + 11] = (char)add(f, "b.o/", SLICE("bb"));
    assert_int_equal(open_it(f), 0);
    assert_int_equal(f->archive.symbols.count, 2);
    assert_true(slice_is(f->archive.symbols.items[0].name, "one"));
    assert_int_equal(f->archive.symbols.items[0].member, 0);
    assert_true(slice_is(f->archive.symbols.items[1].name, "two"));
    assert_int_equal(f->archive.symbols.items[1].member, 1);
    assert_int_equal(f->archive.damaged_count, 1);
}

static void an_index_that_lies_about_its_size_is_counted_as_damaged(void **state)
{
    struct fixture *f = *state;

    add(f, "/", SLICE("\177\377\377\377\0\0\0\0"));
    assert_int_equal(open_it(f), 0);
    assert_int_equal(f->archive.symbols.count, 0);
    assert_int_equal(f->archive.damaged_count, 1);
}

static void an_empty_archive_has_no_members(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(open_it(f), 0);
    assert_int_equal(f->archive.members.count, 0);
}

static void assert_refused(struct fixture *f, const char *message)
{
    f->archive.damaged_count = 42;
    assert_int_equal(open_it(f), -1);
    assert_int_equal(f->err.kind, ERROR_FORMAT);
    assert_string_equal(f->err.message, message);
    assert_int_equal(f->archive.damaged_count, 42);
    f->archive.damaged_count = 0;
}

static void what_is_damaged_is_refused_with_its_place(void **state)
{
    struct fixture *f = *state;

    add(f, "a.o/", SLICE("aa"));
    text_add_string(&f->file, "!");
    assert_refused(f, "lib.a: damaged archive: the member at offset 70 is cut short");
    f->file.length--;
    f->file.data[8 + 58] = '?';
    assert_refused(f, "lib.a: damaged archive: the member at offset 8 has no header");
    f->file.data[8 + 58] = '`';
    f->file.data[8 + 48] = '3';
    assert_refused(f, "lib.a: damaged archive: the member at offset 8 goes past the end of the file");
    f->file.data[8 + 48] = 'x';
    assert_refused(f, "lib.a: damaged archive: the member at offset 8 has no header");
}

static void a_name_longer_than_its_member_is_refused(void **state)
{
    struct fixture *f = *state;

    add(f, "#1/200", SLICE("aa"));
    assert_refused(f, "lib.a: damaged archive: the member at offset 8 has a name longer than itself");
}

static void what_is_no_archive_is_refused(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(archive_open_bytes(SLICE("!<thin>\n"), "x", &f->archive, &f->err), -1);
    assert_string_equal(f->err.message, "x: not an archive");
    assert_int_equal(archive_open_bytes(SLICE("!<ar"), "x", &f->archive, &f->err), -1);
    assert_int_equal(archive_open("/nowhere/x.a", &f->archive, &f->err), -1);
    assert_int_equal(f->err.kind, ERROR_IO);
    assert_int_equal(archive_open("/", &f->archive, &f->err), -1);
    assert_string_equal(f->err.message, "/: not a regular file");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(members_have_names_and_data),
        TEST(the_index_leads_from_symbols_to_members),
        TEST(an_index_that_lies_about_its_size_is_counted_as_damaged),
        TEST(an_empty_archive_has_no_members),
        TEST(what_is_damaged_is_refused_with_its_place),
        TEST(a_name_longer_than_its_member_is_refused),
        TEST(what_is_no_archive_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

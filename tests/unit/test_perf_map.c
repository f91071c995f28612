#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "symbolize/perf_map.h"

/* The name at the address; NULL for none. The result is in a buffer of its own. */
static const char *name_at(const char *lines, uint64_t avma)
{
    static char name[64];
    SCOPED(perf_map_done) struct perf_map map = {0};
    const struct perf_map_code *code = NULL;

    perf_map_parse(slice_of(lines), &map);
    code = perf_map_find(&map, avma);
    if (!code)
        return NULL;
    assert_true(code->start_avma <= avma && avma < code->end_avma);
    snprintf(name, sizeof(name), "%.*s", SLICE_ARGUMENTS(code->name));
    return name;
}

static void code_has_the_name_that_its_line_tells(void **state)
{
    static const char lines[] = "1000 10 first\n"
                                "1020 8 py::f:/a b.py  \r\n"
                                "0x7fff00000000 0x20 last";

    (void)state;
    assert_null(name_at(lines, 0xfff));
    assert_string_equal(name_at(lines, 0x1000), "first");
    assert_string_equal(name_at(lines, 0x100f), "first");
    assert_null(name_at(lines, 0x1010));
    assert_string_equal(name_at(lines, 0x1027), "py::f:/a b.py");
    assert_string_equal(name_at(lines, 0x7fff0000001f), "last");
    assert_null(name_at(lines, 0x7fff00000020));
    assert_null(name_at("", 0));
}

static void of_code_in_one_place_the_last_told_counts(void **state)
{
    static const char lines[] = "1000 100 old\n"
                                "1010 20 inner\n"
                                "1020 20 across\n"
                                "0ff0 18 before\n";

    (void)state;
    assert_string_equal(name_at(lines, 0xff0), "before");
    assert_string_equal(name_at(lines, 0x1007), "before");
    assert_string_equal(name_at(lines, 0x1008), "old");
    assert_string_equal(name_at(lines, 0x1010), "inner");
    assert_string_equal(name_at(lines, 0x101f), "inner");
    assert_string_equal(name_at(lines, 0x1020), "across");
    assert_string_equal(name_at(lines, 0x103f), "across");
    assert_string_equal(name_at(lines, 0x1040), "old");
    assert_string_equal(name_at("1000 10 a\n1000 10 b\n", 0x1000), "b");
}

static void lines_of_another_form_are_left_out(void **state)
{
    static const char *const lines[] = {"1000",
                                        "1000 10",
                                        "1000 10 ",
                                        "1000 10  \t",
                                        "1000 0 f",
                                        "x000 10 f",
                                        "1000 1g f",
                                        "1000  10 f",
                                        " 1000 10 f",
                                        "1000\t10\tf",
                                        "ffffffffffffffff 1 f",
                                        "1ffffffffffffffff 1 f"};

    (void)state;
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
        if (name_at(lines[i], 0x1000) || name_at(lines[i], UINT64_MAX))
            fail_msg("\"%s\" is taken", lines[i]);
    assert_string_equal(name_at("nonsense\n1000 10 good\n", 0x1000), "good");
    assert_string_equal(name_at("fffffffffffffffe 1 f", UINT64_MAX - 1), "f");
}

/* Quadratic work would not end in time. */
static void many_lines_that_cover_each_other_take_no_longer(void **state)
{
    enum { LINES = 200000 };
    SCOPED(text_done) struct text lines = {0};
    SCOPED(perf_map_done) struct perf_map map = {0};

    (void)state;
    for (unsigned i = 0; i < LINES; i++)
        text_format(&lines, "%x %x f%u\n", 0x10000000 - i, 2 * i + 1, i);
    perf_map_parse(text_slice(&lines), &map);
    assert_int_equal(map.bound_count, 2 * LINES);
    assert_true(slice_starts_with(perf_map_find(&map, 0x10000000)->name, SLICE("f199999")));
}

static void lines_past_the_limit_are_left_out(void **state)
{
    SCOPED(text_done) struct text lines = {0};
    SCOPED(perf_map_done) struct perf_map map = {0};

    (void)state;
    for (unsigned i = 0; i <= PERF_MAP_MOST_LINES; i++)
        text_format(&lines, "%x 1 f\n", 0x1000 + i);
    perf_map_parse(text_slice(&lines), &map);
    assert_non_null(perf_map_find(&map, 0x1000 + PERF_MAP_MOST_LINES - 1));
    assert_null(perf_map_find(&map, 0x1000 + PERF_MAP_MOST_LINES));
}

static int enter_folder(void **state)
{
    static char folder[] = "/tmp/perf_map_XXXXXX";

    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    *state = folder;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
    static const char *const names[] = {"map", "link", "pipe"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        unlink(names[i]);
    return chdir("/") < 0 || rmdir(*state) < 0 ? -1 : 0;
}

static void a_file_of_ours_is_read(void **state)
{
    SCOPED(text_done) struct text content = {0};
    struct error err = {0};

    (void)state;
    assert_int_equal(perf_map_read("map", &content, &err), -1);
    assert_int_equal(err.kind, ERROR_MISSING);
    assert_int_equal(file_replace("map", SLICE("1000 1 f\n"), &err), 0);
    assert_int_equal(perf_map_read("map", &content, &err), 0);
    assert_true(slice_is(text_slice(&content), "1000 1 f\n"));
}

static void what_someone_else_may_have_put_there_is_refused(void **state)
{
    SCOPED(text_done) struct text content = {0};
    struct error err = {0};

    (void)state;
    assert_int_equal(file_replace("map", SLICE("1000 1 f\n"), &err), 0);
    assert_int_equal(symlink("map", "link"), 0);
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_int_equal(perf_map_read("link", &content, &err), -1);
    assert_int_equal(err.kind, ERROR_DENIED);
    assert_int_equal(perf_map_read("pipe", &content, &err), -1);
    assert_int_equal(err.kind, ERROR_DENIED);
    assert_int_equal(perf_map_read(".", &content, &err), -1);
    assert_int_equal(err.kind, ERROR_DENIED);
    if (geteuid() == 0) {
        assert_int_equal(chown("map", 1234, 1234), 0);
        assert_int_equal(chmod("map", 0644), 0);
        assert_int_equal(chmod(".", 0755), 0);
        assert_int_equal(perf_map_read("map", &content, &err), 0);
        assert_int_equal(seteuid(65534), 0);
        assert_int_equal(perf_map_read("map", &content, &err), -1);
        assert_int_equal(seteuid(0), 0);
        assert_string_equal(err.message, "map is not a regular file of ours");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_has_the_name_that_its_line_tells),
        cmocka_unit_test(of_code_in_one_place_the_last_told_counts),
        cmocka_unit_test(lines_of_another_form_are_left_out),
        cmocka_unit_test(many_lines_that_cover_each_other_take_no_longer),
        cmocka_unit_test(lines_past_the_limit_are_left_out),
        cmocka_unit_test_setup_teardown(a_file_of_ours_is_read, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(what_someone_else_may_have_put_there_is_refused, enter_folder,
                                        leave_folder),
    };

    return cmocka_run_group_tests_name("perf_map", tests, NULL, NULL);
}

#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "built/run_report.h"

struct fixture {
    struct arena arena;
    struct text line;
    struct run_report report;
    struct error err;
};

static int set_up(void **state)
{
    *state = calloc(1, sizeof(struct fixture));
    return *state ? 0 : -1;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    text_done(&f->line);
    arena_done(&f->arena);
    free(f);
    return 0;
}

static int take(struct fixture *f, struct slice line)
{
    return run_report_take(&f->arena, line, &f->report, &f->err);
}

static size_t count_of(const char *const *changes, const char *change)
{
    size_t count = 0;

    for (; *changes; changes++)
        count += strcmp(*changes, change) == 0;
    return count;
}

static void what_was_written_is_what_is_read(void **state)
{
    static const char *const arguments[] = {"target/app", "", "a b\n\xff", "--bench", NULL};
    static const char *const variables[] = {"RUN_REPORT_NEW=\x01 x=y\n", "RUN_REPORT_BOTH=2",
                                            RUN_REPORT_VARIABLE "=1", NULL};
    struct fixture *f = *state;

    setenv("RUN_REPORT_BOTH", "1", 1);
    setenv("RUN_REPORT_OURS", "1", 1);
    run_report_add(&f->line, "/a folder", arguments, variables);
    assert_true(slice_ends_with(text_slice(&f->line), SLICE("\n")));
    assert_int_equal(take(f, slice_range(text_slice(&f->line), 0, f->line.length - 1)), 0);
    assert_string_equal(f->report.folder, "/a folder");
    for (size_t i = 0; i < ARRAY_COUNT(arguments) - 1; i++)
        assert_string_equal(f->report.arguments[i], arguments[i]);
    assert_null(f->report.arguments[4]);
    assert_int_equal(count_of(f->report.environment, variables[0]), 1);
    assert_int_equal(count_of(f->report.environment, variables[1]), 1);
    assert_int_equal(count_of(f->report.environment, "RUN_REPORT_BOTH"), 0);
    assert_int_equal(count_of(f->report.environment, "RUN_REPORT_OURS"), 1);
    assert_int_equal(count_of(f->report.environment, variables[2]), 0);
    unsetenv("RUN_REPORT_BOTH");
    unsetenv("RUN_REPORT_OURS");
}

static void other_lines_are_let_pass(void **state)
{
    static const char *const lines[] = {"", "{\"reason\":\"build-finished\"}", "cargo-cprof-start",
                                        "cargo-cprof-starts x2f 1 x61"};
    struct fixture *f = *state;

    for (size_t i = 0; i < ARRAY_COUNT(lines); i++)
        assert_int_equal(take(f, slice_of(lines[i])), 0);
    assert_null(f->report.arguments);
}

static void a_line_that_is_not_whole_is_refused_and_the_result_untouched(void **state)
{
    static const char *const lines[] = {
        "cargo-cprof-start ",           "cargo-cprof-start x2f",
        "cargo-cprof-start x2f 0 x61",  "cargo-cprof-start x2f 1",
        "cargo-cprof-start x2f x61",    "cargo-cprof-start 2f 1 x61",
        "cargo-cprof-start x2 1 x61",   "cargo-cprof-start x2f 1 x6g",
        "cargo-cprof-start x2f 1 xg6",  "cargo-cprof-start x2f 1 x00",
        "cargo-cprof-start x2f 1 x6A",  "cargo-cprof-start x2f 1  x61",
        "cargo-cprof-start x2f 1 x61 ", "cargo-cprof-start x2f 1 x61 y",
        "cargo-cprof-start x2f 1x61",   "cargo-cprof-start x2f 99999999999999999999 x61",
    };
    struct fixture *f = *state;

    f->report.folder = "as it was";
    for (size_t i = 0; i < ARRAY_COUNT(lines); i++) {
        if (take(f, slice_of(lines[i])) == 0)
            fail_msg("\"%s\" is taken", lines[i]);
        assert_int_equal(f->err.kind, ERROR_FORMAT);
        assert_string_equal(f->report.folder, "as it was");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_was_written_is_what_is_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_lines_are_let_pass, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_line_that_is_not_whole_is_refused_and_the_result_untouched, set_up,
                                        tear_down),
    };

    return cmocka_run_group_tests_name("run_report", tests, NULL, NULL);
}

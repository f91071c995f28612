/* Two files that are compared: how often each is read, and when. */
#include "scratch_folder.h"

#include "cargo/args.h"
#include "compare/asked.h"
#include "compare/compare.h"

static const struct option_spec own_specs[] = {{"color", 0, OPTION_VALUE, "WHEN", "Colour", NULL, NULL}};
static const struct option_table own_table = {"Own", own_specs, ARRAY_COUNT(own_specs)};
static const struct option_table *const tables[] = {&own_table, &compare_options, &outputs_options,
                                                    CARGO_OPTION_TABLES, NULL};
static const char *const usages[] = {"[FILE]", NULL};
static const struct command command = {
    .name = "bloatc",
    .summary = "A command",
    .description = "Compares files.",
    .usages = usages,
    .positional = "FILE",
    .positional_help = "The file",
    .tables = tables,
};

/* What the command was asked for. */
struct calls {
    struct rows rows[COMPARE_PLACES];
    size_t measured[COMPARE_PLACES];
    size_t checked;
    bool is_refused;
};

static struct calls calls;

static int measure(void *context, const struct compare_subject *subject, struct rows **out, struct error *err)
{
    struct calls *seen = context;
    struct rows *rows = &seen->rows[subject->place];

    *out = rows;
    seen->measured[subject->place]++;
    if (subject->place == COMPARE_BASE && seen->is_refused)
        return error_set(err, ERROR_FORMAT, "no code in it");
    rows->list_key = "functions";
    rows->noun = "function";
    rows_add_column(rows, (struct column){COLUMN_BYTES, "Size", "size", 0, 0});
    rows_add_column(rows, (struct column){COLUMN_TEXT, "Name", "name", 0, 0});
    return 0;
}

static int check(const struct options *options, struct error *err)
{
    (void)options;
    (void)err;
    calls.checked++;
    return 0;
}

static int compare_files(struct error *err)
{
    static const struct asked_option asked[] = {{NULL, NULL}};
    static const char *const not_for_files[] = {NULL};
    const char *const arguments[] = {"new", "--diff", "./old", "-o", "changes.json", NULL};
    SCOPED(options_done) struct options options = {0};
    struct outputs outputs = {.options = &options, .place = OUTPUTS_NOWHERE};
    struct compare_request request = {.options = &options,
                                      .outputs = &outputs,
                                      .measure = measure,
                                      .check_files = check,
                                      .context = &calls,
                                      .words = {.subject = ".text"},
                                      .not_for_files = not_for_files,
                                      .asked = asked};
    int result = 0;

    write_file("new", "\x7f");
    write_file("old", "\x7f");
    assert_int_equal(options_parse(&command, arguments, &options, err), 0);
    result = compare_run(&request, err);
    for (size_t i = 0; i < COMPARE_PLACES; i++)
        rows_done(&calls.rows[i]);
    return result;
}

static void each_is_measured_once_and_not_looked_at_before(void **state)
{
    struct error err = {0};

    (void)state;
    calls = (struct calls){0};
    assert_int_equal(compare_files(&err), 0);
    assert_int_equal(calls.measured[COMPARE_HEAD], 1);
    assert_int_equal(calls.measured[COMPARE_BASE], 1);
    assert_int_equal(calls.checked, 0);
}

static void a_base_that_cannot_be_measured_is_told_before_the_head_is(void **state)
{
    struct error err = {0};

    (void)state;
    calls = (struct calls){.is_refused = true};
    assert_int_equal(compare_files(&err), -1);
    assert_string_equal(err.message, "no code in it");
    assert_int_equal(calls.measured[COMPARE_HEAD], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_is_measured_once_and_not_looked_at_before, enter_folder,
                                        leave_folder),
        cmocka_unit_test_setup_teardown(a_base_that_cannot_be_measured_is_told_before_the_head_is,
                                        enter_folder, leave_folder),
    };

    return cmocka_run_group_tests_name("compare files", tests, NULL, NULL);
}

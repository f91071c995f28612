#include "cmocka_all.h"

#include <string.h>

#include "base/error.h"
#include "base/text.h"

/* `count` times 'x', NUL-terminated, from one buffer that the next call changes. */
static const char *long_word(size_t count)
{
    static char word[2000];

    memset(word, 'x', count);
    word[count] = '\0';
    return word;
}

static void setting_an_error_is_minus_one_and_keeps_kind_and_message(void **state)
{
    (void)state;
    struct error err = {0};

    assert_int_equal(error_set(&err, ERROR_FORMAT, "line %d: no %s", 3, "number"), -1);
    assert_int_equal(err.kind, ERROR_FORMAT);
    assert_int_equal(err.exit_code, EXIT_CODE_FAILED);
    assert_string_equal(err.message, "line 3: no number");
    assert_string_equal(err.hint, "");
}

static void a_wrong_command_line_has_an_exit_code_of_its_own(void **state)
{
    (void)state;
    struct error err = {0};

    assert_int_equal(error_set(&err, ERROR_USAGE, "unknown option"), -1);
    assert_int_equal(err.exit_code, EXIT_CODE_USAGE);
}

static void the_outermost_step_reads_first(void **state)
{
    (void)state;
    struct error err = {0};

    assert_int_equal(error_set(&err, ERROR_IO, "open x.json"), -1);
    assert_int_equal(error_wrap(&err, "reading %s", "baseline"), -1);
    assert_int_equal(error_wrap(&err, "diff"), -1);
    assert_string_equal(err.message, "diff: reading baseline: open x.json");
    assert_int_equal(err.kind, ERROR_IO);
}

static void a_hint_stays_whether_it_comes_before_or_after(void **state)
{
    (void)state;
    struct error before = {0};
    struct error after = {0};

    error_hint(&before, "run %s", "this");
    assert_int_equal(error_set(&before, ERROR_DENIED, "no right"), -1);
    assert_int_equal(error_wrap(&before, "outer"), -1);
    assert_string_equal(before.hint, "run this");
    assert_string_equal(before.message, "outer: no right");

    assert_int_equal(error_set(&after, ERROR_DENIED, "no right"), -1);
    error_hint(&after, "run that");
    assert_string_equal(after.hint, "run that");
    assert_string_equal(after.message, "no right");
}

static void what_just_fits_is_whole_and_one_byte_more_ends_in_dots(void **state)
{
    (void)state;
    struct error err = {0};
    const size_t most = sizeof(err.message) - 1;

    assert_int_equal(error_set(&err, ERROR_IO, "%s", long_word(most)), -1);
    assert_string_equal(err.message, long_word(most));

    assert_int_equal(error_set(&err, ERROR_IO, "%s", long_word(most + 1)), -1);
    assert_int_equal(strlen(err.message), most);
    assert_string_equal(err.message + most - 4, "x...");

    error_hint(&err, "%s", long_word(most + 1));
    assert_int_equal(strlen(err.hint), most);
    assert_string_equal(err.hint + most - 4, "x...");
}

static void wrapping_a_long_message_keeps_the_step_and_cuts_the_end(void **state)
{
    (void)state;
    struct error err = {0};
    const size_t most = sizeof(err.message) - 1;

    assert_int_equal(error_set(&err, ERROR_IO, "%s", long_word(most - 5)), -1);
    assert_int_equal(error_wrap(&err, "abc"), -1);
    assert_int_equal(strlen(err.message), most);
    assert_string_equal(err.message + most - 4, "xxxx");

    assert_int_equal(error_wrap(&err, "d"), -1);
    assert_int_equal(strlen(err.message), most);
    assert_true(slice_starts_with(slice_of(err.message), SLICE("d: abc: xxx")));
    assert_string_equal(err.message + most - 4, "x...");
}

static void wrapping_in_a_step_that_fills_the_message_ends_in_dots(void **state)
{
    (void)state;
    struct error err = {0};
    const size_t most = sizeof(err.message) - 1;

    assert_int_equal(error_set(&err, ERROR_IO, "cause"), -1);
    assert_int_equal(error_wrap(&err, "%s", long_word(most)), -1);
    assert_int_equal(strlen(err.message), most);
    assert_string_equal(err.message + most - 4, "x...");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(setting_an_error_is_minus_one_and_keeps_kind_and_message),
        cmocka_unit_test(a_wrong_command_line_has_an_exit_code_of_its_own),
        cmocka_unit_test(the_outermost_step_reads_first),
        cmocka_unit_test(a_hint_stays_whether_it_comes_before_or_after),
        cmocka_unit_test(what_just_fits_is_whole_and_one_byte_more_ends_in_dots),
        cmocka_unit_test(wrapping_a_long_message_keeps_the_step_and_cuts_the_end),
        cmocka_unit_test(wrapping_in_a_step_that_fills_the_message_ends_in_dots),
    };

    return cmocka_run_group_tests_name("error", tests, NULL, NULL);
}

#include "cmocka_all.h"

#include <string.h>

#include "base/regex.h"
#include "base/text.h"

/* Whether `pattern` matches in `subject`; fails when the pattern is refused. */
static int matches(const char *pattern, struct slice subject)
{
    SCOPED(regex_free_at) struct regex *regex = NULL;
    struct error err = {0};

    assert_int_equal(regex_compile(slice_of(pattern), &regex, &err), 0);
    return regex_matches(regex, subject, &err);
}

static void an_expression_matches_anywhere(void **state)
{
    (void)state;
    assert_int_equal(matches("std", SLICE("<std::io>")), 1);
    assert_int_equal(matches("^std", SLICE("<std::io>")), 0);
    assert_int_equal(matches("io>$", SLICE("<std::io>")), 1);
    assert_int_equal(matches("(?i)STD::\\w+", SLICE("std::io")), 1);
    assert_int_equal(matches("(?P<crate>[a-z_]+)::", SLICE("serde::de")), 1);
    assert_int_equal(matches("a|b", SLICE("xyz")), 0);
}

static void nothing_is_a_pattern_and_a_subject(void **state)
{
    (void)state;
    SCOPED(regex_free_at) struct regex *regex = NULL;
    struct error err = {0};

    assert_int_equal(regex_compile((struct slice){0}, &regex, &err), 0);
    assert_int_equal(regex_matches(regex, (struct slice){0}, &err), 1);
    assert_int_equal(regex_matches(regex, SLICE("x"), &err), 1);
    assert_int_equal(matches("x", (struct slice){0}), 0);
}

static void code_points_are_characters_and_bytes_that_are_not_utf8_match_none(void **state)
{
    (void)state;
    assert_int_equal(matches("^.$", SLICE("\xc3\xa9")), 1);
    assert_int_equal(matches("^.$", SLICE("\xff")), 0);
    assert_int_equal(matches("core", SLICE("\xff\xfe core")), 1);
    assert_int_equal(matches("b", SLICE("a\0b")), 1);
}

static void a_bad_pattern_is_refused_with_the_place_and_the_reason(void **state)
{
    (void)state;
    struct regex *regex = NULL;
    struct error err = {0};

    assert_int_equal(regex_compile(SLICE("alloc("), &regex, &err), -1);
    assert_null(regex);
    assert_int_equal(err.kind, ERROR_USAGE);
    assert_int_equal(err.exit_code, EXIT_CODE_USAGE);
    assert_non_null(strstr(err.message, "bad regular expression \"alloc(\" at character 6: "));
    assert_non_null(strstr(err.message, "parenthesis"));
}

static void a_long_bad_pattern_does_not_hide_the_reason(void **state)
{
    (void)state;
    SCOPED(text_done) struct text pattern = {0};
    struct regex *regex = NULL;
    struct error err = {0};

    text_add_repeated(&pattern, 'a', 5000);
    text_add_byte(&pattern, '(');
    assert_int_equal(regex_compile(text_slice(&pattern), &regex, &err), -1);
    assert_non_null(strstr(err.message, "at character 5001: "));
    assert_non_null(strstr(err.message, "parenthesis"));
}

static void patterns_that_could_split_a_character_are_refused(void **state)
{
    (void)state;
    struct regex *regex = NULL;
    struct error err = {0};

    assert_int_equal(regex_compile(SLICE("a\\Cb"), &regex, &err), -1);
    assert_int_equal(regex_compile(SLICE("\xff"), &regex, &err), -1);
    assert_null(regex);
}

static void matching_without_end_is_an_error_that_shows_the_subject(void **state)
{
    (void)state;
    SCOPED(regex_free_at) struct regex *regex = NULL;
    SCOPED(text_done) struct text subject = {0};
    struct error err = {0};

    /* The atomic end cannot be reached, and no first or last byte is there to look for. */
    assert_int_equal(regex_compile(SLICE("^(?:a+)+[^a-z]"), &regex, &err), 0);
    text_add_repeated(&subject, 'a', 40);
    assert_int_equal(regex_matches(regex, text_slice(&subject), &err), -1);
    assert_int_equal(err.kind, ERROR_FORMAT);
    assert_non_null(strstr(err.message, "too many steps on \"aaaa"));
    assert_true(slice_ends_with(slice_of(err.message), SLICE("a\"")));
    assert_non_null(strstr(err.hint, "simpler"));
}

static void a_long_name_is_searched_within_the_limits(void **state)
{
    (void)state;
    SCOPED(text_done) struct text subject = {0};

    text_add_repeated(&subject, 'a', 100000);
    assert_int_equal(matches("z", text_slice(&subject)), 0);
    assert_int_equal(matches("^.*z?$", text_slice(&subject)), 1);
    text_add(&subject, SLICE("::end"));
    assert_int_equal(matches("::end$", text_slice(&subject)), 1);
}

static void freeing_none_is_let_pass(void **state)
{
    (void)state;
    struct regex *none = NULL;

    regex_free(NULL);
    regex_free_at(&none);
    assert_null(none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_expression_matches_anywhere),
        cmocka_unit_test(nothing_is_a_pattern_and_a_subject),
        cmocka_unit_test(code_points_are_characters_and_bytes_that_are_not_utf8_match_none),
        cmocka_unit_test(a_bad_pattern_is_refused_with_the_place_and_the_reason),
        cmocka_unit_test(a_long_bad_pattern_does_not_hide_the_reason),
        cmocka_unit_test(patterns_that_could_split_a_character_are_refused),
        cmocka_unit_test(matching_without_end_is_an_error_that_shows_the_subject),
        cmocka_unit_test(a_long_name_is_searched_within_the_limits),
        cmocka_unit_test(freeing_none_is_let_pass),
    };

    return cmocka_run_group_tests_name("regex", tests, NULL, NULL);
}

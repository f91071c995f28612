#include "cmocka_all.h"

#include "delta/limit.h"

static void assert_limit(const char *text, const char *subject, const char *name, enum limit_unit unit,
                         double amount)
{
    struct limit limit;

    assert_true(limit_read(slice_of(text), &limit));
    assert_true(slice_is(limit.subject, subject));
    assert_true(slice_is(limit.name, name));
    assert_int_equal(limit.unit, unit);
    assert_true(limit.amount == amount);
}

static void an_amount_has_a_unit_or_none(void **state)
{
    (void)state;
    assert_limit("0", "", "", LIMIT_PLAIN, 0);
    assert_limit("1.5%", "", "", LIMIT_PERCENT, 1.5);
    assert_limit("100 B", "", "", LIMIT_BYTES, 100);
    assert_limit("2KiB", "", "", LIMIT_BYTES, 2048);
    assert_limit("2MiB", "", "", LIMIT_BYTES, 2 << 20);
    assert_limit("1GiB", "", "", LIMIT_BYTES, 1 << 30);
    assert_limit("2kB", "", "", LIMIT_BYTES, 2e3);
    assert_limit("2KB", "", "", LIMIT_BYTES, 2e3);
    assert_limit("2MB", "", "", LIMIT_BYTES, 2e6);
    assert_limit("2GB", "", "", LIMIT_BYTES, 2e9);
    assert_limit("2s", "", "", LIMIT_NS, 2e9);
    assert_limit("2ms", "", "", LIMIT_NS, 2e6);
    assert_limit("2us", "", "", LIMIT_NS, 2e3);
    assert_limit("2pp", "", "", LIMIT_PARTS, 2e7);
}

static void what_it_is_of_stands_before_the_last_equals_sign(void **state)
{
    (void)state;
    assert_limit("crate=1%", "crate", "", LIMIT_PERCENT, 1);
    assert_limit("crate:serde=1", "crate", "serde", LIMIT_PLAIN, 1);
    assert_limit("function:a::b<C=D>=1ms", "function", "a::b<C=D>", LIMIT_NS, 1e6);
    assert_limit("memory=10", "memory", "", LIMIT_PLAIN, 10);
}

static void what_is_no_limit_leaves_the_result_as_it_was(void **state)
{
    static const char *const bad[] = {"",     "much",  "-1",      "1KiBs", "1.KiB",  "1..2%",    "%",
                                      "1 2",  "1%%",   "10 KiB ", "1e3",   "crate=", "crate:=1", "=1",
                                      ":a=1", "crate", "inf",     "nan",   "0x10",   " 1",       "+1"};
    struct limit limit = {.amount = 42};

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(bad); i++)
        assert_false(limit_read(slice_of(bad[i]), &limit));
    assert_true(limit.amount == 42);
}

static void a_refusal_tells_where_and_what_can_be_given(void **state)
{
    struct error err = {0};

    (void)state;
    assert_int_equal(limit_refuse(SLICE("lots"), "--fail-over", "5% and cpu=5%", &err), -1);
    assert_int_equal(err.kind, ERROR_USAGE);
    assert_string_equal(err.message, "--fail-over: \"lots\" is no limit");
    assert_string_equal(err.hint, "limits are 5% and cpu=5%");
}

static void doubts_are_parted(void **state)
{
    SCOPED(text_done) struct text doubts = {0};

    (void)state;
    limit_begin_doubt(&doubts);
    text_add_string(&doubts, "one");
    limit_begin_doubt(&doubts);
    text_add_string(&doubts, "two");
    assert_string_equal(text_string(&doubts), "one; two");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_amount_has_a_unit_or_none),
        cmocka_unit_test(what_it_is_of_stands_before_the_last_equals_sign),
        cmocka_unit_test(what_is_no_limit_leaves_the_result_as_it_was),
        cmocka_unit_test(a_refusal_tells_where_and_what_can_be_given),
        cmocka_unit_test(doubts_are_parted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

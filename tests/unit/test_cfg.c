#include "cmocka_all.h"

#include <string.h>

#include "base/text.h"
#include "cargo/cfg.h"

static const char facts[] = "debug_assertions\n"
                            "target_arch=\"x86_64\"\n"
                            "target_feature=\"sse2\"\n"
                            "target_has_atomic\n"
                            "target_has_atomic=\"8\"\n"
                            "target_os=\"linux\"\n"
                            "unix\n";

static bool holds(const char *key)
{
    return cargo_cfg_holds(slice_of(key), slice_of(facts));
}

static void a_name_holds_when_it_is_set(void **state)
{
    (void)state;
    assert_true(holds("cfg(unix)"));
    assert_true(holds("cfg( unix )"));
    assert_false(holds("cfg(windows)"));
    assert_false(holds("cfg(uni)"));
    assert_false(holds("cfg(target_os)"));
    assert_true(holds("cfg(target_has_atomic)"));
}

static void a_value_holds_when_it_is_one_of_the_names(void **state)
{
    (void)state;
    assert_true(holds("cfg(target_os = \"linux\")"));
    assert_true(holds("cfg(target_has_atomic=\"8\")"));
    assert_false(holds("cfg(target_os = \"linu\")"));
    assert_false(holds("cfg(target_os = \"linux2\")"));
    assert_false(holds("cfg(unix = \"\")"));
}

static void lists_are_all_any_and_not(void **state)
{
    (void)state;
    assert_true(holds("cfg(all(unix, target_arch = \"x86_64\"))"));
    assert_true(holds("cfg(all(unix, target_arch = \"x86_64\",))"));
    assert_false(holds("cfg(all(unix, windows))"));
    assert_true(holds("cfg(any(windows, unix))"));
    assert_false(holds("cfg(any(windows, target_os = \"macos\"))"));
    assert_true(holds("cfg(not(windows))"));
    assert_false(holds("cfg(not(unix))"));
    assert_true(holds("cfg(all(any(windows, unix), not(target_os = \"macos\")))"));
}

static void empty_lists_and_constants_are_what_rust_makes_of_them(void **state)
{
    (void)state;
    assert_true(holds("cfg(all())"));
    assert_false(holds("cfg(any())"));
    assert_true(holds("cfg(true)"));
    assert_false(holds("cfg(false)"));
}

static void what_is_no_condition_does_not_hold(void **state)
{
    static const char *const keys[] = {
        "",
        "unix",
        "cfg",
        "cfg()",
        "cfg(unix",
        "cfg(unix))",
        "cfg(unix) ",
        "cfg(unix, unix)",
        "cfg(unix unix)",
        "cfg(not())",
        "cfg(not(windows, windows))",
        "cfg(none(windows))",
        "cfg(all(unix unix))",
        "cfg(all(,))",
        "cfg(all(unix)",
        "cfg(target_os = linux)",
        "cfg(target_os = \"linux)",
        "cfg(\"unix\")",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        if (holds(keys[i]))
            fail_msg("%s holds", keys[i]);
}

static void nesting_has_an_end(void **state)
{
    SCOPED(text_done) struct text key = {0};

    (void)state;
    for (unsigned depth = 62; depth <= 66; depth += 4) {
        text_clear(&key);
        text_add_string(&key, "cfg(");
        for (unsigned i = 0; i < depth; i++)
            text_add_string(&key, "all(");
        text_add_string(&key, "unix");
        text_add_repeated(&key, ')', depth + 1);
        assert_int_equal(holds(text_string(&key)), depth <= 64);
    }
    text_clear(&key);
    for (unsigned i = 0; i < 100000; i++)
        text_add_string(&key, i ? "not(" : "cfg(");
    text_add_byte(&key, ')');
    assert_false(holds(text_string(&key)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_holds_when_it_is_set),
        cmocka_unit_test(a_value_holds_when_it_is_one_of_the_names),
        cmocka_unit_test(lists_are_all_any_and_not),
        cmocka_unit_test(empty_lists_and_constants_are_what_rust_makes_of_them),
        cmocka_unit_test(what_is_no_condition_does_not_hold),
        cmocka_unit_test(nesting_has_an_end),
    };

    return cmocka_run_group_tests_name("cfg", tests, NULL, NULL);
}

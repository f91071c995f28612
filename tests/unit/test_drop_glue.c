#include "cmocka_all.h"

#include "rust/drop_glue.h"

static void drop_glue_names_its_type(void **state)
{
    (void)state;
    assert_true(slice_is(dropped_type(SLICE("core::ptr::drop_in_place::<app::Foo<u8>>")), "app::Foo<u8>"));
    assert_true(slice_is(dropped_type(SLICE("core::ptr::drop_in_place<app::Foo<u8>>")), "app::Foo<u8>"));
    assert_true(slice_is(dropped_type(SLICE("core::ptr::drop_in_place<<app::Foo as app::Has>::Inner>")),
                         "<app::Foo as app::Has>::Inner"));
    assert_true(slice_is(dropped_type(SLICE("core::ptr::drop_glue::<[app::Foo]>")), "[app::Foo]"));
    assert_true(slice_is(dropped_type(SLICE("core::ptr::drop_glue<app::Foo>")), "app::Foo"));
}

static void other_functions_have_none(void **state)
{
    static const char *const names[] = {"",
                                        "core::ptr::drop_in_place",
                                        "core::ptr::drop_in_place<",
                                        "core::ptr::drop_in_place<u8>::{closure#0}",
                                        "core::ptr::drop_in_places<u8>",
                                        "core::ptr::drop_glue::u8>",
                                        "core::ptr::drop_glued<u8>",
                                        "app::core::ptr::drop_in_place<u8>"};

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        assert_int_equal(dropped_type(slice_of(names[i])).length, 0);
}

static void its_path_is_found_in_names_and_keys(void **state)
{
    static const struct {
        const char *name;
        size_t length;
    } cases[] = {
        {"core::ptr::drop_in_place", 24},
        {"core::ptr::drop_in_place::<u8>", 24},
        {"core::ptr::drop_glue<u8>", 20},
        {"core[1f2e]::ptr::drop_glue", 26},
        {"core[1f2e]::ptr::drop_glue[2]", 26},
        {"core[1f2e::ptr::drop_glue", 0},
        {"core[1f2e", 0},
        {"core[1F]::ptr::drop_glue", 0},
        {"core::ptr::drop_glues", 0},
        {"score::ptr::drop_glue", 0},
        {"core::mem::drop_glue", 0},
        {"::ptr::drop_glue", 0},
        {"core", 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        if (drop_glue_path_length(slice_of(cases[i].name)) != cases[i].length)
            fail_msg("%s", cases[i].name);
}

static void whoever_types_the_newer_name_means_either(void **state)
{
    (void)state;
    assert_true(slice_is(drop_glue_as_key(SLICE("drop_glue")), DROP_GLUE_KEY));
    assert_true(slice_is(drop_glue_as_key(SLICE("ptr::drop_glue")), DROP_GLUE_KEY));
    assert_true(slice_is(drop_glue_as_key(SLICE("core::ptr::drop_glue")), DROP_GLUE_KEY));
    assert_true(slice_is(drop_glue_as_key(SLICE("app::drop_glue")), "app::drop_glue"));
}

static int matches(const char *pattern, const char *name)
{
    SCOPED(regex_free_at) struct regex *regex = NULL;
    struct error err = {0};

    assert_int_equal(regex_compile(slice_of(pattern), &regex, &err), 0);
    return drop_glue_matches(regex, slice_of(name), &err);
}

static void an_expression_finds_it_by_the_older_name_too(void **state)
{
    (void)state;
    assert_int_equal(matches("drop_in_place", "core::ptr::drop_glue::<app::Foo>"), 1);
    assert_int_equal(matches("^core::ptr::drop_in_place<app::Foo>$", "core::ptr::drop_glue<app::Foo>"), 1);
    assert_int_equal(matches("drop_glue", "core::ptr::drop_glue::<app::Foo>"), 1);
    assert_int_equal(matches("drop_in_place", "core::ptr::drop_in_place::<app::Foo>"), 1);
    assert_int_equal(matches("drop_in_place::<app::Bar>", "core::ptr::drop_glue::<app::Foo>"), 0);
    assert_int_equal(matches("drop_in_place", "app::drop_glue::<app::Foo>"), 0);
    assert_int_equal(matches("drop_glue", "core::ptr::drop_in_place::<app::Foo>"), 0);
    assert_int_equal(matches("^(?!.*drop_in_place)", "core::ptr::drop_in_place::<app::Foo>"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drop_glue_names_its_type),
        cmocka_unit_test(other_functions_have_none),
        cmocka_unit_test(its_path_is_found_in_names_and_keys),
        cmocka_unit_test(an_expression_finds_it_by_the_older_name_too),
        cmocka_unit_test(whoever_types_the_newer_name_means_either),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

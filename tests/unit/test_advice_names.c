#include "advice/names.h"

#include <string.h>

#include "cmocka_all.h"

static bool is_of_app(const void *context, struct slice path)
{
    (void)context;
    if (slice_is(path, "app::later::{closure#0}"))
        return false;
    while (path.length > 0 && path.data[0] == '<')
        path = slice_range(path, 1, path.length);
    return slice_starts_with(path, SLICE("app::"));
}

static const struct closure_test of_app = {is_of_app, NULL};

static void assert_family(const char *name, const char *expected)
{
    SCOPED(text_done) struct text text = {0};
    bool is_changed = name_add_without_closures(&text, slice_of(name), &of_app);

    assert_string_equal(text_string(&text), expected);
    assert_int_equal(is_changed, strcmp(name, expected) != 0);
}

static void a_closure_that_is_meant_is_left_out_where_it_is_an_argument(void **state)
{
    (void)state;
    assert_family("app::retry::<u8, app::main::{closure#0}>", "app::retry::<u8, _>");
    assert_family("app::retry::<app::main::{closure#0}::{closure#3}, u8>", "app::retry::<_, u8>");
    assert_family("<app::Table<u8, <app::S<i8> as core::fmt::Debug>::fmt::{closure#1}> as app::Run>::run",
                  "<app::Table<u8, _> as app::Run>::run");
    assert_family("app::f::<(u8, &app::g::{closure#0}), [app::h::{closure#1}; 3]>",
                  "app::f::<(u8, &_), [_; 3]>");
    assert_family("app::f::<fn(app::g::{closure#0}) -> app::h::{closure#0}>", "app::f::<fn(_) -> _>");
}

static void what_tells_families_apart_stays(void **state)
{
    (void)state;
    /* A closure of others keeps its place and the types around it. */
    assert_family("core::sort::<u8, alloc::sort_by<u8, app::f::{closure#0}>::{closure#0}>",
                  "core::sort::<u8, alloc::sort_by<u8, _>::{closure#0}>");
    /* So does one of the user's own in an instance that was itself made for a closure. */
    assert_family("core::sort::<app::by<u8, app::f::{closure#0}>::{closure#0}>",
                  "core::sort::<app::by<u8, _>::{closure#0}>");
    /* What is in another closure is tested by all of its path. */
    assert_family("app::f::<app::later::{closure#0}>", "app::f::<app::later::{closure#0}>");
    assert_family("app::f::<app::later::{closure#0}::{closure#1}>", "app::f::<_>");
    assert_family("core::sort::<dep::f::{closure#0}>", "core::sort::<dep::f::{closure#0}>");
    assert_family("app::f::{closure#0}", "app::f::{closure#0}");
    assert_family("app::f::<u8>::{closure#0}::{closure#1}", "app::f::<u8>::{closure#0}::{closure#1}");
}

static void broken_and_endless_names_are_as_they_were(void **state)
{
    SCOPED(text_done) struct text deep = {0};
    SCOPED(text_done) struct text text = {0};
    (void)state;

    assert_family("", "");
    assert_family("{closure#", "{closure#");
    assert_family(">>>a::<", ">>>a::<");
    assert_family("a::<app::{closure#0", "a::<app::{closure#0");
    assert_family("::<::{closure#0}", "::<::{closure#0}");
    for (int i = 0; i < 100; i++)
        text_add_string(&deep, "a<");
    text_add_string(&deep, "app::f::{closure#0}");
    assert_false(name_add_without_closures(&text, text_slice(&deep), &of_app));
    assert_true(slice_equal(text_slice(&text), text_slice(&deep)));
}

static void assert_bare(const char *name, const char *around, const char *expected)
{
    SCOPED(text_done) struct text text = {0};

    name_add_with_bare_closures(&text, slice_of(name), slice_of(around));
    assert_string_equal(text_string(&text), expected);
}

static void closures_of_one_function_read_alike_in_all_its_instances(void **state)
{
    (void)state;
    assert_bare("Option::map::<u8, app::f<&str>::{closure#0}>", "app::f::<&str>",
                "Option::map::<u8, ::{closure#0}>");
    assert_bare("app::f::<&str>::{closure#0}", "app::f::<&str>", "::{closure#0}");
    assert_bare("Option::map::<app::g<&str>::{closure#0}>", "app::f::<&str>",
                "Option::map::<app::g<&str>::{closure#0}>");
    assert_bare("app::f::<&str>", "app::f::<&str>", "app::f::<&str>");
    assert_bare("app::f", "app::f::<&str>", "app::f");
}

static void arguments_that_are_closures_are_found(void **state)
{
    struct slice name =
        SLICE("<[u8]>::sort_by::<app::f::{closure#0}, x::Map<app::g::{closure#0}>, &app::h::{closure#2}>");
    struct slice path;
    size_t at = 0;
    (void)state;

    assert_true(name_next_closure_argument(name, &at, &path));
    assert_true(slice_is(path, "app::f::{closure#0}"));
    assert_true(name_next_closure_argument(name, &at, &path));
    assert_true(slice_is(path, "&app::h::{closure#2}"));
    assert_false(name_next_closure_argument(name, &at, &path));
}

static void conversions_are_told_by_the_trait(void **state)
{
    (void)state;
    assert_true(name_is_conversion(SLICE("<&str as core::convert::AsRef<std::path::Path>>::as_ref")));
    assert_true(name_is_conversion(SLICE("<app::T<u8> as core::ops::deref::Deref>::deref")));
    assert_true(name_is_conversion(SLICE("core::ptr::drop_in_place::<u8>")));
    assert_true(name_is_conversion(SLICE("core::ptr::drop_glue::<u8>")));
    assert_false(name_is_conversion(SLICE("<app::T<<u8 as core::convert::Into<u8>>::X> as app::Run>::run")));
    assert_false(name_is_conversion(SLICE("app::core::convert::f")));
    assert_false(name_is_conversion(SLICE("")));
}

static void what_derives_write_is_told(void **state)
{
    struct slice type;
    (void)state;

    assert_true(name_is_of_derived_debug(
        SLICE("_RNvMsa_NtCsabc_4core3fmtNtB5_9Formatter26debug_struct_field1_finish")));
    assert_true(name_is_of_derived_debug(
        SLICE("_RNvMsa_NtCsabc_4core3fmtNtB5_9Formatter25debug_tuple_fields_finish")));
    assert_false(name_is_of_derived_debug(SLICE("_RNvMsa_NtCsabc_4core3fmtNtB5_9Formatter12debug_struct")));
    assert_false(name_is_of_derived_debug(SLICE("debug_struct_field1_finish")));

    assert_true(
        name_derived_deserialize(SLICE("<<app::T<u8> as serde::de::Deserialize>::deserialize::__Visitor as "
                                       "serde::de::Visitor>::visit_map"),
                                 &type));
    assert_true(slice_is(type, "app::T<u8>"));
    assert_true(name_derived_deserialize(
        SLICE("json::f::<u8, <app::T as serde::de::Deserialize>::deserialize::__Field>"), &type));
    assert_true(slice_is(type, "app::T"));
    assert_false(
        name_derived_deserialize(SLICE("<app::T as serde::de::Deserialize>::deserialize::<u8>"), &type));
    assert_false(name_derived_deserialize(SLICE("::deserialize::__Field"), &type));
}

static void a_name_in_a_type_has_no_colons_before_its_arguments(void **state)
{
    SCOPED(text_done) struct text text = {0};
    (void)state;

    name_add_as_type(&text, SLICE("<app::T<u8>>::f::<&str>::{closure#0}"));
    assert_string_equal(text_string(&text), "<app::T<u8>>::f<&str>::{closure#0}");
    assert_true(name_is_of_future(SLICE("core::panicking::panic_const::panic_const_async_fn_resumed")));
    assert_false(name_is_of_future(SLICE("core::panicking::panic")));
}

static void calls_that_nearly_every_function_has_are_no_work(void **state)
{
    (void)state;
    assert_true(name_is_plumbing(SLICE("core::panicking::panic_bounds_check")));
    assert_true(
        name_is_plumbing(SLICE("<core::result::Result<u8, u8> as core::ops::try_trait::Try>::branch")));
    assert_false(name_is_plumbing(SLICE("std::fs::read")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_closure_that_is_meant_is_left_out_where_it_is_an_argument),
        cmocka_unit_test(what_tells_families_apart_stays),
        cmocka_unit_test(broken_and_endless_names_are_as_they_were),
        cmocka_unit_test(closures_of_one_function_read_alike_in_all_its_instances),
        cmocka_unit_test(arguments_that_are_closures_are_found),
        cmocka_unit_test(conversions_are_told_by_the_trait),
        cmocka_unit_test(what_derives_write_is_told),
        cmocka_unit_test(a_name_in_a_type_has_no_colons_before_its_arguments),
        cmocka_unit_test(calls_that_nearly_every_function_has_are_no_work),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

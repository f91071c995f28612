#include "cmocka_all.h"

#include "delta/same_name.h"

static void assert_same_name(const char *name, const char *expected)
{
    SCOPED(text_done) struct text text = {0};

    same_name_add(&text, slice_of(name));
    assert_string_equal(text_string(&text), expected);
}

static void the_hash_of_a_legacy_name_is_left_out(void **state)
{
    (void)state;
    assert_same_name("app::run::h0123456789abcdef", "app::run");
    assert_same_name("app::run::h0123456789abcdef.llvm.77", "app::run");
    assert_same_name("app::h0123456789abcde", "app::h0123456789abcde");
    assert_same_name("app::h0123456789abcdef0", "app::h0123456789abcdef0");
    assert_same_name("app::h0123456789abcdefg", "app::h0123456789abcdefg");
    assert_same_name("app::hello", "app::hello");
}

static void the_hash_of_a_crate_is_left_out_and_a_type_in_brackets_stays(void **state)
{
    (void)state;
    assert_same_name("<app[1f2e]::S as core[3d4c5b6a7f8e9d0c]::fmt::Debug>::fmt",
                     "<app::S as core::fmt::Debug>::fmt");
    assert_same_name("app::f::<[f32]>", "app::f::<[f32]>");
    assert_same_name("app::f::<&[u8; 4]>", "app::f::<&[u8; 4]>");
    assert_same_name("app[", "app[");
    assert_same_name("app[12", "app[12");
    assert_same_name("app[]", "app[]");
    assert_same_name("app[0123456789abcdef0]", "app[0123456789abcdef0]");
}

static void drop_glue_has_one_name(void **state)
{
    (void)state;
    assert_same_name("core::ptr::drop_glue::<app[1f]::S>", "core::ptr::drop_in_place::<app::S>");
    assert_same_name("core[1f2e]::ptr::drop_glue<app::S>::h0123456789abcdef",
                     "core::ptr::drop_in_place<app::S>");
    assert_same_name("core::ptr::drop_in_place::h0123456789abcdef", "core::ptr::drop_in_place");
    assert_same_name("core::ptr::drop_glues", "core::ptr::drop_glues");
}

static void numbers_of_closures_and_impls_are_left_out(void **state)
{
    (void)state;
    assert_same_name("app::run::{closure#3}::{closure#12}", "app::run::{closure}::{closure}");
    assert_same_name("app::run::{{closure}}::{{closure}}", "app::run::{closure}::{closure}");
    assert_same_name("<impl#7 core::clone::Clone>::clone", "<impl core::clone::Clone>::clone");
    assert_same_name("app::From::from (impl#3, closure#0)", "app::From::from");
    assert_same_name("app::From::from (impl#3)", "app::From::from");
    assert_same_name("app::Set::get (impl#6, _#1, Visitor2#2)", "app::Set::get");
    assert_same_name("app::From::from (impl#3 with (u8, u8))", "app::From::from");
    assert_same_name("<_ as app::T>::f (impl#3, closure#1 for &_)", "<_ as app::T>::f");
    assert_same_name("app::f (impl#3 for &_) and more", "app::f (impl for &_) and more");
    assert_same_name("app::f (impl#3) and more", "app::f (impl) and more");
    assert_same_name("app::f (impl)", "app::f (impl)");
    assert_same_name("a # 3", "a # 3");
    assert_same_name("r#3", "r");
}

static void the_type_of_an_impl_stays_when_asked_for(void **state)
{
    SCOPED(text_done) struct text text = {0};

    (void)state;
    same_name_add_with_type(&text, SLICE("<_ as app::T>::f (impl#3, closure#1 for &_)"));
    assert_string_equal(text_string(&text), "<_ as app::T>::f (impl, closure for &_)");
    text_clear(&text);
    same_name_add_with_type(&text, SLICE("app::From::from (impl#3)"));
    assert_string_equal(text_string(&text), "app::From::from");
}

static void line_numbers_are_left_out_and_paths_stay(void **state)
{
    (void)state;
    assert_same_name("src/main.rs:12", "src/main.rs");
    assert_same_name("{closure@src/main.rs:12:5: 14:6}", "{closure@src/main.rs: 14}");
    assert_same_name("std::__1::vector", "std::__1::vector");
    assert_same_name("a::0", "a::0");
    assert_same_name(":5", ":5");
}

static void llvm_s_numbers_are_left_out(void **state)
{
    (void)state;
    assert_same_name("memcpy.llvm.123", "memcpy");
    assert_same_name("memcpy.llvm.", "memcpy.llvm.");
    assert_same_name("memcpy.cold", "memcpy.cold");
    assert_same_name("<usize as core::fmt::Debug>::fmt.799", "<usize as core::fmt::Debug>::fmt");
    assert_same_name("fmt.799.part", "fmt.799.part");
    assert_same_name("serde 1.0.203", "serde 1.0.203");
    assert_same_name(".5", ".5");
    assert_same_name("", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_hash_of_a_legacy_name_is_left_out),
        cmocka_unit_test(the_hash_of_a_crate_is_left_out_and_a_type_in_brackets_stays),
        cmocka_unit_test(drop_glue_has_one_name),
        cmocka_unit_test(numbers_of_closures_and_impls_are_left_out),
        cmocka_unit_test(the_type_of_an_impl_stays_when_asked_for),
        cmocka_unit_test(line_numbers_are_left_out_and_paths_stay),
        cmocka_unit_test(llvm_s_numbers_are_left_out),
    };

    return cmocka_run_group_tests_name("same_name", tests, NULL, NULL);
}

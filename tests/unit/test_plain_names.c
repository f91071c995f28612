#include "change_fixture.h"

#include "changes/plain_names.h"
#include "profile_builder.h"

static void assert_plain(const char *name, const char *expected)
{
    SCOPED(text_done) struct text plain = {0};

    plain_name_add(&plain, slice_of(name));
    assert_string_equal(text_string(&plain), expected);
}

/* As rustc 1.95 has them. */
static void names_of_both_manglings_are_the_same_without_arguments(void **state)
{
    static const struct {
        const char *legacy, *v0, *plain;
    } names[] = {
        {"gen::work", "gen::work::<gen::A>", "gen::work"},
        {"gen::W<T>::meth", "<gen::W<gen::B>>::meth", "gen::W::meth"},
        {"gen::main::{{closure}}", "gen::main::{closure#0}", "gen::main::{closure}"},
        {"<gen::W<T> as gen::Op<U>>::go", "<gen::W<u8> as gen::Op<u16>>::go", "<gen::W as gen::Op>::go"},
        {"core::num::<impl u64>::wrapping_add", "<u64>::wrapping_add", "u64::wrapping_add"},
        {"core::slice::<impl [T]>::iter", "<[u8]>::iter", "[_]::iter"},
        {"core::array::<impl [T; N]>::map", "<[u8; 4]>::map::<fn(u8) -> u8, u8>", "[_; _]::map"},
        {"core::ptr::const_ptr::<impl *const T>::add", "<*const gen::A>::add", "*const _::add"},
        {"<&T as core::fmt::Debug>::fmt", "<&u8 as core::fmt::Debug>::fmt", "<&_ as core::fmt::Debug>::fmt"},
        {"gen::_::<impl serde::Deserialize for gen::A>::deserialize",
         "<gen::A as serde::Deserialize>::deserialize::<&mut json::Reader<'_>>",
         "<gen::A as serde::Deserialize>::deserialize"},
        {"gen::call::<impl gen::F for dyn Fn(u8) -> alloc::vec::Vec<T>>::f",
         "<dyn Fn(u8) -> alloc::vec::Vec<u8> as gen::F>::f", "<dyn Fn(u8) -> alloc::vec::Vec as gen::F>::f"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
        assert_plain(names[i].legacy, names[i].plain);
        assert_plain(names[i].v0, names[i].plain);
    }
}

static void names_that_are_cut_or_have_stray_brackets_end(void **state)
{
    (void)state;
    assert_plain("", "");
    assert_plain("<", "");
    assert_plain("a::<b<c", "a");
    assert_plain("a::<impl ", "a");
    assert_plain("<a as ", "a as");
    assert_plain("a > b->c", "a > b->c");
}

/* A trait's own method has the type in v0 names alone. */
static void methods_are_called_as_the_other_side_does(void **state)
{
    struct change_fixture *f = *state;
    const struct joined_part parts[JOINED_SIDES] = {{&f->before, 0}, {&f->after, 0}};
    SCOPED(plain_names_done) struct plain_names names = {0};

    profile_builder_add(&f->before, 0, SLICE("own a a::f > own a a::g > std core core::iter::Iterator::fold"),
                        1);
    profile_builder_add(&f->before, 0, SLICE("own a <T as a::Into>::into > own a <a::R as a::Work>::run"), 1);
    profile_builder_add(&f->after, 0, SLICE("own a a::f::<u8> > own a a::g::<u8>"), 1);
    plain_names_make(&names, parts);
    assert_true(names.is_wanted);
    assert_int_equal(names.side, JOINED_BEFORE);
    assert_true(slice_is(
        plain_names_of(&names, JOINED_AFTER, SLICE("<a::R<u8> as core::iter::Iterator>::fold::<u8>")),
        "core::iter::Iterator::fold"));
    assert_true(
        slice_is(plain_names_of(&names, JOINED_AFTER, SLICE("<u8 as a::Into<u16>>::into")), "a::Into::into"));
    assert_true(slice_is(plain_names_of(&names, JOINED_AFTER, SLICE("<a::R<u8> as a::Work>::run")),
                         "<a::R as a::Work>::run"));
    assert_true(slice_is(plain_names_of(&names, JOINED_AFTER, SLICE("<a::R<u8> as a::Other>::run")),
                         "<a::R as a::Other>::run"));
    assert_true(
        slice_is(plain_names_of(&names, JOINED_AFTER, SLICE("<u8 as a::FnOnce>::call_once::{shim:vtable#0}")),
                 "<u8 as a::FnOnce>::call_once::{shim:vtable}"));
}

static void names_of_one_mangling_stay(void **state)
{
    struct change_fixture *f = *state;
    const struct joined_part parts[JOINED_SIDES] = {{&f->before, 0}, {&f->after, 0}};
    SCOPED(plain_names_done) struct plain_names names = {0};

    profile_builder_add(&f->before, 0, SLICE("own a a::f > own a a::g > own a a::h::<u8>"), 1);
    profile_builder_add(&f->after, 0, SLICE("own a a::f > own a a::g::<u8> > own a a::h"), 1);
    plain_names_make(&names, parts);
    assert_false(names.is_wanted);
    assert_true(slice_is(plain_names_of(&names, JOINED_AFTER, SLICE("a::g::<u8>")), "a::g::<u8>"));
}

static void instances_are_compared_together_with_what_has_no_arguments(void **state)
{
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("own a a::main > own a a::f"), 1000);
    profile_builder_add(&f->before, 0, SLICE("own a a::main > own a a::W<T>::g"), 1000);
    profile_builder_add(&f->after, 0, SLICE("own a a::main > own a a::f::<u8>"), 400);
    profile_builder_add(&f->after, 0, SLICE("own a a::main > own a a::f::<u16>"), 600);
    profile_builder_add(&f->after, 0, SLICE("own a a::main > own a <a::W<u8>>::g::<u8>"), 1020);
    profile_builder_add(&f->after, 0, SLICE("own a a::main > own a a::x::<u16>"), 3);
    profile_builder_add(&f->before, 0, SLICE("own a a::main > own a a::x"), 3);
    change_fixture_compare(f, MEASURE_SHARE, JOINED_BY_FUNCTION);
    assert_int_equal(f->changes.told_count, 0);
    assert_non_null(change_fixture_find(f, "a::f"));
    assert_non_null(change_fixture_find(f, "a::W::g"));
}

int main(void)
{
#define TEST(test) cmocka_unit_test_setup_teardown(test, change_fixture_set_up, change_fixture_tear_down)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_both_manglings_are_the_same_without_arguments),
        cmocka_unit_test(names_that_are_cut_or_have_stray_brackets_end),
        TEST(methods_are_called_as_the_other_side_does),
        TEST(names_of_one_mangling_stay),
        TEST(instances_are_compared_together_with_what_has_no_arguments),
    };

    return cmocka_run_group_tests_name("plain_names", tests, NULL, NULL);
}

#include "cmocka_all.h"

#include "rust/dropped_type.h"

static void drop_glue_names_its_type(void **state)
{
    (void)state;
    assert_true(slice_is(dropped_type(SLICE("core::ptr::drop_in_place::<app::Foo<u8>>")), "app::Foo<u8>"));
    assert_true(slice_is(dropped_type(SLICE("core::ptr::drop_in_place<app::Foo<u8>>")), "app::Foo<u8>"));
    assert_true(slice_is(dropped_type(SLICE("core::ptr::drop_in_place<<app::Foo as app::Has>::Inner>")),
                         "<app::Foo as app::Has>::Inner"));
}

static void other_functions_have_none(void **state)
{
    static const char *const names[] = {"",
                                        "core::ptr::drop_in_place",
                                        "core::ptr::drop_in_place<",
                                        "core::ptr::drop_in_place<u8>::{closure#0}",
                                        "core::ptr::drop_in_places<u8>",
                                        "app::core::ptr::drop_in_place<u8>"};

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        assert_int_equal(dropped_type(slice_of(names[i])).length, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drop_glue_names_its_type),
        cmocka_unit_test(other_functions_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

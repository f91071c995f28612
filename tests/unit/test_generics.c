#include "cmocka_all.h"

#include "size/generics.h"

#define PUSH_U8 "_RNvMs_NtCs1_5alloc3vecINtB4_3VechE4pushCs2_3app"
#define PUSH_U16 "_RNvMs_NtCs1_5alloc3vecINtB4_3VectE4pushCs2_3app"

static void instances_of_one_generic_count_together(void **state)
{
    SCOPED(generics_done) struct generics generics = {0};

    (void)state;
    generics_add(&generics, SLICE(PUSH_U8), 100);
    generics_add(&generics, SLICE("memcpy"), 7);
    generics_add(&generics, SLICE(PUSH_U16), 130);
    assert_int_equal(generics.items.count, 2);
    assert_true(slice_is(generics.items.items[0].name, "alloc::vec::Vec::push"));
    assert_int_equal(generics.items.items[0].copies, 2);
    assert_int_equal(generics.items.items[0].size_bytes, 230);
    assert_int_equal(generics.items.items[0].largest_bytes, 130);
    assert_true(slice_is(generics.items.items[1].name, "memcpy"));
    assert_int_equal(generics.items.items[1].copies, 1);
    assert_int_equal(generics_find(&generics, SLICE(PUSH_U16)), 0);
    assert_int_equal(generics_find(&generics, SLICE("memmove")), INTERN_NONE);
}

static void of_names_that_read_the_same_a_legacy_one_may_be_any(void **state)
{
    SCOPED(generics_done) struct generics generics = {0};

    (void)state;
    generics_add(&generics, SLICE("_RINvCs1_3dep3maplECs2_3app"), 10);
    generics_add(&generics, SLICE("_RINvCs3_3dep3maplECs2_3app"), 20);
    generics_add(&generics, SLICE("memcpy"), 7);
    generics_join(&generics);
    assert_int_equal(generics.items.items[0].copies, 1);
    assert_int_equal(generics_joined(&generics, 1), 1);
    generics_add(&generics, SLICE("_ZN3dep3map17h0123456789abcdefE"), 30);
    generics_join(&generics);
    assert_int_equal(generics.items.items[0].copies, 3);
    assert_int_equal(generics.items.items[0].size_bytes, 60);
    assert_int_equal(generics.items.items[0].largest_bytes, 30);
    assert_int_equal(generics_joined(&generics, 1), 0);
    assert_int_equal(generics_joined(&generics, 3), 0);
    assert_int_equal(generics.items.items[1].copies, 0);
    assert_int_equal(generics.items.items[3].copies, 0);
    assert_int_equal(generics.items.items[2].copies, 1);
}

static void assert_arguments(const char *name, const char *expected)
{
    SCOPED(symbol_done) struct symbol symbol = {0};
    SCOPED(text_done) struct text arguments = {0};

    symbol_parse(&symbol, slice_of(name));
    generics_add_arguments(&arguments, &symbol);
    assert_string_equal(text_string(&arguments), expected);
}

static void v0_names_tell_their_type_arguments_and_others_none(void **state)
{
    (void)state;
    assert_arguments(PUSH_U8, "alloc::vec::Vec<u8>");
    assert_arguments("_RINvCs1_3app1flhECs1_3app", "i32, u8");
    assert_arguments("_RNvCs1_3app4main", "");
    assert_arguments("_ZN3app1f17h0123456789abcdefE", "");
    assert_arguments("memcpy", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instances_of_one_generic_count_together),
        cmocka_unit_test(of_names_that_read_the_same_a_legacy_one_may_be_any),
        cmocka_unit_test(v0_names_tell_their_type_arguments_and_others_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

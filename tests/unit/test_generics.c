#include "cmocka_all.h"

#include "rust/crate_name.h"
#include "size/generics.h"

#define PUSH_U8 "_RNvMs_NtCs1_5alloc3vecINtB4_3VechE4pushCs2_3app"
#define PUSH_U16 "_RNvMs_NtCs1_5alloc3vecINtB4_3VectE4pushCs2_3app"

/* Of a crate whose name alone tells which it is. */
static void add(struct generics *generics, struct slice symbol, uint64_t size_bytes)
{
    generics_add(generics, symbol, (struct generic_definer){0}, size_bytes);
}

static void instances_of_one_generic_count_together(void **state)
{
    SCOPED(generics_done) struct generics generics = {0};

    (void)state;
    add(&generics, SLICE(PUSH_U8), 100);
    add(&generics, SLICE("memcpy"), 7);
    add(&generics, SLICE(PUSH_U16), 130);
    assert_int_equal(generics.items.count, 2);
    assert_true(slice_is(generics.items.items[0].name, "alloc::vec::Vec::push"));
    assert_int_equal(generics.items.items[0].copies, 2);
    assert_int_equal(generics.items.items[0].size_bytes, 230);
    assert_int_equal(generics.items.items[0].largest_bytes, 130);
    assert_true(slice_is(generics.items.items[1].name, "memcpy"));
    assert_int_equal(generics.items.items[1].copies, 1);
    assert_int_equal(generics_find(&generics, SLICE(PUSH_U16), (struct generic_definer){0}), 0);
    assert_int_equal(generics_find(&generics, SLICE("memmove"), (struct generic_definer){0}), INTERN_NONE);
}

static void of_names_that_read_the_same_a_legacy_one_may_be_any(void **state)
{
    SCOPED(generics_done) struct generics generics = {0};

    (void)state;
    add(&generics, SLICE("_RINvCs1_3dep3maplECs2_3app"), 10);
    add(&generics, SLICE("_RINvCs3_3dep3maplECs2_3app"), 20);
    add(&generics, SLICE("memcpy"), 7);
    generics_join(&generics);
    assert_int_equal(generics.items.items[0].copies, 1);
    assert_int_equal(generics_joined(&generics, 1), 1);
    add(&generics, SLICE("_ZN3dep3map17h0123456789abcdefE"), 30);
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

static void assert_label(const struct generics *generics, uint32_t id, const char *expected)
{
    SCOPED(text_done) struct text label = {0};

    generics_add_label(&label, generics, id);
    assert_string_equal(text_string(&label), expected);
}

/* Of two versions of a crate. */
static void where_numbers_are_the_same_crates_tell(void **state)
{
    SCOPED(generics_done) struct generics generics = {0};

    (void)state;
    add(&generics, SLICE("_RNvMs_Cs1_3depINtB4_1SRhE1fCs2_3app"), 1);
    add(&generics, SLICE("_RNvMs_Cs5_3depINtB4_1SRhE1fCs2_3app"), 1);
    add(&generics, SLICE("_RNvMs0_Cs5_3depINtB5_1SRhE1fCs2_3app"), 1);
    assert_int_equal(generics.items.count, 3);
    generics_compare_names(&generics);
    assert_label(&generics, 0, "dep[3]::<impl#1>::f");
    assert_label(&generics, 1, "dep[7]::<impl#1>::f");
    assert_label(&generics, 2, "dep::S::f (impl#2)");
}

static void generics_that_read_the_same_are_told_apart(void **state)
{
    SCOPED(generics_done) struct generics generics = {0};

    (void)state;
    /* What nothing else reads like has its name. */
    add(&generics, SLICE(PUSH_U8), 100);
    /* Two impls of one trait for types that may be parameters, two closures, two crates. */
    add(&generics, SLICE("_RNvXs_Cs1_3depRhNtB4_1T1fCs2_3app"), 1);
    add(&generics, SLICE("_RNvXs0_Cs1_3depRtNtB5_1T1fCs2_3app"), 1);
    add(&generics, SLICE("_RNCNvCs1_3dep1g0Cs2_3app"), 1);
    add(&generics, SLICE("_RNCNvCs1_3dep1gs_0Cs2_3app"), 1);
    add(&generics, SLICE("_RINvCs1_3dep3maplECs2_3app"), 1);
    add(&generics, SLICE("_RINvCs3_3dep3maplECs2_3app"), 1);
    /* Legacy names have no numbers, but the types that an impl is declared for. */
    add(&generics, SLICE("_ZN3dep13M$LT$1_u8$GT$1f17h0123456789abcdefE"), 1);
    add(&generics, SLICE("_ZN3dep13M$LT$2_u8$GT$1f17h0123456789abcdefE"), 1);
    assert_int_equal(generics.items.count, 9);
    generics_compare_names(&generics);
    assert_label(&generics, 0, "alloc::vec::Vec::push");
    assert_label(&generics, 1, "<_ as dep::T>::f (impl#1 for &_)");
    assert_label(&generics, 2, "<_ as dep::T>::f (impl#2 for &_)");
    assert_label(&generics, 3, "dep::g::{closure} (closure#0)");
    assert_label(&generics, 4, "dep::g::{closure} (closure#1)");
    assert_label(&generics, 5, "dep[3]::map");
    assert_label(&generics, 6, "dep[5]::map");
    assert_label(&generics, 7, "dep::M<1_u8>::f");
    assert_label(&generics, 8, "dep::M<2_u8>::f");
}

/* Of one type with two constants, of one trait with two types. */
static void impls_are_told_apart_by_an_argument_that_all_copies_have(void **state)
{
    SCOPED(generics_done) struct generics generics = {0};

    (void)state;
    add(&generics, SLICE("_RNvMs_Cs1_3depINtB4_1SKj1_E1fCs2_3app"), 1);
    add(&generics, SLICE("_RNvMs0_Cs1_3depINtB5_1SKj2_E1fCs2_3app"), 1);
    add(&generics, SLICE("_RNvXs1_Cs1_3depNtB5_1UINtB5_1ThE1gCs2_3app"), 1);
    add(&generics, SLICE("_RNvXs2_Cs1_3depNtB5_1UINtB5_1TtE1gCs2_3app"), 1);
    add(&generics, SLICE("_RNvMs3_Cs1_3depINtB5_1SKj4_E1fCs2_3app"), 1);
    add(&generics, SLICE("_RNvMs3_Cs1_3depINtB5_1SKj5_E1fCs2_3app"), 1);
    generics_compare_names(&generics);
    assert_int_equal(generics.items.count, 5);
    assert_label(&generics, 0, "dep::S::f (impl#1 with 1)");
    assert_label(&generics, 1, "dep::S::f (impl#2 with 2)");
    assert_label(&generics, 2, "<dep::U as dep::T>::g (impl#3 with u8)");
    assert_label(&generics, 3, "<dep::U as dep::T>::g (impl#4 with u16)");
    assert_label(&generics, 4, "dep::S::f (impl#5)");
}

/* dep::m's impl of app::T, a trait of another crate, for all types that have another trait. */
static void the_type_of_one_copy_is_not_the_name_of_all(void **state)
{
    SCOPED(generics_done) struct generics generics = {0};

    (void)state;
    add(&generics, SLICE("_RNvXNtCs1_3dep1mhNtCs2_3app1T1fCs2_3app"), 1);
    assert_string_equal(generics.items.items[0].name.data, "dep::m::<impl app::T for u8>::f");
    add(&generics, SLICE("_RNvXNtCs1_3dep1mtNtCs2_3app1T1fCs2_3app"), 1);
    assert_int_equal(generics.items.count, 1);
    generics_compare_names(&generics);
    assert_string_equal(generics.items.items[0].name.data, "dep::m::<impl app::T>::f");
    assert_string_equal(generics.items.items[0].plain_name.data, "dep::m::<impl app::T>::f");
    assert_label(&generics, 0, "dep::m::<impl app::T>::f");
    /* An impl of the same trait for another type alone has it. */
    add(&generics, SLICE("_RNvXs_NtCs1_3dep1mmNtCs2_3app1T1fCs2_3app"), 1);
    generics_compare_names(&generics);
    assert_label(&generics, 1, "dep::m::<impl app::T for u32>::f");
}

/* "dup" of this version, of several. */
static struct generic_definer dup_of(const char *version, const char *label)
{
    return (struct generic_definer){
        .crate = SLICE("dup"), .version = slice_of(version), .label = slice_of(label)};
}

static void assert_names(const struct generic *generic, const char *name, const char *version)
{
    assert_string_equal(generic->name.data, name);
    assert_true(slice_is(generic->version, version));
}

static void legacy_names_of_two_versions_of_a_crate_are_two_functions(void **state)
{
    const struct slice plain[] = {SLICE("_ZN3dup5plain17h0123456789abcdefE"),
                                  SLICE("_ZN3dup5plain17h1123456789abcdefE"),
                                  SLICE("_ZN3dup5plain17h2123456789abcdefE")};
    const struct generic_definer nobody = {0};
    SCOPED(generics_done) struct generics generics = {0};

    (void)state;
    generics_add(&generics, plain[0], dup_of("1.0.0", "dup@1.0.0"), 10);
    generics_add(&generics, plain[1], dup_of("2.0.0", "dup@2.0.0"), 20);
    generics_add(&generics, plain[1], dup_of("2.0.0", "dup@2.0.0"), 20);
    generics_add(&generics, plain[2], nobody, 30);
    generics_join(&generics);
    assert_int_equal(generics.items.count, 3);
    assert_names(&generics.items.items[0], "dup@1.0.0::plain", "1.0.0");
    assert_names(&generics.items.items[1], "dup@2.0.0::plain", "2.0.0");
    assert_names(&generics.items.items[2], "dup::plain", "");
    assert_int_equal(generics.items.items[1].copies, 2);
    assert_string_equal(generics.items.items[0].plain_name.data, "dup::plain");
    assert_label(&generics, 0, "dup@1.0.0::plain");
    assert_label(&generics, 2, "dup::plain");
    assert_int_equal(generics_find(&generics, plain[1], dup_of("2.0.0", "dup@2.0.0")), 1);
    assert_int_equal(generics_find(&generics, plain[1], nobody), 2);
}

/* As in v0 names, which have it. */
static void a_hash_tells_legacy_names_apart_and_only_their_labels_show_it(void **state)
{
    struct generic_definer one = dup_of("", "dup[1f2e]");
    struct generic_definer two = dup_of("", "dup[2f2e]");
    SCOPED(generics_done) struct generics generics = {0};

    (void)state;
    one.is_hash = two.is_hash = true;
    generics_add(&generics, SLICE("_ZN3dup5plain17h0123456789abcdefE"), one, 10);
    generics_add(&generics, SLICE("_ZN3dup5plain17h1123456789abcdefE"), two, 20);
    generics_add(&generics, SLICE("_ZN3dup5other17h1123456789abcdefE"), two, 20);
    assert_int_equal(generics.items.count, 3);
    generics_compare_names(&generics);
    assert_names(&generics.items.items[0], "dup::plain", "");
    assert_label(&generics, 0, "dup[1f2e]::plain");
    assert_label(&generics, 1, "dup[2f2e]::plain");
    assert_label(&generics, 2, "dup::other");
}

static void v0_names_are_of_the_version_that_their_hash_tells(void **state)
{
    const struct generic_definer one = dup_of("1.0.0", "dup@1.0.0");
    SCOPED(generics_done) struct generics generics = {0};

    (void)state;
    generics_add(&generics, SLICE("_RNvMs_Cs1_3dupINtB4_1SRhE1fCs2_3app"), one, 1);
    generics_add(&generics, SLICE("_RNvMs0_Cs1_3dupINtB5_1SRtE1fCs2_3app"), one, 1);
    generics_add(&generics, SLICE("_RNvMs_Cs5_3dupINtB4_1SRhE1fCs2_3app"), dup_of("2.0.0", "dup@2.0.0"), 1);
    generics_add(&generics, SLICE("_RNvXs_Cs1_3dupRhNtB4_1T1fCs2_3app"), one, 1);
    assert_int_equal(generics.items.count, 4);
    generics_compare_names(&generics);
    assert_label(&generics, 0, "dup@1.0.0::S::f (impl#1)");
    assert_label(&generics, 1, "dup@1.0.0::S::f (impl#2)");
    assert_label(&generics, 2, "dup@2.0.0::S::f");
    /* The version is that of the crate that comparisons take the name to begin with. */
    assert_names(&generics.items.items[3], "<_ as dup@1.0.0::T>::f", "");
}

static void assert_labelled(const char *path, const char *expected)
{
    SCOPED(text_done) struct text text = {0};

    crate_name_add_labelled(&text, slice_of(path), SLICE("dup"), SLICE("dup@1.0.0"));
    assert_string_equal(text_string(&text), expected);
}

static void a_crate_is_labelled_where_a_path_begins_with_it(void **state)
{
    (void)state;
    assert_labelled("dup::f", "dup@1.0.0::f");
    assert_labelled("<dup::S as dup::T>::f", "<dup@1.0.0::S as dup::T>::f");
    assert_labelled("<undup::dup::S as dup::T>::f", "<undup::dup::S as dup@1.0.0::T>::f");
    assert_labelled("dup_more::<impl dup::T for u8>::f", "dup_more::<impl dup@1.0.0::T for u8>::f");
    assert_labelled("<_ as core::convert::Into>::into", "<_ as core::convert::Into>::into (dup@1.0.0)");
    assert_labelled("dup", "dup (dup@1.0.0)");
    assert_labelled("", " (dup@1.0.0)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instances_of_one_generic_count_together),
        cmocka_unit_test(where_numbers_are_the_same_crates_tell),
        cmocka_unit_test(generics_that_read_the_same_are_told_apart),
        cmocka_unit_test(impls_are_told_apart_by_an_argument_that_all_copies_have),
        cmocka_unit_test(the_type_of_one_copy_is_not_the_name_of_all),
        cmocka_unit_test(of_names_that_read_the_same_a_legacy_one_may_be_any),
        cmocka_unit_test(legacy_names_of_two_versions_of_a_crate_are_two_functions),
        cmocka_unit_test(a_hash_tells_legacy_names_apart_and_only_their_labels_show_it),
        cmocka_unit_test(v0_names_are_of_the_version_that_their_hash_tells),
        cmocka_unit_test(a_crate_is_labelled_where_a_path_begins_with_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "groups/group_labels.h"

struct fixture {
    struct groups groups;
    struct crates crates;
    struct arena arena;
};

static int setup(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));

    f->groups.by = GROUP_BY_GENERIC;
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    groups_done(&f->groups);
    crates_done(&f->crates);
    arena_done(&f->arena);
    free(f);
    return 0;
}

/* core::ptr::drop_in_place::<sample::db::TYPE>, instantiated by sample. */
#define DROP(type) "_RINvNtCsgEmfK2I1SDS_4core3ptr13drop_in_placeNtNtCsh8XBZYaBucJ_6sample2db" type "EBK_"
/* <sample::frame::Error as From<…>>::from of impl number N + 2, made for str. */
#define FROM_STR(n)                                                                                          \
    "_RNvXs" n "_NtCsh8XBZYaBucJ_6sample5frameNtB5_5ErrorINtNtCsgEmfK2I1SDS_4core7convert4FromReE4from"
#define MAIN "_RNvCsh8XBZYaBucJ_6sample4main"
#define FROM_STR_OF_ANOTHER_VERSION                                                                          \
    "_RNvXs1_NtCsgXBZYaBucJ_6sample5frameNtB5_5ErrorINtNtCsgEmfK2I1SDS_4core7convert4FromReE4from"
#define PANIC_HANDLER "_RNvCsfLfy6EI15iL_7___rustc17rust_begin_unwind"
#define MAIN_OF_ANOTHER_VERSION "_RNvCsgXBZYaBucJ_6sample4main"

static void add(struct fixture *f, const char *symbol, uint64_t lines)
{
    groups_add(&f->groups, &(struct ir_function){.symbol = slice_of(symbol), .lines = lines, .switches = 1});
}

static void assert_label(struct fixture *f, size_t index, const char *label)
{
    struct slice found = group_labels(&f->groups, &f->crates, &f->arena)[index];

    assert_string_equal(found.data, label);
    assert_int_equal(found.length, strlen(label));
}

static void instances_of_one_generic_are_one_group(void **state)
{
    struct fixture *f = *state;

    add(f, DROP("5Entry"), 10);
    add(f, MAIN, 1);
    add(f, DROP("5State"), 5);
    assert_int_equal(f->groups.items.count, 2);
    assert_int_equal(f->groups.items.items[0].lines, 15);
    assert_int_equal(f->groups.items.items[0].copies, 2);
    assert_int_equal(f->groups.items.items[1].lines, 1);
    assert_int_equal(f->groups.lines, 16);
    assert_int_equal(f->groups.copies, 3);
    assert_label(f, 0, "core::ptr::drop_in_place");
    assert_label(f, 1, "sample::main");
}

static void drop_glue_is_one_group_whatever_the_compiler_calls_it(void **state)
{
    struct fixture *f = *state;

    for (int by_crate = 0; by_crate < 2; by_crate++) {
        groups_done(&f->groups);
        f->groups.by = by_crate ? GROUP_BY_CRATE : GROUP_BY_GENERIC;
        add(f, "_RINvNtCsgEmfK2I1SDS_4core3ptr9drop_glueNtNtCsh8XBZYaBucJ_6sample2db5EntryEBF_", 10);
        add(f, DROP("5State"), 5);
        assert_int_equal(f->groups.items.count, 1);
        assert_label(f, 0, by_crate ? "[drop_in_place]" : "core::ptr::drop_in_place");
    }
}

static void impls_of_one_name_are_told_apart_by_their_numbers(void **state)
{
    struct fixture *f = *state;

    add(f, FROM_STR("1"), 1);
    assert_label(f, 0, "<sample::frame::Error as core::convert::From>::from");
    add(f, FROM_STR("2"), 1);
    assert_label(f, 0, "<sample::frame::Error as core::convert::From>::from (impl#3 with &str)");
    assert_label(f, 1, "<sample::frame::Error as core::convert::From>::from (impl#4 with &str)");
}

/* <TYPE as app::a::T>::f of impl number N + 2. */
#define T_FOR(n, type) "_RNvXs" n "_NtC3app1a" type "NtNtC3app1a1T5f_u32"

static void impls_of_one_name_have_the_type_that_all_copies_have(void **state)
{
    struct fixture *f = *state;

    add(f, T_FOR("1", "Rh"), 1);
    assert_label(f, 0, "<_ as app::a::T>::f_u32");
    add(f, T_FOR("2", "m"), 1);
    add(f, T_FOR("2", "m"), 1);
    add(f, T_FOR("3", "b"), 1);
    add(f, T_FOR("3", "c"), 1);
    assert_label(f, 0, "<_ as app::a::T>::f_u32 (impl#3 for &_)");
    assert_label(f, 1, "<_ as app::a::T>::f_u32 (impl#4 for u32)");
    assert_label(f, 2, "<_ as app::a::T>::f_u32 (impl#5)");
}

/* <TYPE as app::T>::f of an impl in app::m. */
#define T_AWAY_FOR(n, type) "_RNvX" n "NtC3app1m" type "NtC3app1T1f"

static void impls_away_from_their_trait_are_called_after_primitive_types(void **state)
{
    struct fixture *f = *state;

    add(f, T_AWAY_FOR("", "h"), 1);
    add(f, T_AWAY_FOR("s_", "t"), 1);
    assert_label(f, 0, "app::m::<impl app::T for u8>::f");
    assert_label(f, 1, "app::m::<impl app::T for u16>::f");
    /* A blanket impl. */
    add(f, T_AWAY_FOR("s0_", "x"), 1);
    assert_label(f, 2, "app::m::<impl app::T for i64>::f");
    add(f, T_AWAY_FOR("s0_", "c"), 1);
    add(f, T_AWAY_FOR("s0_", "x"), 1);
    assert_label(f, 2, "app::m::<impl app::T>::f");
}

static void two_versions_of_a_crate_are_told_apart_by_their_hashes(void **state)
{
    struct fixture *f = *state;

    add(f, MAIN, 1);
    add(f, MAIN_OF_ANOTHER_VERSION, 2);
    assert_int_equal(f->groups.items.count, 2);
    assert_label(f, 0, "sample[c7b16cb26e97d847]::main");
    assert_label(f, 1, "sample[32fbc6a462e8447]::main");
}

static void versions_are_told_before_the_numbers_of_impls(void **state)
{
    struct fixture *f = *state;

    crates_add(&f->crates, (struct crate){.name = SLICE("sample"),
                                          .disambiguator = 0xc7b16cb26e97d847,
                                          .version = SLICE("1.0.0"),
                                          .kind = SLICE("lib"),
                                          .package = SLICE("sample")});
    crates_add(&f->crates, (struct crate){.name = SLICE("sample"),
                                          .disambiguator = 0x32fbc6a462e8447,
                                          .version = SLICE("2.0.0"),
                                          .kind = SLICE("lib"),
                                          .package = SLICE("sample")});
    add(f, FROM_STR("1"), 1);
    add(f, FROM_STR("2"), 1);
    /* Of one version alone they say nothing. */
    assert_label(f, 0, "<sample::frame::Error as core::convert::From>::from (impl#3 with &str)");
    assert_label(f, 1, "<sample::frame::Error as core::convert::From>::from (impl#4 with &str)");
    add(f, FROM_STR_OF_ANOTHER_VERSION, 1);
    assert_label(f, 0, "<sample@1.0.0::frame::Error as core::convert::From>::from (impl#3 with &str)");
    assert_label(f, 1, "<sample@1.0.0::frame::Error as core::convert::From>::from (impl#4 with &str)");
    assert_label(f, 2, "<sample@2.0.0::frame::Error as core::convert::From>::from");
}

static void a_known_version_or_target_stands_for_a_hash(void **state)
{
    struct fixture *f = *state;

    crates_add(&f->crates, (struct crate){.name = SLICE("sample"),
                                          .disambiguator = 0xc7b16cb26e97d847,
                                          .version = SLICE("1.0.0"),
                                          .kind = SLICE("lib"),
                                          .package = SLICE("one")});
    crates_add(&f->crates, (struct crate){.name = SLICE("sample"),
                                          .disambiguator = 0x32fbc6a462e8447,
                                          .version = SLICE("2.0.0"),
                                          .kind = SLICE("lib"),
                                          .package = SLICE("two")});
    add(f, MAIN, 1);
    assert_label(f, 0, "sample::main");
    add(f, MAIN_OF_ANOTHER_VERSION, 2);
    assert_label(f, 0, "sample@1.0.0::main");
    assert_label(f, 1, "sample@2.0.0::main");
    assert_true(slice_is(groups_version(&f->groups, &f->crates, 1), "2.0.0"));
    add(f, DROP("5Entry"), 1);
    f->crates.items.items[1].version = SLICE("1.0.0");
    assert_label(f, 1, "sample (of two)::main");
    f->crates.items.items[1].package = SLICE("one");
    f->crates.items.items[1].kind = SLICE("bin");
    assert_label(f, 0, "sample (lib)::main");
    assert_label(f, 1, "sample (bin)::main");
    /* A crate that was not compiled has its hash only where its name alone would mislead. */
    f->crates.items.items[1].disambiguator = 1;
    assert_label(f, 1, "sample[32fbc6a462e8447]::main");
    f->crates.items.items[0].name = f->crates.items.items[1].name = SLICE("other");
    assert_label(f, 1, "sample[32fbc6a462e8447]::main");
    assert_null(groups_version(&f->groups, &f->crates, 1).data);
    groups_done(&f->groups);
    f->groups.by = GROUP_BY_CRATE;
    add(f, MAIN, 1);
    assert_label(f, 0, "sample");
}

static void a_group_knows_what_was_asked_about_inlining_of_all_its_functions(void **state)
{
    struct fixture *f = *state;
    struct ir_function function = {.symbol = slice_of(MAIN), .inlining = IR_INLINE_NEVER};

    groups_add(&f->groups, &function);
    assert_true(slice_is(groups_inlining(f->groups.items.items[0].inlinings), "never"));
    groups_add(&f->groups, &function);
    assert_true(slice_is(groups_inlining(f->groups.items.items[0].inlinings), "never"));
    function.inlining = IR_INLINE_AS_LIKED;
    groups_add(&f->groups, &function);
    assert_true(slice_is(groups_inlining(f->groups.items.items[0].inlinings), "mixed"));
    assert_true(slice_is(groups_inlining(1U << IR_INLINE_AS_LIKED), ""));
    assert_true(slice_is(groups_inlining(1U << IR_INLINE_HINT), "inline"));
    assert_true(slice_is(groups_inlining(1U << IR_INLINE_ALWAYS), "always"));
}

/* Two closures of sample::main, a vtable shim, and an instance of sample::one for u8. */
#define CLOSURE_0 "_RNCNvCsh8XBZYaBucJ_6sample4main0B3_"
#define CLOSURE_1 "_RNCNvCsh8XBZYaBucJ_6sample4mains_0B3_"
#define SHIM                                                                                                 \
    "_RNSNvYNCNvCsh8XBZYaBucJ_6sample4main0INtNtNtCsgEmfK2I1SDS_4core3ops8function6FnOnceuE9call_once6"      \
    "vtableB8_"
#define ONE(type) "_RINvCsh8XBZYaBucJ_6sample3one" type "EB2_"

static void closures_drop_glue_and_shims_are_groups_unless_they_are_split(void **state)
{
    static const char *const merged[] = {"sample::main", "sample::main::{closure}",
                                         "core::ptr::drop_in_place",
                                         "core::ops::function::FnOnce::call_once::{shim:vtable}"};
    static const char *const split[] = {
        "sample::main",
        "sample::main::{closure} (closure#0)",
        "sample::main::{closure} (closure#1)",
        "core::ptr::drop_in_place::<sample::db::Entry>",
        "core::ptr::drop_in_place::<sample::db::State>",
        "<sample::main::{closure#0} as core::ops::function::FnOnce<()>>::call_once::{shim:vtable#0}",
    };
    struct fixture *f = *state;

    for (int is_split = 0; is_split < 2; is_split++) {
        groups_done(&f->groups);
        f->groups.by = GROUP_BY_GENERIC;
        f->groups.is_split = is_split;
        add(f, MAIN, 1);
        add(f, CLOSURE_0, 1);
        add(f, CLOSURE_1, 1);
        add(f, DROP("5Entry"), 10);
        add(f, DROP("5State"), 10);
        add(f, SHIM, 1);
        assert_int_equal(f->groups.items.count, is_split ? ARRAY_COUNT(split) : ARRAY_COUNT(merged));
        for (size_t i = 0; i < f->groups.items.count; i++)
            assert_label(f, i, is_split ? split[i] : merged[i]);
    }
}

static void by_function_each_instance_is_a_group_whichever_crate_asked_for_it(void **state)
{
    struct fixture *f = *state;

    f->groups.by = GROUP_BY_FUNCTION;
    add(f, ONE("h"), 3);
    add(f, "_RINvCsh8XBZYaBucJ_6sample3onehECsgXBZYaBucJ_5other", 3);
    add(f, ONE("t"), 4);
    assert_int_equal(f->groups.items.count, 2);
    assert_int_equal(f->groups.items.items[0].copies, 2);
    assert_label(f, 0, "sample::one::<u8>");
    assert_label(f, 1, "sample::one::<u16>");
}

static void instances_that_read_alike_are_told_apart_by_the_numbers_in_their_symbols(void **state)
{
    struct fixture *f = *state;

    /* The first and the second impl of the same type in one module. */
    f->groups.by = GROUP_BY_FUNCTION;
    add(f, "_RNvMNtC1a1mNtB2_1T1f", 1);
    add(f, "_RNvMs_NtC1a1mNtB4_1T1f", 1);
    assert_int_equal(f->groups.items.count, 2);
    assert_label(f, 0, "<a::m::T>::f (impl#0)");
    assert_label(f, 1, "<a::m::T>::f (impl#1)");
    /* The first and the second V inside of one function. */
    add(f, "_RINvC1a3useNtNvB2_4main1VEB2_", 1);
    add(f, "_RINvC1a3useNtNvB2_4mains_1VEB2_", 1);
    assert_label(f, 2, "a::use::<a::main::V>");
    assert_label(f, 3, "a::use::<a::main::V> (V#1)");
}

static void instances_that_have_the_same_numbers_are_told_apart_by_their_symbols(void **state)
{
    struct fixture *f = *state;

    /* The first impls of one type in two modules. */
    f->groups.by = GROUP_BY_FUNCTION;
    add(f, "_RNvMNtC1a1mNtB2_1T1f", 1);
    add(f, "_RNvMNtC1a1nNtNtB4_1m1T1f", 1);
    assert_label(f, 0, "<a::m::T>::f (impl#0) (_RNvMNtC1a1mNtB2_1T1f)");
    assert_label(f, 1, "<a::m::T>::f (impl#0) (_RNvMNtC1a1nNtNtB4_1m1T1f)");
}

static void by_crate_and_module_it_counts_whose_source_it_is(void **state)
{
    struct fixture *f = *state;

    for (int is_split = 0; is_split < 2; is_split++) {
        groups_done(&f->groups);
        f->groups.by = GROUP_BY_CRATE;
        f->groups.is_split = is_split;
        add(f, FROM_STR("1"), 1);
        add(f, DROP("5Entry"), 10);
        add(f, SHIM, 5);
        add(f, "main", 2);
        groups_end_unit(&f->groups, (struct symbol_crate){0});
        assert_label(f, 0, "sample");
        assert_label(f, 1, is_split ? "[Unknown]" : "[drop_in_place]");
        assert_int_equal(f->groups.items.items[0].lines, is_split ? 16 : 1);
    }
    groups_done(&f->groups);
    f->groups.by = GROUP_BY_MODULE;
    f->groups.is_split = true;
    add(f, FROM_STR("1"), 1);
    add(f, DROP("5Entry"), 10);
    assert_label(f, 0, "sample::frame");
    assert_label(f, 1, "sample::db");
}

static struct symbol_crate sample(uint64_t disambiguator)
{
    return (struct symbol_crate){SLICE("sample"), disambiguator};
}

static void what_shows_no_crate_is_of_the_unit_that_defines_it(void **state)
{
    struct fixture *f = *state;

    for (enum grouping by = GROUP_BY_CRATE; by <= GROUP_BY_MODULE; by++) {
        groups_done(&f->groups);
        f->groups.by = by;
        add(f, "main", 2);
        add(f, MAIN, 1);
        add(f, PANIC_HANDLER, 4);
        assert_int_equal(groups_find(&f->groups, SLICE("main")), INTERN_NONE);
        groups_end_unit(&f->groups, sample(0xc7b16cb26e97d847));
        assert_int_equal(f->groups.items.count, 1);
        assert_int_equal(f->groups.items.items[0].lines, 7);
        assert_int_equal(f->groups.items.items[0].copies, 3);
        assert_label(f, 0, "sample");
        assert_int_equal(groups_find(&f->groups, SLICE("main")), 0);
        assert_int_equal(groups_find(&f->groups, SLICE(PANIC_HANDLER)), 0);
        /* A unit that has nothing else, then one of which nothing tells the crate. */
        add(f, "main", 3);
        add(f, "exported", 5);
        groups_end_unit(&f->groups, sample(1));
        assert_int_equal(f->groups.items.items[1].lines, 8);
        assert_label(f, 1, "sample[1]");
        assert_int_equal(groups_find(&f->groups, SLICE("exported")), 1);
        assert_int_equal(groups_find(&f->groups, SLICE("main")), INTERN_NONE);
        add(f, "c_function", 6);
        groups_end_unit(&f->groups, (struct symbol_crate){0});
        groups_end_unit(&f->groups, sample(2));
        assert_int_equal(f->groups.items.count, 3);
        assert_label(f, 2, "[Unknown]");
        assert_int_equal(f->groups.lines, 21);
        assert_int_equal(f->groups.copies, 6);
    }
    groups_done(&f->groups);
    f->groups.by = GROUP_BY_GENERIC;
    add(f, "main", 2);
    groups_end_unit(&f->groups, sample(1));
    assert_label(f, 0, "main");
    assert_int_equal(groups_find(&f->groups, SLICE("main")), 0);
}

/* What a program with legacy names compiles of std's generics and of its inline functions. */
static void crates_of_stds_are_one_whichever_mangling_their_names_have(void **state)
{
    struct fixture *f = *state;

    for (enum grouping by = GROUP_BY_CRATE; by <= GROUP_BY_MODULE; by++) {
        groups_done(&f->groups);
        f->groups.by = by;
        add(f, "_ZN4core3fmt5write17h0123456789abcdefE", 1);
        add(f, "_RNvNtCsgEmfK2I1SDS_4core3fmt5write", 2);
        /* What may be a program's is not taken for std's. */
        add(f, "_ZN4test3fmt5write17h0123456789abcdefE", 4);
        add(f, "_RNvNtCsgEmfK2I1SDS_4test3fmt5write", 8);
        assert_int_equal(f->groups.items.count, 3);
        assert_int_equal(f->groups.items.items[0].lines, 3);
        assert_label(f, 0, by == GROUP_BY_CRATE ? "core" : "core::fmt");
    }
}

static void names_show_whether_v0_is_stds_alone(void **state)
{
    struct fixture *f = *state;

    add(f, "_ZN9hashbrown3raw4find17h0123456789abcdefE", 1);
    add(f, "_RNvNtCsh8XBZYaBucJ_9hashbrown3raw4find", 1);
    assert_false(groups_show_std_by_v0(&f->groups));
    add(f, "_RNvNtCsgEmfK2I1SDS_4core3fmt5write", 1);
    assert_true(groups_show_std_by_v0(&f->groups));
    /* std's generics that the program made. */
    add(f, DROP("5Entry"), 1);
    assert_false(groups_show_std_by_v0(&f->groups));
    groups_done(&f->groups);
    add(f, "_RNvNtCsgEmfK2I1SDS_4core3fmt5write", 1);
    assert_false(groups_show_std_by_v0(&f->groups));
}

static void instructions_are_lines_without_the_ends_of_switches(void **state)
{
    struct fixture *f = *state;

    f->groups.counts_instructions = true;
    add(f, MAIN, 5);
    assert_int_equal(f->groups.items.items[0].lines, 4);
    assert_int_equal(f->groups.lines, 4);
}

static void a_group_is_found_by_any_of_its_functions(void **state)
{
    struct fixture *f = *state;

    add(f, MAIN, 1);
    add(f, DROP("5Entry"), 1);
    assert_int_equal(groups_find(&f->groups, SLICE(DROP("5State"))), 1);
    assert_int_equal(groups_find(&f->groups, SLICE(ONE("h"))), INTERN_NONE);
}

static void names_that_are_not_rusts_stay_as_they_are(void **state)
{
    struct fixture *f = *state;

    add(f, "main", 1);
    add(f, "quoted \"name\"", 2);
    add(f, "main", 3);
    assert_int_equal(f->groups.items.count, 2);
    assert_label(f, 0, "main");
    assert_label(f, 1, "quoted \"name\"");
}

static void nothing_is_no_group(void **state)
{
    struct fixture *f = *state;

    assert_non_null(group_labels(&f->groups, &f->crates, &f->arena));
    assert_int_equal(f->groups.items.count, 0);
    assert_int_equal(f->groups.lines, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(instances_of_one_generic_are_one_group, setup, teardown),
        cmocka_unit_test_setup_teardown(drop_glue_is_one_group_whatever_the_compiler_calls_it, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(impls_of_one_name_are_told_apart_by_their_numbers, setup, teardown),
        cmocka_unit_test_setup_teardown(impls_of_one_name_have_the_type_that_all_copies_have, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(impls_away_from_their_trait_are_called_after_primitive_types, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(two_versions_of_a_crate_are_told_apart_by_their_hashes, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(versions_are_told_before_the_numbers_of_impls, setup, teardown),
        cmocka_unit_test_setup_teardown(a_known_version_or_target_stands_for_a_hash, setup, teardown),
        cmocka_unit_test_setup_teardown(a_group_knows_what_was_asked_about_inlining_of_all_its_functions,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(closures_drop_glue_and_shims_are_groups_unless_they_are_split, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(by_function_each_instance_is_a_group_whichever_crate_asked_for_it,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(
            instances_that_read_alike_are_told_apart_by_the_numbers_in_their_symbols, setup, teardown),
        cmocka_unit_test_setup_teardown(instances_that_have_the_same_numbers_are_told_apart_by_their_symbols,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(by_crate_and_module_it_counts_whose_source_it_is, setup, teardown),
        cmocka_unit_test_setup_teardown(what_shows_no_crate_is_of_the_unit_that_defines_it, setup, teardown),
        cmocka_unit_test_setup_teardown(crates_of_stds_are_one_whichever_mangling_their_names_have, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(names_show_whether_v0_is_stds_alone, setup, teardown),
        cmocka_unit_test_setup_teardown(instructions_are_lines_without_the_ends_of_switches, setup, teardown),
        cmocka_unit_test_setup_teardown(a_group_is_found_by_any_of_its_functions, setup, teardown),
        cmocka_unit_test_setup_teardown(names_that_are_not_rusts_stay_as_they_are, setup, teardown),
        cmocka_unit_test_setup_teardown(nothing_is_no_group, setup, teardown),
    };

    return cmocka_run_group_tests_name("groups", tests, NULL, NULL);
}

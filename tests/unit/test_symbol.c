#include "cmocka_all.h"

#include <stdio.h>
#include <string.h>

#include "rust/demangle.h"
#include "rust/symbol.h"
#include "rust/symbol_key.h"
#include "rust/symbol_path.h"

/* <alloc::vec::Vec<u8> as core::clone::Clone>::clone, instantiated in app. */
#define CLONE_V0 "_RNvXs7_NtCs1_5alloc3vecINtB5_3VechENtNtCs2_4core5clone5Clone5cloneCs3_3app"
#define HASH "17h0123456789abcdefE"

static struct symbol symbol;
static struct text text;

static int tear_down(void **state)
{
    (void)state;
    symbol_done(&symbol);
    text_done(&text);
    return 0;
}

static void assert_text(const char *expected)
{
    assert_string_equal(text_string(&text), expected);
    text_clear(&text);
}

static void assert_key(const char *name, enum symbol_key key, const char *expected)
{
    symbol_parse(&symbol, slice_of(name));
    symbol_add_key(&text, &symbol, key);
    assert_text(expected);
}

static void assert_module(const char *name, const char *expected)
{
    symbol_parse(&symbol, slice_of(name));
    symbol_add_module(&text, &symbol);
    assert_text(expected);
}

static void assert_owner(const char *name, enum symbol_certainty certainty, const char *crate,
                         const char *other)
{
    struct symbol_owner owner = {0};

    symbol_parse(&symbol, slice_of(name));
    owner = symbol_defining_crate(&symbol);
    assert_int_equal(owner.certainty, certainty);
    assert_true(slice_is(owner.crate.name, crate));
    assert_true(slice_is(owner.other.name, other));
}

/* A legacy name of one element, so that cases read as what they stand for. */
static void assert_impl_owner(const char *impl, enum symbol_certainty certainty, const char *crate,
                              const char *other)
{
    char name[300];

    snprintf(name, sizeof(name), "_ZN%zu%s1m" HASH, strlen(impl), impl);
    assert_owner(name, certainty, crate, other);
}

static void kinds_are_told_apart(void **state)
{
    static const struct {
        const char *name;
        enum symbol_kind kind;
    } CASES[] = {
        {"_ZN3foo3bar" HASH, SYMBOL_RUST_LEGACY},
        {"__ZN3foo3bar" HASH, SYMBOL_RUST_LEGACY},
        {"_RNvC3foo3bar", SYMBOL_RUST_V0},
        {"RNvC3foo3bar", SYMBOL_RUST_V0},
        {"_ZN3foo3barEv", SYMBOL_CXX},
        {"_ZN3foo3barE", SYMBOL_CXX},
        {"_ZN4$RP$E", SYMBOL_RUST_LEGACY},
        {"_Z3foov", SYMBOL_CXX},
        {"memcpy", SYMBOL_OTHER},
        {"", SYMBOL_OTHER},
        {"_R", SYMBOL_OTHER},
        {"_RNvC3foo9bar", SYMBOL_OTHER},
        {"_ZN3foo9bar" HASH, SYMBOL_CXX},
        {"_ZN3foo1", SYMBOL_CXX},
        {"_RNvC3foo3bar moocow", SYMBOL_OTHER},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(CASES); i++) {
        symbol_parse(&symbol, slice_of(CASES[i].name));
        assert_int_equal(symbol.kind, CASES[i].kind);
    }
}

static void what_compilers_add_is_kept_apart(void **state)
{
    (void)state;
    symbol_parse(&symbol, SLICE("_RNvC3foo3bar.cold.0.llvm.12AB"));
    assert_int_equal(symbol.kind, SYMBOL_RUST_V0);
    assert_true(slice_is(symbol.mangled, "NvC3foo3bar"));
    assert_true(slice_is(symbol.suffix, ".cold.0"));
    assert_true(slice_is(symbol.llvm, ".llvm.12AB"));
    symbol_parse(&symbol, SLICE("memcpy@@GLIBC_2.14"));
    assert_true(slice_is(symbol.mangled, "memcpy"));
    assert_true(slice_is(symbol.version, "@@GLIBC_2.14"));
    assert_int_equal(symbol.llvm.length, 0);
    symbol_parse(&symbol, SLICE("_ZN3foo" HASH ".exit.i"));
    assert_true(slice_is(symbol.hash, "0123456789abcdef"));
    assert_true(slice_is(symbol.suffix, ".exit.i"));
}

static void cxx_names_are_demangled_and_c_names_stay(void **state)
{
    (void)state;
    demangle_add_name(&text, &symbol, SLICE("_ZN3foo3barEi.cold"), DEMANGLE_SHORT);
    assert_text("foo::bar(int).cold");
    demangle_add_name(&text, &symbol, SLICE("memcpy@@GLIBC_2.14"), DEMANGLE_FULL);
    assert_text("memcpy@@GLIBC_2.14");
    demangle_add_name(&text, &symbol, SLICE("_Znonsense"), DEMANGLE_FULL);
    assert_text("_Znonsense");
}

/* Each "St4pairI" level refers to the one before twice: 2^40 copies. */
static void a_cxx_name_that_explodes_stays_as_it_is(void **state)
{
    char name[600] = "_Z1fSt4pairIiiE";
    size_t length = strlen(name);

    (void)state;
    for (int i = 1; i < 30; i++)
        length += (size_t)snprintf(name + length, sizeof(name) - length, "S_IS%.*s_S%.*s_E", i > 1,
                                   &"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i > 1 ? i - 2 : 0], i > 1,
                                   &"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i > 1 ? i - 2 : 0]);
    demangle_add_name(&text, &symbol, slice_of(name), DEMANGLE_FULL);
    assert_true(text.length <= DEMANGLE_LENGTH_MAX);
    text_clear(&text);
}

static void v0_names_tell_both_crates(void **state)
{
    struct symbol_crate crate = {0};

    (void)state;
    assert_owner(CLONE_V0, SYMBOL_EXACT, "alloc", "");
    assert_int_equal(symbol_defining_crate(&symbol).crate.disambiguator, 3);
    assert_true(symbol_instantiating_crate(&symbol, &crate));
    assert_true(slice_is(crate.name, "app"));
    assert_int_equal(crate.disambiguator, 5);
    assert_owner("_RNvYhNtC3app5Trait1m", SYMBOL_EXACT, "app", "");
    assert_false(symbol_instantiating_crate(&symbol, &crate));
    assert_owner("_RNvCs1_7___rustc12___rust_alloc", SYMBOL_EXACT, "__rustc", "");
    assert_owner("memcpy", SYMBOL_UNKNOWN, "", "");
}

static void legacy_paths_tell_their_crate(void **state)
{
    (void)state;
    assert_owner("_ZN3app3mod1f" HASH, SYMBOL_EXACT, "app", "");
    assert_owner("_ZN4core3fmt3num50_$LT$impl$u20$core..fmt..Debug$u20$for$u20$i32$GT$3fmt" HASH,
                 SYMBOL_EXACT, "core", "");
    assert_owner("_ZN4core3ptr42drop_in_place$LT$alloc..string..String$GT$" HASH, SYMBOL_EXACT, "core", "");
}

static void the_orphan_rule_tells_the_crate_of_legacy_impls(void **state)
{
    (void)state;
    assert_impl_owner("_$LT$app..S$u20$as$u20$core..fmt..Debug$GT$", SYMBOL_EXACT, "app", "");
    assert_impl_owner("_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..clone..Clone$GT$", SYMBOL_EXACT,
                      "alloc", "");
    assert_impl_owner("_$LT$std..fs..File$u20$as$u20$app..Trait$GT$", SYMBOL_EXACT, "app", "");
    assert_impl_owner("_$LT$T$u20$as$u20$app..Trait$LT$lib..S$GT$$GT$", SYMBOL_EXACT, "app", "");
    assert_impl_owner("_$LT$i32$u20$as$u20$app..Trait$GT$", SYMBOL_EXACT, "app", "");
    assert_impl_owner("_$LT$alloc..string..String$u20$as$u20$core..convert..From$LT$app..S$GT$$GT$",
                      SYMBOL_EXACT, "app", "");
    assert_impl_owner("_$LT$app..S$u20$as$u20$lib..Trait$GT$", SYMBOL_INFERRED, "app", "lib");
    assert_impl_owner("_$LT$$RF$app..S$u20$as$u20$app..Trait$GT$", SYMBOL_EXACT, "app", "");
    assert_impl_owner("_$LT$$u5b$app..S$u5d$$GT$", SYMBOL_EXACT, "app", "");
    assert_impl_owner("_$LT$dyn$u20$core..any..Any$GT$", SYMBOL_EXACT, "core", "");
    assert_impl_owner(
        "_$LT$$LT$app..S$u20$as$u20$core..fmt..Debug$GT$..fmt..W$u20$as$u20$core..fmt..Write$GT$",
        SYMBOL_EXACT, "app", "");
}

static void instances_share_the_exact_key(void **state)
{
    const char *key = "alloc[3]::vec::<impl#9 core[4]::clone::Clone>::clone";

    (void)state;
    assert_key(CLONE_V0, SYMBOL_KEY_EXACT, key);
    assert_key("_RNvXs7_NtCs1_5alloc3vecINtB5_3VecmENtNtCs2_4core5clone5Clone5clone", SYMBOL_KEY_EXACT, key);
    assert_key("_RINvNtC4core3ptr13drop_in_placehE", SYMBOL_KEY_EXACT, "core::ptr::drop_in_place");
    assert_key("_RNCNvC3app1fs_0", SYMBOL_KEY_EXACT, "app::f::{closure#1}");
    assert_key("_RNvMC3appNtB2_1S1m", SYMBOL_KEY_EXACT, "app::<impl#0>::m");
    assert_key("_RNvMs_C3appNtB4_1S1m", SYMBOL_KEY_EXACT, "app::<impl#1>::m");
    assert_key("_ZN4core3ptr42drop_in_place$LT$alloc..string..String$GT$" HASH, SYMBOL_KEY_EXACT,
               "core::ptr::drop_in_place");
    assert_key("_ZN5alloc3vec16Vec$LT$T$C$A$GT$4push" HASH, SYMBOL_KEY_EXACT, "alloc::vec::Vec<T,A>::push");
}

/* rustc 1.97 calls it core::ptr::drop_glue; the crate's hash stays. */
static void drop_glue_has_one_key_in_either_of_its_names(void **state)
{
    (void)state;
    assert_key("_RINvNtC4core3ptr9drop_gluehE", SYMBOL_KEY_COMMON, "core::ptr::drop_in_place");
    assert_key("_RINvNtCs1_4core3ptr9drop_gluehE", SYMBOL_KEY_EXACT, "core[3]::ptr::drop_in_place");
    assert_key("_RINvNtCs1_4core3ptr9drop_gluehE", SYMBOL_KEY_MERGED, "core[3]::ptr::drop_in_place");
    assert_key("_ZN4core3ptr38drop_glue$LT$alloc..string..String$GT$" HASH, SYMBOL_KEY_COMMON,
               "core::ptr::drop_in_place");
    assert_key("_ZN4core3ptr38drop_glue$LT$alloc..string..String$GT$" HASH, SYMBOL_KEY_EXACT,
               "core::ptr::drop_in_place");
    assert_key("_RNvNtC3app3ptr9drop_glue", SYMBOL_KEY_COMMON, "app::ptr::drop_glue");
}

/* Both manglings of one function, and what they have in common. */
static void both_manglings_have_the_same_common_key(void **state)
{
    static const char *const CASES[][3] = {
        {CLONE_V0, "_ZN67_$LT$alloc..vec..Vec$LT$T$C$A$GT$$u20$as$u20$core..clone..Clone$GT$5clone" HASH,
         "<alloc::vec::Vec as core::clone::Clone>::clone"},
        {"_RNvMNtC5alloc3vecINtB2_3VechE4push", "_ZN5alloc3vec16Vec$LT$T$C$A$GT$4push" HASH,
         "alloc::vec::Vec::push"},
        {"_RNvXNtC4core7converthINtB2_4IntomE4into",
         "_ZN50_$LT$T$u20$as$u20$core..convert..Into$LT$U$GT$$GT$4into" HASH,
         "<_ as core::convert::Into>::into"},
        {"_RNvXNtNtC4core3fmt3numlNtB4_5Debug3fmt",
         "_ZN4core3fmt3num50_$LT$impl$u20$core..fmt..Debug$u20$for$u20$i32$GT$3fmt" HASH,
         "core::fmt::num::<impl core::fmt::Debug for i32>::fmt"},
        {"_RNvXNtC3app4implNtNtC3app4type1SNtNtC3lib1t5Trait1m",
         "_ZN3app4impl56_$LT$impl$u20$lib..t..Trait$u20$for$u20$app..type..S$GT$1m" HASH,
         "app::impl::<impl lib::t::Trait for app::type::S>::m"},
        {"_RNvXNtC3app4implRNtNtC3app4type1SNtNtC3lib1t5Trait1m",
         "_ZN3app4impl60_$LT$impl$u20$lib..t..Trait$u20$for$u20$$RF$app..type..S$GT$1m" HASH,
         "app::impl::<impl lib::t::Trait for &app::type::S>::m"},
        {"_RNvXNtC3app4implSNtNtC3app4type1SINtNtC3lib1t5TraitNtNtC3app4type1SE1m",
         "_ZN3app4impl64_$LT$impl$u20$lib..t..Trait$LT$T$GT$$u20$for$u20$$u5b$T$u5d$$GT$1m" HASH,
         "app::impl::<impl lib::t::Trait for [_]>::m"},
        {"_RNvMNtC4core5sliceSh3len", "_ZN4core5slice29_$LT$impl$u20$$u5b$T$u5d$$GT$3len" HASH,
         "core::slice::<impl [_]>::len"},
        {"_RNCNvC3app1f0", "_ZN3app1f28_$u7b$$u7b$closure$u7d$$u7d$" HASH, "app::f::{closure}"},
        {"_RNSNvYhNtC3app5Trait1m6vtable", "_ZN3app5Trait32m$u7b$$u7b$vtable.shim$u7d$$u7d$" HASH,
         "app::Trait::m::{shim:vtable}"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(CASES); i++) {
        assert_key(CASES[i][0], SYMBOL_KEY_COMMON, CASES[i][2]);
        assert_key(CASES[i][1], SYMBOL_KEY_COMMON, CASES[i][2]);
    }
}

static void modules_are_what_the_item_stands_in(void **state)
{
    (void)state;
    assert_module(CLONE_V0, "alloc::vec");
    assert_module("_RNCNvNvNtC3app3mod1f1g0", "app::mod");
    assert_module("_RNvYhNtNtC3app3mod5Trait1m", "app::mod");
    assert_module("_ZN4core3fmt3num50_$LT$impl$u20$core..fmt..Debug$u20$for$u20$i32$GT$3fmt" HASH,
                  "core::fmt::num");
    assert_module("_ZN5alloc3vec16Vec$LT$T$C$A$GT$4push" HASH, "alloc::vec");
    assert_module("_ZN3app3mod1f28_$u7b$$u7b$closure$u7d$$u7d$" HASH, "app::mod");
    assert_module("_ZN48_$LT$app..mod..S$u20$as$u20$core..fmt..Debug$GT$3fmt" HASH, "app::mod");
    assert_module("memcpy", "");
}

static void an_argument_tells_whose_type_it_is(void **state)
{
    struct symbol_crate crate = {0};

    /* core::ptr::drop_in_place::<&app::mod::S>, and for u8. */
    (void)state;
    symbol_parse(&symbol, SLICE("_RINvNtC4core3ptr13drop_in_placeRNtNtCs1_3app3mod1SEC3app"));
    assert_true(symbol_argument_crate(&symbol, 0, &crate));
    assert_true(slice_is(crate.name, "app"));
    assert_int_equal(crate.disambiguator, 3);
    assert_true(symbol_add_argument_module(&text, &symbol, 0));
    assert_text("app::mod");
    assert_false(symbol_argument_crate(&symbol, 1, &crate));
    symbol_parse(&symbol, SLICE("_RINvNtC4core3ptr13drop_in_placehEC3app"));
    assert_false(symbol_argument_crate(&symbol, 0, &crate));
    assert_false(symbol_add_argument_module(&text, &symbol, 0));
    assert_int_equal(text.length, 0);
}

static void an_instance_is_the_same_whoever_asked_for_it(void **state)
{
    struct symbol_crate crate = {0};
    uint32_t at = 0;

    (void)state;
    symbol_parse(&symbol, SLICE("_RINvC3app1fNtC3lib1SEC5other"));
    assert_true(slice_is(symbol_instance(&symbol), "_RINvC3app1fNtC3lib1SE"));
    assert_true(symbol_next_crate(&symbol, &at, &crate) && slice_is(crate.name, "app"));
    assert_true(symbol_next_crate(&symbol, &at, &crate) && slice_is(crate.name, "lib"));
    assert_false(symbol_next_crate(&symbol, &at, &crate));
    symbol_parse(&symbol, SLICE("_RNvC3app1f"));
    assert_true(slice_is(symbol_instance(&symbol), "_RNvC3app1f"));
    symbol_parse(&symbol, SLICE("_ZN3foo" HASH));
    at = 0;
    assert_false(symbol_next_crate(&symbol, &at, &crate));
    assert_true(slice_equal(symbol_instance(&symbol), symbol.name));
}

static void arguments_come_from_the_outermost_in(void **state)
{
    (void)state;
    symbol_parse(&symbol, SLICE("_RINvXC3appNtB3_1SINtB3_5TraitmL_E1mhKj3_E"));
    assert_true(symbol_add_argument(&text, &symbol, 0));
    assert_text("app::S");
    assert_true(symbol_add_argument(&text, &symbol, 1));
    assert_text("u32");
    assert_true(symbol_add_argument(&text, &symbol, 2));
    assert_text("u8");
    assert_true(symbol_add_argument(&text, &symbol, 3));
    assert_text("3");
    assert_false(symbol_add_argument(&text, &symbol, 4));
    assert_int_equal(text.length, 0);
    symbol_parse(&symbol, SLICE("_ZN3foo" HASH));
    assert_false(symbol_add_argument(&text, &symbol, 0));
}

static void assert_arguments(const char *name, const char *expected)
{
    symbol_parse(&symbol, slice_of(name));
    symbol_add_arguments(&text, &symbol);
    assert_text(expected);
}

static void v0_names_tell_their_type_arguments_and_others_none(void **state)
{
    (void)state;
    assert_arguments("_RNvMs_NtCs1_5alloc3vecINtB4_3VechE4pushCs2_3app", "alloc::vec::Vec<u8>");
    assert_arguments("_RINvCs1_3app1flhECs1_3app", "i32, u8");
    assert_arguments("_RNvCs1_3app4main", "");
    assert_arguments("_ZN3app1f17h0123456789abcdefE", "");
    assert_arguments("memcpy", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_are_told_apart),
        cmocka_unit_test(what_compilers_add_is_kept_apart),
        cmocka_unit_test(cxx_names_are_demangled_and_c_names_stay),
        cmocka_unit_test(a_cxx_name_that_explodes_stays_as_it_is),
        cmocka_unit_test(v0_names_tell_both_crates),
        cmocka_unit_test(legacy_paths_tell_their_crate),
        cmocka_unit_test(the_orphan_rule_tells_the_crate_of_legacy_impls),
        cmocka_unit_test(instances_share_the_exact_key),
        cmocka_unit_test(drop_glue_has_one_key_in_either_of_its_names),
        cmocka_unit_test(both_manglings_have_the_same_common_key),
        cmocka_unit_test(modules_are_what_the_item_stands_in),
        cmocka_unit_test(arguments_come_from_the_outermost_in),
        cmocka_unit_test(v0_names_tell_their_type_arguments_and_others_none),
        cmocka_unit_test(an_argument_tells_whose_type_it_is),
        cmocka_unit_test(an_instance_is_the_same_whoever_asked_for_it),
    };

    return cmocka_run_group_tests_name("symbol", tests, NULL, tear_down);
}

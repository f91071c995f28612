#include "cmocka_all.h"

#include <stdio.h>

#include "symbolize/names.h"

struct fixture {
    struct profile profile;
    struct naming naming;
};

static int set_up(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){.naming.profile = &fixture.profile};
    profile_init(&fixture.profile);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    naming_done(&f->naming);
    profile_done(&f->profile);
    return 0;
}

static void assert_named(struct fixture *f, struct found_name found, const char *crate, const char *expected)
{
    uint32_t id = naming_function(&f->naming, &found);
    const struct profile_function *function = &f->profile.functions.items[id];
    struct slice name = profile_text(&f->profile, function->name);

    if (!slice_is(name, expected))
        fail_msg("\"%.*s\" instead of \"%s\"", SLICE_ARGUMENTS(name), expected);
    assert_true(slice_is(profile_text(&f->profile, function->crate), crate));
}

static void assert_linkage(struct fixture *f, const char *symbol, uint32_t async_fns, const char *expected)
{
    assert_named(f, (struct found_name){.text = slice_of(symbol), .async_fns = async_fns}, "app", expected);
}

#define CLOSURE "28_$u7b$$u7b$closure$u7d$$u7d$"
#define HASH "17h0123456789abcdefE"

static void the_body_of_an_async_fn_has_the_functions_name(void **state)
{
    struct fixture *f = *state;

    assert_linkage(f, "_ZN3app5parse" CLOSURE HASH, 1, "app::parse");
    assert_linkage(f, "_ZN3app5parse" CLOSURE CLOSURE HASH, 2, "app::parse::{{closure}}");
    assert_linkage(f, "_ZN3app5parse" CLOSURE CLOSURE CLOSURE HASH, 5, "app::parse::{{closure}}");
    assert_linkage(f, "_RNCNvCs1_3app5parse0", 1, "app::parse");
    assert_linkage(f, "_RNCINvCs1_3app5parsemE0", 1, "app::parse::<u32>");
    assert_linkage(f, "_RNCNCNvCs1_3app5parse0s_0", 2, "app::parse::{closure#1}");
}

static void other_closures_stay_what_they_are(void **state)
{
    struct fixture *f = *state;

    assert_linkage(f, "_ZN3app5parse" CLOSURE HASH, 0, "app::parse::{{closure}}");
    assert_linkage(f, "_RNCNvCs1_3app5parse0", 0, "app::parse::{closure#0}");
    /* Debug information that does not fit the name tells nothing. */
    assert_linkage(f, "_ZN3app5parse" HASH, 1, "app::parse");
    assert_linkage(f, "_ZN3app5parse" CLOSURE HASH, 2, "app::parse::{{closure}}");
    assert_linkage(f, "_ZN3app5parse" CLOSURE HASH, UINT32_MAX, "app::parse::{{closure}}");
}

static void closures_of_legacy_names_have_the_numbers_of_debug_information(void **state)
{
    struct fixture *f = *state;
    struct found_name found = {.text = SLICE("_ZN3app5parse" CLOSURE CLOSURE "17h0000000000000001E"),
                               .closures = {{3, 1}}};

    assert_named(f, found, "app", "app::parse::{closure#0}::{closure#2}");
    found.text = SLICE("_ZN3app5parse" CLOSURE CLOSURE "17h0000000000000002E");
    found.async_fns = 2;
    assert_named(f, found, "app", "app::parse::{closure#2}");
    found.async_fns = 0;
    found.text = SLICE("_ZN3app5parse" CLOSURE CLOSURE "17h0000000000000003E");
    found.closures = (struct closure_numbers){{0, 8}};
    assert_named(f, found, "app", "app::parse::{closure#7}::{{closure}}");
    found.text = SLICE("_RNCNvCs1_3app5parse0"); /* which tells its own */
    found.closures = (struct closure_numbers){{9}};
    assert_named(f, found, "app", "app::parse::{closure#0}");
    found.text = SLICE("_ZN3app5parse" HASH);
    assert_named(f, found, "app", "app::parse");
}

static void assert_readable(struct fixture *f, const char *text, const char *crate, const char *expected)
{
    assert_named(
        f,
        (struct found_name){
            .text = slice_of(text), .is_readable = true, .is_rust = true, .unit_crate = SLICE("unit")},
        crate, expected);
}

static void names_without_a_linkage_name_are_treated_alike(void **state)
{
    struct fixture *f = *state;

    assert_readable(f, "app::parse::{async_fn#0}", "app", "app::parse");
    assert_readable(f, "app::parse::{async_fn#0}<u32>", "app", "app::parse<u32>");
    assert_readable(f, "app::parse::{async_fn#0}::{closure#0}", "app", "app::parse::{closure#0}");
    assert_readable(f, "app::run::{async_block#0}", "app", "app::run::{async_block#0}");
    /* Nobody says whose it is. */
    assert_readable(f, "{async_fn#0}", "unit", "{async_fn#0}");
    assert_readable(f, "app::parse::{async_fn#", "app", "app::parse");
}

static void names_that_rust_source_sets_are_of_the_units_crate(void **state)
{
    struct fixture *f = *state;
    struct found_name found = {
        .text = SLICE("eng_v2"), .is_rust = true, .unit_crate = SLICE("app"), .module = SLICE("libapp.so")};

    assert_named(f, found, "app", "eng_v2");
    found.text = SLICE("_Z5parsei");
    assert_named(f, found, "libapp.so", "parse(int)");
    found.is_rust = false;
    found.text = SLICE("eng_v2");
    found.unit_crate = (struct slice){0};
    assert_named(f, found, "libapp.so", "eng_v2");
}

static void a_crate_is_the_first_word_of_a_path_alone(void **state)
{
    struct fixture *f = *state;

    assert_readable(f, "block_on<core::pin::Pin<T>>", "unit", "block_on<core::pin::Pin<T>>");
    assert_readable(f, "<core::pin::Pin<T>>::get", "unit", "<core::pin::Pin<T>>::get");
    assert_readable(f, "poll", "unit", "poll");
}

/* A name that debug information with lines only gives a function, in the unit of /ws/app/src/main.rs. */
static void assert_crate_of_spin(struct fixture *f, const char *file, const char *file_crate,
                                 const char *crate)
{
    assert_named(f,
                 (struct found_name){.text = SLICE("spin"),
                                     .is_readable = true,
                                     .is_rust = true,
                                     .unit_crate = SLICE("app"),
                                     .unit_root = SLICE("/ws/app/src/main.rs"),
                                     .file = slice_of(file),
                                     .file_crate = slice_of(file_crate)},
                 crate, "spin");
}

static void what_is_inlined_is_of_the_crate_of_its_source(void **state)
{
    const char *const checkout = "/c/git/checkouts/many-things-0123456789abcdef/abc1234/";
    struct fixture *f = *state;
    char path[128];

    assert_crate_of_spin(f, "/ws/util/src/lib.rs", "real_name", "real_name");
    assert_crate_of_spin(f, "/ws/app/src/part.rs", "", "app");
    assert_crate_of_spin(f, "/ws/app/target/out/made.rs", "", "app");
    assert_crate_of_spin(f, "", "", "app");
    /* Of crates without a unit the folder tells. */
    assert_crate_of_spin(f, "/ws/all-generic/src/lib.rs", "", "all_generic");
    snprintf(path, sizeof(path), "%sone-thing/src/lib.rs", checkout);
    assert_crate_of_spin(f, path, "", "one_thing");
    snprintf(path, sizeof(path), "%ssrc/lib.rs", checkout);
    assert_crate_of_spin(f, path, "", "many_things");
    assert_crate_of_spin(f, "/c/registry/src/i/sha-1-0.10.0/src/a.rs", "", "sha_1");
}

/* Whose a function of C is whose source is in that file, which the unit of the other one includes. */
static void assert_crate_of_included(struct fixture *f, const char *unit, const char *file,
                                     const char *file_crate, const char *crate)
{
    struct found_name found = {.text = SLICE("inflate"),
                               .module = SLICE("my-app"),
                               .unit_root = slice_of(unit),
                               .file = slice_of(file),
                               .file_crate = slice_of(file_crate)};

    assert_named(f, found, crate, "inflate");
    found.is_readable = true;
    assert_named(f, found, crate, "inflate");
}

static void assert_crate_of_c(struct fixture *f, const char *file, const char *file_crate, const char *crate)
{
    assert_crate_of_included(f, file, file, file_crate, crate);
}

static void c_is_of_the_package_that_brings_it_along(void **state)
{
    struct fixture *f = *state;

    assert_crate_of_c(f, "/ws/zlib/src/inflate.c", "zlib", "zlib");
    assert_crate_of_c(f, "/c/registry/src/i/zlib-sys-1.0.0/src/inflate.c", "", "zlib_sys");
    assert_crate_of_c(f, "/c/git/checkouts/zlib-rs-0123456789abcdef/abc1234/c/inflate.c", "", "zlib_rs");
    assert_crate_of_c(f, "/t/release/build/zlib-sys-0123456789abcdef/out/inflate.c", "app", "zlib_sys");
    assert_crate_of_c(f, "/usr/src/zlib/inflate.c", "", "my-app");
    assert_crate_of_c(f, "", "", "my-app");
}

static void assert_settled(struct fixture *f, const char *name, const char *module, const char *crate)
{
    struct found_name found = {.text = slice_of(name), .module = slice_of(module)};
    uint32_t id = naming_function(&f->naming, &found);

    naming_settle(&f->naming);
    assert_true(slice_is(profile_text(&f->profile, f->profile.functions.items[id].crate), crate));
    assert_int_equal(naming_function(&f->naming, &found), id);
}

static void c_that_nothing_is_known_of_is_no_crate_of_rust_s(void **state)
{
    struct fixture *f = *state;
    struct found_name rust = {.text = SLICE("_ZN6my_app4main" HASH), .module = SLICE("my-app")};

    assert_settled(f, "inflate", "libz.so.1", "libz.so.1");
    assert_settled(f, "inflate", "python", "python");
    naming_function(&f->naming, &rust);
    assert_settled(f, "inflate", "my-app", "my-app (C)");
    assert_settled(f, "main", "my-app", "my-app");
    assert_settled(f, "inflate", "python", "python");
    assert_crate_of_c(f, "/ws/my-app/csrc/a.c", "my_app", "my_app");
}

static void c_whose_symbol_tells_its_package_is_that_s(void **state)
{
    struct fixture *f = *state;

    assert_named(f, (struct found_name){.text = SLICE("aws_lc_0_47_0_SHA256"), .module = SLICE("my-app")},
                 "aws_lc_sys", "aws_lc_0_47_0_SHA256");
    assert_named(f,
                 (struct found_name){.text = SLICE("ring_core_0_17_14__sha256"), .module = SLICE("my-app")},
                 "ring", "ring_core_0_17_14__sha256");
}

static void what_c_includes_is_of_its_package_unless_another_brings_it_along(void **state)
{
    const char *const blake3 = "/c/registry/src/i/blake3-1.8.2/c/blake3_avx512.c";
    const char *const header = "/usr/lib/gcc/x86_64-linux-gnu/12/include/avx512fintrin.h";
    struct fixture *f = *state;

    assert_crate_of_included(f, blake3, header, "", "blake3");
    assert_crate_of_included(f, blake3, "", "", "blake3");
    assert_crate_of_included(f, blake3, "/c/registry/src/i/libz-sys-1.1.20/zlib.h", "", "libz_sys");
    assert_crate_of_included(f, "/ws/my-app/csrc/a.c", header, "", "my-app");
    assert_crate_of_included(f, "/usr/src/zlib/inflate.c", header, "", "my-app");
}

static enum category category_of_file(struct fixture *f, const char *symbol, const char *file)
{
    struct found_name found = {.text = slice_of(symbol), .module = SLICE("program"), .file = slice_of(file)};
    uint32_t id = naming_function(&f->naming, &found);

    return f->profile.functions.items[id].category;
}

static enum category settled_category(struct fixture *f, const char *symbol)
{
    return category_of_file(f, symbol, "");
}

#define REGISTRY "/home/me/.cargo/registry/src/index-1/"

static void a_crate_that_is_mostly_local_is_ones_own_in_all_its_functions(void **state)
{
    struct fixture *f = *state;
    const char *std = "/rustc/0123/library/core/src/ptr/mod.rs";
    const char *generated = "/ws/target/release/build/gen-0123456789abcdef/out/table.rs";

    /* Lines of what is inlined, where that is not known. */
    assert_int_equal(category_of_file(f, "_ZN3app4main" HASH, std), CATEGORY_DEPENDENCY);
    assert_int_equal(category_of_file(f, "_ZN3app3run" HASH, REGISTRY "dep-1.0.0/src/lib.rs"),
                     CATEGORY_DEPENDENCY);
    assert_int_equal(category_of_file(f, "_ZN3app4read" HASH, "/ws/src/main.rs"), CATEGORY_OWN);
    assert_int_equal(category_of_file(f, "_ZN3app5write" HASH, "/ws/src/main.rs"), CATEGORY_OWN);
    /* A generic function that has something of ours inlined, and files that a build script wrote. */
    assert_int_equal(category_of_file(f, "_ZN3dep3map" HASH, "/ws/src/main.rs"), CATEGORY_OWN);
    assert_int_equal(category_of_file(f, "_ZN3dep4fold" HASH, REGISTRY "dep-1.0.0/src/lib.rs"),
                     CATEGORY_DEPENDENCY);
    assert_int_equal(category_of_file(f, "_ZN3gen4find" HASH, generated), CATEGORY_DEPENDENCY);
    naming_settle(&f->naming);
    assert_int_equal(settled_category(f, "_ZN3app4main" HASH), CATEGORY_OWN);
    assert_int_equal(settled_category(f, "_ZN3app3run" HASH), CATEGORY_OWN);
    assert_int_equal(settled_category(f, "_ZN3dep4fold" HASH), CATEGORY_DEPENDENCY);
    assert_int_equal(settled_category(f, "_ZN3gen4find" HASH), CATEGORY_DEPENDENCY);
}

static void a_program_called_like_a_crate_of_std_s_is_ones_own(void **state)
{
    struct fixture *f = *state;
    struct intern own = {0};

    assert_int_equal(category_of_file(f, "_ZN4test3run" HASH, "/ws/examples/test.rs"), CATEGORY_STD);
    intern_add(&own, SLICE("test"));
    f->naming.own_crates = &own;
    assert_int_equal(category_of_file(f, "_ZN4test4main" HASH, "/ws/examples/test.rs"), CATEGORY_OWN);
    assert_int_equal(category_of_file(f, "_ZN4test5bench" HASH, "/rustc/0123/library/test/src/lib.rs"),
                     CATEGORY_STD);
    assert_int_equal(category_of_file(f, "_ZN5alloc4main" HASH, "/ws/src/bin/alloc.rs"), CATEGORY_STD);
    assert_int_equal(category_of_file(f, "_ZN4test4stop" HASH, ""), CATEGORY_STD);
    f->naming.own_crates = NULL;
    intern_done(&own);
}

static enum category category_in(struct fixture *f, const char *module, const char *symbol)
{
    struct found_name found = {.text = slice_of(symbol),
                               .module = slice_of(module),
                               .file =
                                   SLICE("/home/me/.cargo/registry/src/index-1/my-app-1.0.0/src/main.rs")};
    uint32_t id = naming_function(&f->naming, &found);

    return f->profile.functions.items[id].category;
}

static void the_crate_of_an_installed_program_is_ones_own(void **state)
{
    struct fixture *f = *state;
    struct intern own = {0};

    assert_int_equal(category_in(f, "my-app", "_ZN6my_app4main" HASH), CATEGORY_OWN);
    assert_int_equal(category_in(f, "other", "_ZN6my_app5parse" HASH), CATEGORY_DEPENDENCY);
    assert_int_equal(category_in(f, "my-ap", "_ZN6my_app6render" HASH), CATEGORY_DEPENDENCY);
    /* Who built it knows better. */
    f->naming.own_crates = &own;
    assert_int_equal(category_in(f, "my-app", "_ZN6my_app5write" HASH), CATEGORY_DEPENDENCY);
    f->naming.own_crates = NULL;
    intern_done(&own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_body_of_an_async_fn_has_the_functions_name, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_closures_stay_what_they_are, set_up, tear_down),
        cmocka_unit_test_setup_teardown(closures_of_legacy_names_have_the_numbers_of_debug_information,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_without_a_linkage_name_are_treated_alike, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_crate_of_an_installed_program_is_ones_own, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_crate_that_is_mostly_local_is_ones_own_in_all_its_functions, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_program_called_like_a_crate_of_std_s_is_ones_own, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(names_that_rust_source_sets_are_of_the_units_crate, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_is_inlined_is_of_the_crate_of_its_source, set_up, tear_down),
        cmocka_unit_test_setup_teardown(c_is_of_the_package_that_brings_it_along, set_up, tear_down),
        cmocka_unit_test_setup_teardown(c_that_nothing_is_known_of_is_no_crate_of_rust_s, set_up, tear_down),
        cmocka_unit_test_setup_teardown(c_whose_symbol_tells_its_package_is_that_s, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_c_includes_is_of_its_package_unless_another_brings_it_along,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_crate_is_the_first_word_of_a_path_alone, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

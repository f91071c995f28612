#include "cmocka_all.h"

#include "library_fixture.h"
#include "used_fixture.h"

/* A library of one object that defines the symbol and reads `content`. */
static struct memory_file library_with(const char *symbol, const char *content)
{
    return library_of("dep.rcgu.o", symbol, content);
}

static void of_two_versions_the_one_that_has_the_code_around_a_function_is_its_crate(void **state)
{
    struct fixture *f = *state;
    struct memory_file old = library_with("_ZN3dep4core3run17h0123456789abcdefE", "");
    struct memory_file new = library_with("_ZN3dep4guts3run17h0123456789abcdefE", "");
    const struct build_package packages[] = {
        {.crate = SLICE("dep"), .version = SLICE("0.1.0"), .rlib = old.path},
        {.crate = SLICE("dep"), .version = SLICE("0.3.0"), .rlib = new.path},
    };

    add(f, "_ZN3dep4guts3run17h0123456789abcdefE", SYMBOL_NO_UNIT);
    add(f, "_ZN3dep4guts3run5inner17h0123456789abcdefE", SYMBOL_NO_UNIT);
    add(f, "_ZN3dep4core4stop17h0123456789abcdefE", SYMBOL_NO_UNIT);
    add(f, DEP_RUN, SYMBOL_NO_UNIT);
    f->request.packages = packages;
    f->request.package_count = 2;
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, "dep", USED_FROM_RLIB);
    assert_used(f, 1, "dep", USED_INFERRED);
    assert_int_equal(f->out[0].crate, f->out[1].crate);
    assert_used(f, 2, "dep", USED_INFERRED);
    assert_true(slice_is(f->crates.items.items[f->out[2].crate].version, "0.1.0"));
    assert_used(f, 3, "dep", USED_INFERRED);
    assert_true(f->crates.items.items[f->out[3].crate].is_ambiguous);
    memory_file_done(&old);
    memory_file_done(&new);
}

static void what_a_library_without_code_has_is_made_by_others(void **state)
{
    struct fixture *f = *state;
    struct build_package package = {
        .crate = SLICE("generic"), .version = SLICE("0.1.0"), .rlib = FIXTURES "/elf/bitcode.rlib"};

    add(f, APP_MAIN, SYMBOL_NO_UNIT);
    add(f, "_ZN7generic3map17h0123456789abcdefE", SYMBOL_NO_UNIT);
    add(f, DEP_RUN, SYMBOL_NO_UNIT);
    f->request.packages = &package;
    f->request.package_count = 1;
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 1, "app", USED_INFERRED);
    assert_used(f, 2, "dep", USED_INFERRED);
    package.is_own = true;
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 1, "generic", USED_INFERRED);
    package.is_own = false;
    package.rlib = "/nowhere/libgeneric.rlib";
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 1, "generic", USED_INFERRED);
}

static void c_code_of_a_build_script_is_its_packages(void **state)
{
    struct fixture *f = *state;
    const struct build_package packages[] = {
        {.crate = SLICE("app"), .version = SLICE("0.1.0"), .is_own = true},
        {.crate = SLICE("app"),
         .version = SLICE("0.1.0"),
         .rlib = FIXTURES "/elf/two-objects.a",
         .is_foreign = true,
         .is_own = true},
    };

    add(f, "a_long_function_name", SYMBOL_NO_UNIT);
    add(f, "memcpy", SYMBOL_NO_UNIT);
    f->request.packages = packages;
    f->request.package_count = 2;
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, "app", USED_FROM_RLIB);
    assert_used(f, 1, NULL, USED_UNKNOWN);
    assert_int_equal(f->crates.items.count, 1);
}

static void the_c_library_that_rust_brings_is_stds_but_for_what_others_define(void **state)
{
    struct fixture *f = *state;
    struct memory_file own = library_of("0123456789abcdef-copy.o", "strlcpy", "");
    struct memory_file brought = library_of("strlcpy.lo", "strlcpy", "");
    struct memory_file other = library_of("printf.lo", "printf", "");
    const struct build_package packages[] = {
        {.crate = SLICE("dep"), .version = SLICE("0.1.0"), .rlib = own.path},
        {.crate = SLICE("libc"), .rlib = brought.path, .is_foreign = true, .is_of_std = true},
        {.crate = SLICE("libc"), .rlib = other.path, .is_foreign = true, .is_of_std = true},
    };

    add(f, "strlcpy", SYMBOL_NO_UNIT);
    add(f, "printf", SYMBOL_NO_UNIT);
    f->request.packages = packages;
    f->request.package_count = 3;
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, "dep", USED_FROM_RLIB);
    assert_used(f, 1, "libc", USED_FROM_RLIB);
    assert_int_equal(f->crates.items.items[f->out[1].crate].kind, CRATE_KIND_STD);
    memory_file_done(&own);
    memory_file_done(&brought);
    memory_file_done(&other);
}

#define CORE_V0 "_RNvNtCsfDBl8rBLEEc_4core3fmt5write"
#define DROP_IN_DEP "_ZN4core3ptr27drop_in_place$LT$dep..D$GT$17h00112233445566ffE"
#define DROP_IN_APP "_ZN4core3ptr27drop_in_place$LT$dep..D$GT$17hff00112233445566E"

static void where_lto_made_one_unit_an_instance_is_of_the_library_that_has_its_name(void **state)
{
    struct fixture *f = *state;
    struct memory_file library = library_with(DEP_RUN, DROP_IN_DEP);
    struct build_package package = {.crate = SLICE("dep"), .version = SLICE("0.1.0"), .rlib = library.path};

    add_unit(f, "app.12-cgu.0");
    add(f, DROP_IN_APP, 0);
    add(f, DROP_IN_DEP ".llvm.77", 0);
    add(f, CORE_V0, 0); /* std's own */
    f->request.packages = &package;
    f->request.package_count = 1;
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, "app", USED_FROM_RLIB);
    assert_used(f, 1, "dep", USED_FROM_RLIB);
    assert_used(f, 2, "core", USED_INFERRED);
    /* What a library that cannot be read has nobody knows. */
    package.rlib = "/nowhere/libdep.rlib";
    used_find(&f->request, &f->crates, f->out);
    assert_int_equal(f->out[0].source, USED_INFERRED);
    memory_file_done(&library);
}

/* Whoever calls a function of std's names it, too. */
static void v0_names_of_what_is_no_instance_tell_no_maker_but_libraries_have_them(void **state)
{
    struct fixture *f = *state;
    struct memory_file library =
        library_with("_RNvCs1_3dep3run", "_RNvCs1_3dep4stop_RNvNtCs9ltgdHTiPiY_3std2io4exit.");
    const struct build_package package = {
        .crate = SLICE("dep"), .version = SLICE("0.1.0"), .rlib = library.path};

    add_unit(f, "app.12-cgu.0");
    add(f, "_RNvCs2_3app4main", 0);
    add(f, "_RNvCs1_3dep6inline", 0);
    add(f, "_RINvCs1_3dep3mapmECs1_3dep", 0);
    add(f, "_RNvCs1_3dep4stop.llvm.7", 0);
    add(f, "_RNvNtCs9ltgdHTiPiY_3std2io4exit", 0);
    f->request.packages = &package;
    f->request.package_count = 1;
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, "app", USED_FROM_RLIB);
    assert_used(f, 1, "app", USED_FROM_RLIB);
    assert_used(f, 2, "dep", USED_FROM_SUFFIX);
    assert_used(f, 3, "dep", USED_FROM_RLIB);
    assert_used(f, 4, "std", USED_INFERRED);
    /* Numbers of crates are others in another build. */
    f->request.is_other_build = true;
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 1, "dep", USED_INFERRED);
    assert_used(f, 3, "dep", USED_INFERRED);
    memory_file_done(&library);
}

/* A program, and a library that it is built with: its packages and a unit of each. */
static void begin_app_with_dep(struct fixture *f, struct build_package packages[2], const char *library)
{
    packages[0] = (struct build_package){
        .crate = SLICE("app"), .version = SLICE("0.1.0"), .is_own = true, .is_program = true};
    packages[1] = (struct build_package){.crate = SLICE("dep"), .version = SLICE("0.1.0"), .rlib = library};
    f->request.packages = packages;
    f->request.package_count = 2;
    add_unit(f, "app.12-cgu.0");
    add_unit(f, "dep.34-cgu.0");
}

/* GNU ld puts what was global behind no STT_FILE symbol. */
static void without_lto_the_program_has_made_what_no_library_has(void **state)
{
    struct fixture *f = *state;
    struct memory_file library = library_with(DEP_RUN, DROP_IN_DEP);
    struct build_package packages[2];

    begin_app_with_dep(f, packages, library.path);
    add(f, DROP_IN_APP, SYMBOL_NO_UNIT);
    add(f, "_ZN3dep3map17hff00112233445567E", SYMBOL_NO_UNIT);
    add(f, DROP_IN_DEP, SYMBOL_NO_UNIT);
    add(f, DEP_RUN, 1);
    add(f, CORE_V0, SYMBOL_NO_UNIT);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, "app", USED_FROM_RLIB);
    assert_used(f, 1, "app", USED_FROM_RLIB);
    assert_used(f, 2, "dep", USED_FROM_RLIB);
    assert_used(f, 4, "core", USED_FROM_SUFFIX);
    /* A shared library's likewise. */
    packages[0].is_program = false;
    packages[0].is_exporting = true;
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 1, "app", USED_FROM_RLIB);
    packages[0].is_exporting = false;
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 1, "dep", USED_INFERRED);
    memory_file_done(&library);
}

static void in_a_file_of_another_build_what_is_of_none_of_its_crates_is_not_the_programs(void **state)
{
    struct fixture *f = *state;
    struct memory_file library = library_with(DEP_RUN, DROP_IN_DEP);
    struct build_package packages[2];

    begin_app_with_dep(f, packages, library.path);
    add(f, "_ZN3dep3map17hff00112233445567E", SYMBOL_NO_UNIT);
    add(f, DEP_RUN, 1);
    add(f, CORE_V0, SYMBOL_NO_UNIT);
    f->request.is_other_build = true;
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, "app", USED_FROM_RLIB);
    add(f, "_ZN4gone3run17hff00112233445568E", SYMBOL_NO_UNIT);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, "app", USED_INFERRED);
    assert_used(f, 3, "gone", USED_INFERRED);
    memory_file_done(&library);
}

#define COPY "_ZN45_$LT$dep..D$u20$as$u20$core..clone..Clone$GT$5clone17h1234123412341234E"
#define COPY_TWO "_ZN45_$LT$dep..E$u20$as$u20$core..clone..Clone$GT$5clone17h1234123412341235E"
#define CLOSURE "_ZN3dep3run28_$u7b$$u7b$closure$u7d$$u7d$17h1234123412341236E"

/* One hash in both: of what is inline each crate has a copy of its own. */
static void where_lto_made_one_unit_a_copy_among_the_programs_code_is_the_programs(void **state)
{
    struct fixture *f = *state;
    struct memory_file library = library_with(DEP_RUN, COPY COPY_TWO CLOSURE);
    const struct build_package package = {
        .crate = SLICE("dep"), .version = SLICE("0.1.0"), .rlib = library.path};

    add_unit(f, "app.12-cgu.0");
    add(f, APP_MAIN, 0);
    add(f, COPY, 0);
    add(f, CLOSURE, 0);
    add(f, DROP_IN_APP, 0);
    add(f, COPY_TWO, 0);
    add(f, CORE_V0, 0);
    f->request.packages = &package;
    f->request.package_count = 1;
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 1, "dep", USED_INFERRED); /* between the program's and the closure */
    assert_used(f, 2, "dep", USED_FROM_RLIB);
    assert_used(f, 4, "dep", USED_INFERRED);
    f->items[2].name = SLICE(DROP_IN_DEP ".llvm.77"); /* which the library has not */
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 1, "app", USED_INFERRED);
    f->items[0].name = f->items[3].name = SLICE(DEP_RUN);
    f->items[2].name = SLICE(CLOSURE);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 1, "dep", USED_FROM_RLIB);
    memory_file_done(&library);
}

static void what_each_object_has_that_catches_panics_is_not_the_only_librarys_with_machine_code(void **state)
{
    struct fixture *f = *state;
    struct memory_file library = library_with("DW.ref.rust_eh_personality", "");
    const struct build_package package = {
        .crate = SLICE("autocfg"), .version = SLICE("1.5.1"), .rlib = library.path};

    add(f, "DW.ref.rust_eh_personality", SYMBOL_NO_UNIT);
    f->request.packages = &package;
    f->request.package_count = 1;
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, NULL, USED_UNKNOWN);
    memory_file_done(&library);
}

static void where_std_has_legacy_names_bitcode_does_not_tell(void **state)
{
    struct fixture *f = *state;
    /* It calls std's. */
    struct memory_file library = library_with(DEP_RUN, "_ZN3std2io6_print17h0123456789abcdefE");
    const struct build_package package = {
        .crate = SLICE("dep"), .version = SLICE("0.1.0"), .rlib = library.path};

    add_unit(f, "app.12-cgu.0");
    add(f, "_ZN3std2io6_print17h0123456789abcdefE", 0);
    f->request.packages = &package;
    f->request.package_count = 1;
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, "std", USED_INFERRED);
    memory_file_done(&library);
}

/* -Zbuild-std has cargo build std from rust-src, as any dependency. */
static void a_library_that_cargo_built_of_std_is_stds_as_what_is_in_other_units_of_it(void **state)
{
    struct fixture *f = *state;
    struct memory_file library = library_of("core.rcgu.o", CORE_V0, "");
    const struct build_package package = {
        .crate = SLICE("core"),
        .version = SLICE("0.0.0"),
        .root = SLICE("/home/me/.rustup/toolchains/nightly/lib/rustlib/src/rust/library/core"),
        .rlib = library.path,
    };

    add(f, CORE_V0, SYMBOL_NO_UNIT);
    /* an instance that core has made */
    add(f, "_RINvNtCsfDBl8rBLEEc_4core3ptr4readhECsfDBl8rBLEEc_4core", SYMBOL_NO_UNIT);
    f->request.packages = &package;
    f->request.package_count = 1;
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, "core", USED_FROM_RLIB);
    assert_used(f, 1, "core", USED_FROM_SUFFIX);
    assert_int_equal(f->out[0].crate, f->out[1].crate);
    assert_int_equal(f->crates.items.items[f->out[0].crate].kind, CRATE_KIND_STD);
    memory_file_done(&library);
}

static void so_is_one_from_elsewhere_that_std_is_made_of(void **state)
{
    struct fixture *f = *state;
    struct memory_file library = library_of("gimli.rcgu.o", "_RNvCs7_5gimli4find", "");
    const struct build_package package = {.crate = SLICE("gimli"),
                                          .version = SLICE("0.32.3"),
                                          .root = SLICE("/home/me/.cargo/registry/src/index/gimli-0.32.3"),
                                          .rlib = library.path,
                                          .is_for_std = true};

    add(f, "_RNvCs7_5gimli4find", SYMBOL_NO_UNIT);
    f->request.packages = &package;
    f->request.package_count = 1;
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, "gimli", USED_FROM_RLIB);
    assert_int_equal(f->crates.items.items[f->out[0].crate].kind, CRATE_KIND_STD);
    memory_file_done(&library);
}

static void what_is_local_to_an_object_is_of_the_library_that_has_the_rest(void **state)
{
    struct fixture *f = *state;
    struct memory_file library = library_of("seal.o", "seal", "");
    struct memory_file other = library_of("open.o", "open", "");
    const struct build_package packages[] = {
        {.crate = SLICE("aes-sys"), .version = SLICE("0.1.0"), .rlib = library.path},
        {.crate = SLICE("io-sys"), .version = SLICE("0.1.0"), .rlib = other.path},
    };

    add(f, "seal_avx2", SYMBOL_NO_UNIT);
    add(f, "seal", SYMBOL_NO_UNIT);
    f->request.packages = packages;
    f->request.package_count = 2;
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, NULL, USED_UNKNOWN);
    f->request.is_object = true;
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, "aes_sys", USED_FROM_RLIB);
    /* One that was put together of several libraries' objects. */
    add(f, "open", SYMBOL_NO_UNIT);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, NULL, USED_UNKNOWN);
    memory_file_done(&library);
    memory_file_done(&other);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(of_two_versions_the_one_that_has_the_code_around_a_function_is_its_crate),
        TEST(what_a_library_without_code_has_is_made_by_others),
        TEST(c_code_of_a_build_script_is_its_packages),
        TEST(the_c_library_that_rust_brings_is_stds_but_for_what_others_define),
        TEST(where_lto_made_one_unit_an_instance_is_of_the_library_that_has_its_name),
        TEST(v0_names_of_what_is_no_instance_tell_no_maker_but_libraries_have_them),
        TEST(without_lto_the_program_has_made_what_no_library_has),
        TEST(in_a_file_of_another_build_what_is_of_none_of_its_crates_is_not_the_programs),
        TEST(where_lto_made_one_unit_a_copy_among_the_programs_code_is_the_programs),
        TEST(what_each_object_has_that_catches_panics_is_not_the_only_librarys_with_machine_code),
        TEST(where_std_has_legacy_names_bitcode_does_not_tell),
        TEST(a_library_that_cargo_built_of_std_is_stds_as_what_is_in_other_units_of_it),
        TEST(so_is_one_from_elsewhere_that_std_is_made_of),
        TEST(what_is_local_to_an_object_is_of_the_library_that_has_the_rest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

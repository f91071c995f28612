#include "cmocka_all.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "used_fixture.h"

#define STD_V0 "_RNvCs9ltgdHTiPiY_3std4main"
#define CORE_LEGACY "_ZN4core3fmt5write17h0123456789abcdefE"
#define DROP_OF_APPS "_ZN4core3ptr31drop_in_place$LT$app..Input$GT$17h0123456789abcdefE"
#define DROP_OF_ANOTHERS "_ZN4core3ptr34drop_in_place$LT$myapp..App..X$GT$17h0123456789abcdefE"
#define CORE_V0 "_RNvNtCsfDBl8rBLEEc_4core3fmt5write"
#define GENERIC_BY_APP "_RINvCs1_3dep3mapmECs2_3app"
#define PANIC_HANDLER "_RNvCs1_7___rustc17rust_begin_unwind"
#define DEP_RUN_V0 "_RNvCs3_3dep3run"
#define MEMCHR_V0 "_RNvCs4_6memchr4find"
#define RUST_ALLOC "_RNvCs1_7___rustc12___rust_alloc"
#define RUST_PANIC "_RNvCs1_7___rustc10rust_panic"

static void a_name_that_says_who_instantiated_it_is_believed(void **state)
{
    struct fixture *f = *state;

    add(f, GENERIC_BY_APP, SYMBOL_NO_UNIT);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, "app", USED_FROM_SUFFIX);
}

static void symbols_of_files_name_the_unit_of_what_is_below_them(void **state)
{
    struct fixture *f = *state;

    add_unit(f, "app.12-cgu.0");
    add_unit(f, "dep.34-cgu.0");
    add_unit(f, "crtstuff.c");
    add(f, CORE_LEGACY, 0);
    add(f, CORE_LEGACY, 1);
    add(f, "frame_dummy", 2);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, "app", USED_FROM_FILE_SYMBOL);
    assert_used(f, 1, "dep", USED_FROM_FILE_SYMBOL);
    assert_used(f, 2, NULL, USED_UNKNOWN);
}

static void what_is_not_rusts_is_not_the_last_rust_units(void **state)
{
    struct fixture *f = *state;

    add_unit(f, "app.12-cgu.0");
    add_unit(f, "dep.34-cgu.0");
    add(f, APP_MAIN, 0);
    add(f, DEP_RUN, 1);
    add(f, "call_fini", 1);
    add(f, "_ZNKSt9exception4whatEv", 1);
    add(f, "memcpy", SYMBOL_NO_UNIT);
    add(f, "_int_malloc", 1);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 1, "dep", USED_FROM_FILE_SYMBOL);
    for (size_t i = 2; i < FUNCTIONS_MAX; i++)
        assert_used(f, i, NULL, USED_UNKNOWN);
}

static void between_functions_of_a_unit_everything_below_its_symbol_is_its(void **state)
{
    struct fixture *f = *state;

    add_unit(f, "app.12-cgu.0");
    add_unit(f, "dep.34-cgu.0");
    add(f, DEP_RUN, 1);
    add(f, "__rust_try", 1);
    add(f, "OUTLINED_FUNCTION_0", 1);
    add(f, CORE_LEGACY, 1);
    add(f, "handle_amd", 1);
    add(f, APP_MAIN, 0);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 1, "dep", USED_FROM_FILE_SYMBOL);
    assert_used(f, 2, "dep", USED_FROM_FILE_SYMBOL);
    assert_used(f, 4, NULL, USED_UNKNOWN);
}

/* As std has them on AArch64: behind all else of it. */
static void what_llvm_took_out_of_functions_is_of_the_unit_that_it_stands_under(void **state)
{
    struct fixture *f = *state;

    add_unit(f, "app.12-cgu.0");
    add_unit(f, "dep.34-cgu.0");
    add_unit(f, "c.c");
    add(f, DEP_RUN, 1);
    add(f, "OUTLINED_FUNCTION_0", 1);
    add(f, APP_MAIN, 0);
    add(f, "OUTLINED_FUNCTION_0", 2);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 1, "dep", USED_FROM_FILE_SYMBOL);
    assert_used(f, 3, NULL, USED_UNKNOWN);
}

static void a_global_between_functions_of_a_unit_ends_what_is_known_of_it(void **state)
{
    struct fixture *f = *state;

    add_unit(f, "app.12-cgu.0");
    add_unit(f, "dep.34-cgu.0");
    add(f, DEP_RUN, 1);
    add(f, "_int_malloc", 1);
    add(f, "malloc", SYMBOL_NO_UNIT);
    add(f, "_int_free", 1);
    add(f, CORE_LEGACY, 1);
    used_find(&f->request, &f->crates, f->out);
    for (size_t i = 1; i < 4; i++)
        assert_used(f, i, NULL, USED_UNKNOWN);
    assert_used(f, 4, "dep", USED_FROM_FILE_SYMBOL);
}

static void a_single_unit_says_nothing_of_a_linked_file(void **state)
{
    struct fixture *f = *state;

    add_unit(f, "app.12-cgu.0");
    add(f, DEP_RUN, 0);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, "dep", USED_INFERRED);
}

static void what_is_never_merged_does_not_make_the_merged_unit_believed(void **state)
{
    struct fixture *f = *state;

    add_unit(f, "app.12-cgu.0");
    add_unit(f, "compiler_builtins.34-cgu.127");
    add(f, DEP_RUN, 0);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, "dep", USED_INFERRED);
}

static void all_code_of_an_object_is_of_its_unit(void **state)
{
    struct fixture *f = *state;

    add_unit(f, "app.12-cgu.0");
    add(f, DEP_RUN, SYMBOL_NO_UNIT);
    f->request.is_object = true;
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, "app", USED_FROM_FILE_SYMBOL);
}

static void the_unit_of_an_object_that_lto_merged_all_into_says_nothing(void **state)
{
    struct fixture *f = *state;

    add_unit(f, "app.12-cgu.0");
    add(f, DEP_RUN, 0);
    f->request.is_object = true;
    f->request.is_merged = true;
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, "dep", USED_INFERRED);
}

static void what_such_an_object_exports_by_names_as_cs_most_likely_is_the_last_crates(void **state)
{
    struct fixture *f = *state;

    add_unit(f, "app.12-cgu.0");
    add(f, "app_open", SYMBOL_NO_UNIT);
    add(f, "app_close", 0);
    f->items[0].binding = STB_GLOBAL;
    f->request.is_object = true;
    f->request.is_merged = true;
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, "app", USED_INFERRED);
    assert_used(f, 1, NULL, USED_UNKNOWN);
}

static void foreign_code_of_a_library_is_its_crates(void **state)
{
    struct fixture *f = *state;

    add(f, "compress", SYMBOL_NO_UNIT);
    f->request.is_object = true;
    f->request.library = (struct crate_fact){.name = SLICE("zstd-sys")};
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, "zstd_sys", USED_FROM_RLIB);
}

static void beside_a_prebuilt_std_legacy_names_of_std_are_instances_of_the_crate_before(void **state)
{
    struct fixture *f = *state;

    add(f, APP_MAIN, SYMBOL_NO_UNIT);
    add(f, CORE_LEGACY, SYMBOL_NO_UNIT);
    add(f, CORE_V0, SYMBOL_NO_UNIT);
    add(f, CORE_LEGACY, SYMBOL_NO_UNIT);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, "app", USED_INFERRED);
    assert_used(f, 1, "app", USED_INFERRED);
    assert_used(f, 2, "core", USED_FROM_SUFFIX);
    assert_used(f, 3, "app", USED_INFERRED);
}

static void an_instance_before_all_crates_is_of_the_first(void **state)
{
    struct fixture *f = *state;

    add(f, CORE_LEGACY, SYMBOL_NO_UNIT);
    add(f, CORE_V0, SYMBOL_NO_UNIT);
    add(f, APP_MAIN, SYMBOL_NO_UNIT);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, "app", USED_INFERRED);
    assert_used(f, 1, "core", USED_FROM_SUFFIX);
}

static void an_instance_that_shows_the_crate_compiled_last_is_that_crates(void **state)
{
    struct fixture *f = *state;

    add_unit(f, "app.0123456789abcdef-cgu.0");
    add(f, DEP_RUN, SYMBOL_NO_UNIT);
    add(f, CORE_V0, SYMBOL_NO_UNIT);
    add(f, DROP_OF_ANOTHERS, SYMBOL_NO_UNIT);
    add(f, DROP_OF_APPS, SYMBOL_NO_UNIT);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 2, "dep", USED_INFERRED);
    assert_used(f, 3, "app", USED_INFERRED);
}

static void where_std_is_legacy_too_its_names_are_its_own(void **state)
{
    struct fixture *f = *state;

    add(f, APP_MAIN, SYMBOL_NO_UNIT);
    add(f, CORE_LEGACY, SYMBOL_NO_UNIT);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 1, "core", USED_INFERRED);
}

static void a_dependency_called_like_one_of_stds_is_another_crate(void **state)
{
    struct fixture *f = *state;

    add(f, APP_MAIN, SYMBOL_NO_UNIT);
    add(f, CORE_V0, SYMBOL_NO_UNIT);
    add(f, "_RNvCs7_6memchr4find", SYMBOL_NO_UNIT);
    add(f, "_ZN6memchr4find17h0123456789abcdefE", SYMBOL_NO_UNIT);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 2, "memchr", USED_FROM_SUFFIX);
    assert_used(f, 3, "memchr", USED_INFERRED);
    assert_int_not_equal(f->out[2].crate, f->out[3].crate);
    assert_int_equal(f->crates.items.items[f->out[2].crate].kind, CRATE_KIND_STD);
    assert_int_equal(f->crates.items.items[f->out[3].crate].kind, CRATE_KIND_DEPENDENCY);
}

static void what_std_was_built_with_and_the_program_lacks_is_the_crates_before(void **state)
{
    struct fixture *f = *state;
    SCOPED(intern_done) struct intern crates = {0};
    SCOPED(std_copies_done) struct std_copies std = {.program_crates = &crates};

    add(f, "_ZN9hashbrown3raw6insert17h0123456789abcdefE", SYMBOL_NO_UNIT);
    add(f, APP_MAIN, SYMBOL_NO_UNIT);
    add(f, "_ZN9hashbrown3raw6insert17h0123456789abcdefE", SYMBOL_NO_UNIT);
    add(f, CORE_LEGACY, SYMBOL_NO_UNIT);
    add(f, CORE_V0, SYMBOL_NO_UNIT);
    std_copies_see_map(&std, &f->map);
    f->request.std = &std;
    used_find(&f->request, &f->crates, f->out);
    for (size_t i = 0; i < 4; i++)
        assert_used(f, i, "app", USED_INFERRED);
}

static void c_s_main_is_of_the_crate_that_starts_rust(void **state)
{
    struct fixture *f = *state;

    add(f, "main", SYMBOL_NO_UNIT);
    add(f, "_RNvCs1_3dep3run", SYMBOL_NO_UNIT);
    add(f, "_RINvNtCs9ltgdHTiPiY_3std2rt10lang_startuECs2_3app", SYMBOL_NO_UNIT);
    add(f, "_start", SYMBOL_NO_UNIT);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, "app", USED_INFERRED);
    assert_used(f, 3, NULL, USED_UNKNOWN);
}

static void where_lto_made_one_unit_c_s_main_is_of_the_crate_compiled_last(void **state)
{
    struct fixture *f = *state;

    add_unit(f, "app.12-cgu.0");
    add(f, "main", SYMBOL_NO_UNIT);
    add(f, DEP_RUN, SYMBOL_NO_UNIT);
    add(f, "_RNvNtCs9ltgdHTiPiY_3std2rt19lang_start_internal", SYMBOL_NO_UNIT);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, "app", USED_INFERRED);
}

static void main_of_a_c_program_that_rust_is_linked_into_is_not_rusts(void **state)
{
    struct fixture *f = *state;

    add_unit(f, "lib.12-cgu.0");
    add(f, "main", SYMBOL_NO_UNIT);
    add(f, DEP_RUN, SYMBOL_NO_UNIT);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, NULL, USED_UNKNOWN);
}

static void what_a_shared_library_exports_is_its_crates(void **state)
{
    struct fixture *f = *state;
    struct build_package package = {.crate = SLICE("app"), .version = SLICE("0.1.0"), .is_own = true};

    add(f, CORE_V0, SYMBOL_NO_UNIT);
    add(f, DROP_OF_ANOTHERS, SYMBOL_NO_UNIT);
    add(f, "app_exported", SYMBOL_NO_UNIT);
    add(f, "hidden", SYMBOL_NO_UNIT);
    add(f, "rust_eh_personality", SYMBOL_NO_UNIT);
    for (size_t i = 0; i < f->map.functions.count; i++)
        f->items[i].binding = STB_GLOBAL;
    f->items[3].visibility = STV_HIDDEN;
    f->request.packages = &package;
    f->request.package_count = 1;
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 2, NULL, USED_UNKNOWN);
    package.is_exporting = true;
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 1, "app", USED_FROM_RLIB);
    assert_used(f, 2, "app", USED_INFERRED);
    assert_used(f, 3, NULL, USED_UNKNOWN);
    assert_used(f, 4, "std", USED_INFERRED);
}

static void what_the_compiler_calls_is_stds(void **state)
{
    struct fixture *f = *state;

    add(f, RUST_PANIC, SYMBOL_NO_UNIT);
    add(f, "memcpy", SYMBOL_NO_UNIT);
    add(f, "rust_eh_personality", SYMBOL_NO_UNIT);
    add(f, "__rdl_realloc", SYMBOL_NO_UNIT);
    add(f, "rust_panicked", SYMBOL_NO_UNIT);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, "std", USED_INFERRED);
    assert_used(f, 1, NULL, USED_UNKNOWN);
    assert_used(f, 2, "std", USED_INFERRED);
    assert_used(f, 3, "std", USED_INFERRED);
    assert_used(f, 4, NULL, USED_UNKNOWN);
}

/* Copies that other crates make of a crate's functions are local, or say whose they are. */
static void a_global_v0_name_is_of_the_crate_that_it_begins_with(void **state)
{
    static const char *const names[] = {DEP_RUN_V0, STD_V0, MEMCHR_V0, RUST_ALLOC};
    struct fixture *f = *state;

    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        add(f, names[i], SYMBOL_NO_UNIT);
    used_find(&f->request, &f->crates, f->out);
    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        assert_int_equal(f->out[i].source, USED_INFERRED);
    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        f->items[i].binding = STB_GLOBAL;
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, "dep", USED_FROM_SUFFIX);
    assert_used(f, 1, "std", USED_FROM_SUFFIX);
    assert_used(f, 2, "memchr", USED_INFERRED); /* the program's or std's */
    assert_used(f, 3, "std", USED_INFERRED);    /* whoever has the allocator */
}

static void what_raises_panics_in_a_program_with_std_surely_is_stds(void **state)
{
    struct fixture *f = *state;

    add(f, STD_V0, SYMBOL_NO_UNIT);
    add(f, RUST_PANIC, SYMBOL_NO_UNIT);
    add(f, RUST_ALLOC, SYMBOL_NO_UNIT);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 1, "std", USED_FROM_SUFFIX);
    assert_used(f, 2, "std", USED_INFERRED);
}

static void the_personality_of_a_program_with_std_surely_is_stds(void **state)
{
    struct fixture *f = *state;

    add(f, STD_V0, SYMBOL_NO_UNIT);
    add(f, "rust_eh_personality", SYMBOL_NO_UNIT);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 1, "std", USED_FROM_SUFFIX);
}

/* Both runtimes define these, as rustc's own debug information says of programs with either. */
static void a_panic_starts_in_the_runtime_that_the_program_has(void **state)
{
    struct fixture *f = *state;

    add(f, "_RNvCs1_7___rustc18___rust_start_panic", SYMBOL_NO_UNIT);
    add(f, "_RNvCs1_7___rustc20___rust_panic_cleanup", SYMBOL_NO_UNIT);
    add(f, "_RNvCs1_7___rustc17___rust_drop_panic", SYMBOL_NO_UNIT);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, "panic_abort", USED_INFERRED);
    assert_used(f, 1, "panic_abort", USED_INFERRED);
    assert_used(f, 2, "std", USED_INFERRED);
    add(f, "_RNvNvNtCs1_12panic_unwind3imp5panic17exception_cleanup", SYMBOL_NO_UNIT);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, "panic_unwind", USED_INFERRED);
    assert_used(f, 1, "panic_unwind", USED_INFERRED);
    assert_used(f, 2, "std", USED_INFERRED);
}

/* Before Rust mangled what the compiler calls. */
static void of_names_without_a_crate_the_runtime_and_the_handler_are_told_likewise(void **state)
{
    struct fixture *f = *state;

    add(f, DEP_RUN, SYMBOL_NO_UNIT);
    add(f, "__rust_start_panic", SYMBOL_NO_UNIT);
    add(f, "rust_begin_unwind", SYMBOL_NO_UNIT);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 1, "panic_abort", USED_INFERRED);
    assert_used(f, 2, "dep", USED_INFERRED);
    add(f, "_ZN3std4main17h0123456789abcdefE", SYMBOL_NO_UNIT);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 2, "std", USED_FROM_SUFFIX);
}

static void the_handler_of_panics_is_the_programs_where_it_has_no_std(void **state)
{
    struct fixture *f = *state;
    const struct build_package package = {
        .crate = SLICE("firmware"), .version = SLICE("0.1.0"), .is_own = true, .is_program = true};

    add(f, "_ZN3dep3run17h0123456789abcdefE", SYMBOL_NO_UNIT);
    add(f, PANIC_HANDLER, SYMBOL_NO_UNIT);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 1, "dep", USED_INFERRED);
    f->request.packages = &package;
    f->request.package_count = 1;
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 1, "firmware", USED_INFERRED);
    add(f, "_ZN3std4main17h0123456789abcdefE", SYMBOL_NO_UNIT);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 1, "std", USED_FROM_SUFFIX);
}

static void what_std_s_backtraces_are_made_with_stands_in_std(void **state)
{
    struct fixture *f = *state;

    add(f, "_RINvNtCs1_4core3ptr4readNtCs7_5gimli1TECs9_3std", SYMBOL_NO_UNIT);
    add(f, "_RNvCs7_5gimli4find", SYMBOL_NO_UNIT);
    add(f, "_RNvCs8_5gimli4find", SYMBOL_NO_UNIT);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 1, "gimli", USED_FROM_SUFFIX);
    assert_int_equal(f->crates.items.items[f->out[1].crate].kind, CRATE_KIND_STD);
    assert_used(f, 2, "gimli", USED_INFERRED);
    assert_int_not_equal(f->crates.items.items[f->out[2].crate].kind, CRATE_KIND_STD);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_name_that_says_who_instantiated_it_is_believed),
        TEST(symbols_of_files_name_the_unit_of_what_is_below_them),
        TEST(what_is_not_rusts_is_not_the_last_rust_units),
        TEST(between_functions_of_a_unit_everything_below_its_symbol_is_its),
        TEST(what_llvm_took_out_of_functions_is_of_the_unit_that_it_stands_under),
        TEST(a_global_between_functions_of_a_unit_ends_what_is_known_of_it),
        TEST(a_single_unit_says_nothing_of_a_linked_file),
        TEST(what_is_never_merged_does_not_make_the_merged_unit_believed),
        TEST(all_code_of_an_object_is_of_its_unit),
        TEST(the_unit_of_an_object_that_lto_merged_all_into_says_nothing),
        TEST(what_such_an_object_exports_by_names_as_cs_most_likely_is_the_last_crates),
        TEST(foreign_code_of_a_library_is_its_crates),
        TEST(beside_a_prebuilt_std_legacy_names_of_std_are_instances_of_the_crate_before),
        TEST(an_instance_before_all_crates_is_of_the_first),
        TEST(an_instance_that_shows_the_crate_compiled_last_is_that_crates),
        TEST(where_std_is_legacy_too_its_names_are_its_own),
        TEST(a_dependency_called_like_one_of_stds_is_another_crate),
        TEST(what_std_was_built_with_and_the_program_lacks_is_the_crates_before),
        TEST(c_s_main_is_of_the_crate_that_starts_rust),
        TEST(where_lto_made_one_unit_c_s_main_is_of_the_crate_compiled_last),
        TEST(main_of_a_c_program_that_rust_is_linked_into_is_not_rusts),
        TEST(what_a_shared_library_exports_is_its_crates),
        TEST(what_the_compiler_calls_is_stds),
        TEST(a_global_v0_name_is_of_the_crate_that_it_begins_with),
        TEST(what_raises_panics_in_a_program_with_std_surely_is_stds),
        TEST(the_personality_of_a_program_with_std_surely_is_stds),
        TEST(a_panic_starts_in_the_runtime_that_the_program_has),
        TEST(of_names_without_a_crate_the_runtime_and_the_handler_are_told_likewise),
        TEST(the_handler_of_panics_is_the_programs_where_it_has_no_std),
        TEST(what_std_s_backtraces_are_made_with_stands_in_std),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

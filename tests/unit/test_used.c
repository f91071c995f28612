#include "cmocka_all.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "memory_file.h"
#include "size/used.h"

#define APP_MAIN "_ZN3app4main17h0123456789abcdefE"
#define DEP_RUN "_ZN3dep3run17h0123456789abcdefE"
#define CORE_LEGACY "_ZN4core3fmt5write17h0123456789abcdefE"
#define DROP_OF_APPS "_ZN4core3ptr31drop_in_place$LT$app..Input$GT$17h0123456789abcdefE"
#define DROP_OF_ANOTHERS "_ZN4core3ptr34drop_in_place$LT$myapp..App..X$GT$17h0123456789abcdefE"
#define CORE_V0 "_RNvNtCsfDBl8rBLEEc_4core3fmt5write"
#define GENERIC_BY_APP "_RINvCs1_3dep3mapmECs2_3app"
#define PERSONALITY "_RNvCs1_7___rustc17rust_begin_unwind"

enum { FUNCTIONS_MAX = 6, FUNCTION_BYTES = 16 };

struct fixture {
    struct elf_symbol items[FUNCTIONS_MAX];
    const struct elf_symbol *names[FUNCTIONS_MAX];
    struct slice units[3];
    struct symbols symbols;
    struct code_map map;
    struct used_request request;
    struct size_crates crates;
    struct used out[FUNCTIONS_MAX];
};

static int set_up(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){.request = {.map = &fixture.map, .symbols = &fixture.symbols}};
    fixture.symbols.units = fixture.units;
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    vec_done(&f->map.functions);
    vec_done(&f->map.ranges);
    size_crates_done(&f->crates);
    return 0;
}

/* Functions stand one behind the other, in this order; `unit` is a place in `units`, or SYMBOL_NO_UNIT. */
static void add(struct fixture *f, const char *symbol, uint32_t unit)
{
    uint32_t at = (uint32_t)f->map.functions.count;

    f->items[at] = (struct elf_symbol){.name = slice_of(symbol), .unit = unit};
    f->names[at] = &f->items[at];
    *vec_add(&f->map.functions) =
        (struct code_function){.names = &f->names[at], .name_count = 1, .size_bytes = FUNCTION_BYTES};
    *vec_add(&f->map.ranges) = (struct code_range){(uint64_t)at * FUNCTION_BYTES, FUNCTION_BYTES, 1, at};
}

static void add_unit(struct fixture *f, const char *name)
{
    f->units[f->symbols.unit_count++] = slice_of(name);
}

static void assert_used(const struct fixture *f, size_t function, const char *crate, enum used_source source)
{
    assert_int_equal(f->out[function].source, source);
    if (!crate) {
        assert_int_equal(f->out[function].crate, SIZE_NO_CRATE);
        return;
    }
    assert_int_not_equal(f->out[function].crate, SIZE_NO_CRATE);
    assert_true(slice_is(f->crates.items.items[f->out[function].crate].name, crate));
}

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

static void add_be32(struct text *text, uint32_t number)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        text_add_byte(text, (char)(number >> shift));
}

/* A library of one empty object that defines the symbol. */
static struct memory_file library_with(const char *symbol)
{
    SCOPED(text_done) struct text text = {0};
    uint32_t index_bytes = (uint32_t)(4 + 4 + strlen(symbol) + 1 + 1) & ~1U;

    text_format(&text, "!<arch>\n%-16s%-32s%-10u`\n", "/", "0", index_bytes);
    add_be32(&text, 1);
    add_be32(&text, 8 + 60 + index_bytes);
    text_add_string(&text, symbol);
    text_add_repeated(&text, '\0', 8 + 60 + index_bytes - text.length);
    text_format(&text, "%-16s%-32s%-10u`\n", "dep.rcgu.o/", "0", 0);
    return memory_file_new(text_slice(&text));
}

static void of_two_versions_the_one_that_has_the_code_around_a_function_is_its_crate(void **state)
{
    struct fixture *f = *state;
    struct memory_file old = library_with("_ZN3dep4core3run17h0123456789abcdefE");
    struct memory_file new = library_with("_ZN3dep4guts3run17h0123456789abcdefE");
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
    assert_used(f, 1, "app", USED_INFERRED);
    assert_used(f, 2, "app", USED_INFERRED);
    assert_used(f, 3, NULL, USED_UNKNOWN);
    assert_used(f, 4, "std", USED_INFERRED);
}

static void what_the_compiler_calls_is_stds(void **state)
{
    struct fixture *f = *state;

    add(f, PERSONALITY, SYMBOL_NO_UNIT);
    add(f, "memcpy", SYMBOL_NO_UNIT);
    add(f, "rust_eh_personality", SYMBOL_NO_UNIT);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, "std", USED_INFERRED);
    assert_used(f, 1, NULL, USED_UNKNOWN);
    assert_used(f, 2, "std", USED_INFERRED);
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
        TEST(a_global_between_functions_of_a_unit_ends_what_is_known_of_it),
        TEST(a_single_unit_says_nothing_of_a_linked_file),
        TEST(what_is_never_merged_does_not_make_the_merged_unit_believed),
        TEST(all_code_of_an_object_is_of_its_unit),
        TEST(foreign_code_of_a_library_is_its_crates),
        TEST(beside_a_prebuilt_std_legacy_names_of_std_are_instances_of_the_crate_before),
        TEST(an_instance_before_all_crates_is_of_the_first),
        TEST(an_instance_that_shows_the_crate_compiled_last_is_that_crates),
        TEST(where_std_is_legacy_too_its_names_are_its_own),
        TEST(a_dependency_called_like_one_of_stds_is_another_crate),
        TEST(what_std_was_built_with_and_the_program_lacks_is_the_crates_before),
        TEST(of_two_versions_the_one_that_has_the_code_around_a_function_is_its_crate),
        TEST(what_a_library_without_code_has_is_made_by_others),
        TEST(c_s_main_is_of_the_crate_that_starts_rust),
        TEST(where_lto_made_one_unit_c_s_main_is_of_the_crate_compiled_last),
        TEST(main_of_a_c_program_that_rust_is_linked_into_is_not_rusts),
        TEST(c_code_of_a_build_script_is_its_packages),
        TEST(what_a_shared_library_exports_is_its_crates),
        TEST(what_the_compiler_calls_is_stds),
        TEST(what_std_s_backtraces_are_made_with_stands_in_std),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "cmocka_all.h"

#include "dwarf/units.h"
#include "elf/symbols.h"
#include "library_fixture.h"
#include "size/std_copies.h"

#define STD_V0 "_RNvCs9ltgdHTiPiY_3std4main"
#define APP_LEGACY "_ZN3app4main17h0123456789abcdefE"
#define GIMLI_BY_STD "_RINvCs3_5gimli4readlECs9ltgdHTiPiY_3std"
#define STD_BY_STD_SHOWS_OBJECT "_RINvCs9ltgdHTiPiY_3std4readNtCs5_6object4FileECs9ltgdHTiPiY_3std"
#define MEMCHR_ONE "_RNvCs1_6memchr4find"
#define MEMCHR_TWO "_RNvCs2_6memchr4find"
#define ADLER_ONE "_RNvCs1_6adler24push"
#define ADLER_TWO "_RNvCs2_6adler24push"

static struct std_copies *std;

static int set_up(void **state)
{
    static struct std_copies fresh;

    fresh = (struct std_copies){0};
    std = &fresh;
    *state = std;
    return 0;
}

static int tear_down(void **state)
{
    std_copies_done(*state);
    return 0;
}

static void see(const char *name)
{
    SCOPED(symbol_done) struct symbol symbol = {0};

    symbol_parse(&symbol, slice_of(name));
    std_copies_see(std, &symbol);
}

/* Of the crate that defines the function. */
static void assert_kind(const char *name, enum crate_kind kind, bool is_sure)
{
    SCOPED(symbol_done) struct symbol symbol = {0};
    bool found = false;

    symbol_parse(&symbol, slice_of(name));
    assert_int_equal(
        std_copies_kind(std, symbol_defining_crate(&symbol).crate, symbol.kind == SYMBOL_RUST_V0, &found),
        kind);
    assert_int_equal(found, is_sure);
}

static void stds_own_crates_and_others_go_by_their_names(void **state)
{
    (void)state;
    assert_kind(STD_V0, CRATE_KIND_STD, true);
    assert_kind(APP_LEGACY, CRATE_KIND_UNKNOWN, true);
}

static void beside_a_program_with_legacy_names_manglings_tell(void **state)
{
    (void)state;
    see(STD_V0);
    see(APP_LEGACY);
    see(MEMCHR_ONE);
    assert_true(std_copies_program_is_legacy(std));
    assert_kind(MEMCHR_ONE, CRATE_KIND_STD, true);
    assert_kind("_ZN6memchr4find17h0123456789abcdefE", CRATE_KIND_DEPENDENCY, true);
}

static void a_map_may_be_stds_or_one_of_the_crate_itself(void **state)
{
    (void)state;
    see(STD_V0);
    see(APP_LEGACY);
    assert_kind("_ZN9hashbrown3map4find17h0123456789abcdefE", CRATE_KIND_DEPENDENCY, false);
}

static void where_std_has_legacy_names_v0_ones_are_the_programs(void **state)
{
    (void)state;
    see("_ZN3std2io5write17h0123456789abcdefE");
    see("_RINvCs9ltgdHTiPiY_3std3maplECs2_3app");
    assert_false(std_copies_program_is_legacy(std));
    assert_kind(MEMCHR_ONE, CRATE_KIND_DEPENDENCY, true);
    assert_kind("_ZN6memchr4find17h0123456789abcdefE", CRATE_KIND_UNKNOWN, false);
}

static void std_knows_only_crates_that_it_was_built_with(void **state)
{
    (void)state;
    see(GIMLI_BY_STD);
    see(STD_BY_STD_SHOWS_OBJECT);
    see("_RNvCs6_6object4read");
    assert_kind(GIMLI_BY_STD, CRATE_KIND_STD, true);
    assert_kind("_RNvCs5_6object4read", CRATE_KIND_STD, true);
    assert_kind("_RNvCs6_6object4read", CRATE_KIND_UNKNOWN, false);
}

static void the_only_copy_of_what_every_backtrace_needs_likely_is_stds(void **state)
{
    (void)state;
    see(STD_V0);
    see(ADLER_ONE);
    see(MEMCHR_ONE);
    assert_kind(ADLER_ONE, CRATE_KIND_STD, false);
    assert_kind(MEMCHR_ONE, CRATE_KIND_UNKNOWN, false);
    see(ADLER_TWO);
    assert_kind(ADLER_ONE, CRATE_KIND_UNKNOWN, false);
}

static void beside_the_programs_copy_of_it_the_other_is_stds(void **state)
{
    struct unit items[] = {
        {.name = SLICE("/h/.cargo/registry/src/index-1/adler2-2.0.1/src/lib.rs/@/adler2.3-cgu.0")},
    };
    struct units units = {.items = {.items = items, .count = 1, .capacity = 1}};

    (void)state;
    see(STD_V0);
    see(ADLER_ONE);
    see(ADLER_TWO);
    std_copies_see_units(std, &units);
    assert_kind(ADLER_ONE, CRATE_KIND_DEPENDENCY, true);
    assert_kind(ADLER_TWO, CRATE_KIND_STD, true);
}

static void what_cargo_did_not_build_is_stds(void **state)
{
    SCOPED(intern_done) struct intern program_crates = {0};

    (void)state;
    intern_add(&program_crates, SLICE("memchr"));
    std->program_crates = &program_crates;
    see(STD_V0);
    assert_kind(GIMLI_BY_STD, CRATE_KIND_STD, true);
    assert_kind(MEMCHR_TWO, CRATE_KIND_UNKNOWN, false);
    assert_kind("_ZN9hashbrown3raw6insert17h0123456789abcdefE", CRATE_KIND_STD, true);
    assert_kind("_ZN6memchr4find17h0123456789abcdefE", CRATE_KIND_DEPENDENCY, true);
    assert_true(std_copies_has_generic(std, SLICE("core")));
    assert_true(std_copies_has_generic(std, SLICE("hashbrown")));
    assert_false(std_copies_has_generic(std, SLICE("memchr")));
    assert_false(std_copies_has_generic(std, SLICE("app")));
    std->program_crates = NULL;
    assert_false(std_copies_has_generic(std, SLICE("hashbrown")));
}

/* The program's library of a crate called memchr. */
static void see_library(const char *member, const char *symbol)
{
    struct memory_file file = library_of(member, symbol, "");

    std_copies_see_library(std, file.path, SLICE("memchr"));
    memory_file_done(&file);
}

static void what_no_library_of_the_build_is_named_after_is_stds(void **state)
{
    struct crate_fact unit = {.name = SLICE("memchr"), .id = 0x77};

    (void)state;
    see(STD_V0);
    see(MEMCHR_ONE);
    see(MEMCHR_TWO);
    assert_kind(MEMCHR_ONE, CRATE_KIND_UNKNOWN, false);
    see_library("memchr-0123.3x.rcgu.o", MEMCHR_TWO);
    assert_kind(MEMCHR_TWO, CRATE_KIND_DEPENDENCY, true);
    assert_kind(MEMCHR_ONE, CRATE_KIND_STD, true);
    assert_int_equal(std_copies_kind_of_unit(std, &unit), CRATE_KIND_STD);
    /* One that defines nothing has objects, whose names tell it. */
    see_library("memchr-4567.memchr.77-cgu.0.rcgu.o", "main");
    assert_int_equal(std_copies_kind_of_unit(std, &unit), CRATE_KIND_DEPENDENCY);
    assert_kind(MEMCHR_ONE, CRATE_KIND_STD, true);
    std_copies_see_library(std, NULL, SLICE("app"));
    assert_kind(MEMCHR_ONE, CRATE_KIND_STD, true);
}

/* -Zbuild-std. */
static void what_a_library_made_that_cargo_built_for_std_is_stds(void **state)
{
    struct memory_file file = library_of("memchr-0123.3x.rcgu.o", MEMCHR_ONE, "");

    (void)state;
    std_copies_see_library_of_std(std, file.path, SLICE("memchr"));
    memory_file_done(&file);
    see_library("memchr-4567.3x.rcgu.o", MEMCHR_TWO);
    see(STD_V0);
    see(MEMCHR_ONE);
    see(MEMCHR_TWO);
    assert_kind(MEMCHR_ONE, CRATE_KIND_STD, true);
    assert_kind(MEMCHR_TWO, CRATE_KIND_DEPENDENCY, true);
}

static void a_library_that_does_not_tell_which_it_is_may_be_any(void **state)
{
    (void)state;
    see(STD_V0);
    see(MEMCHR_ONE);
    see_library("memchr-4567.memchr.77-cgu.0.rcgu.o", "main");
    assert_kind(MEMCHR_ONE, CRATE_KIND_STD, true);
    see_library("memchr-4567.gimli.78-cgu.0.rcgu.o", "_RNvCs2_5gimli4find");
    assert_kind(MEMCHR_ONE, CRATE_KIND_UNKNOWN, false);
    std_copies_done(std);
    *std = (struct std_copies){0};
    see(STD_V0);
    std_copies_see_library(std, NULL, SLICE("memchr"));
    assert_kind(MEMCHR_ONE, CRATE_KIND_UNKNOWN, false);
}

/* The file is of an older build, say: it may have crates, or versions, that are gone by now. */
static void what_another_build_lacks_is_stds_by_a_guess(void **state)
{
    SCOPED(intern_done) struct intern program_crates = {0};

    (void)state;
    intern_add(&program_crates, SLICE("memchr"));
    std->program_crates = &program_crates;
    std->is_other_build = true;
    see_library("memchr-0123.3x.rcgu.o", MEMCHR_TWO);
    see(STD_V0);
    see(MEMCHR_ONE);
    /* The program's in another version, likely. */
    assert_kind(MEMCHR_ONE, CRATE_KIND_UNKNOWN, false);
    assert_kind("_RNvCs2_9hashbrown4find", CRATE_KIND_STD, false);
    assert_kind("_ZN9hashbrown3raw6insert17h0123456789abcdefE", CRATE_KIND_STD, false);
    assert_kind("_ZN5gimli3raw6insert17h0123456789abcdefE", CRATE_KIND_DEPENDENCY, true);
    see(MEMCHR_TWO);
    assert_kind(MEMCHR_TWO, CRATE_KIND_DEPENDENCY, true);
    assert_kind(MEMCHR_ONE, CRATE_KIND_STD, true);
    /* Of two that are left one is another version that the program had. */
    see("_RNvCs3_6memchr4find");
    assert_kind(MEMCHR_ONE, CRATE_KIND_STD, false);
    see(ADLER_ONE);
    assert_kind(ADLER_ONE, CRATE_KIND_STD, true);
    std->program_crates = NULL;
}

/* One toolchain links the same copies everywhere. */
static void a_copy_that_is_stds_in_a_program_just_built_is_stds_in_an_older_one(void **state)
{
    SCOPED(intern_done) struct intern program_crates = {0};
    struct std_copies older = {.program_crates = &program_crates, .is_other_build = true, .other = *state};

    intern_add(&program_crates, SLICE("memchr"));
    see_library("memchr-0123.3x.rcgu.o", MEMCHR_TWO);
    see(STD_V0);
    see(MEMCHR_ONE);
    assert_kind(MEMCHR_ONE, CRATE_KIND_STD, true);
    std = &older;
    see_library("memchr-0123.3x.rcgu.o", MEMCHR_TWO);
    see(STD_V0);
    see(MEMCHR_ONE);
    see("_RNvCs3_6memchr4find");
    assert_kind(MEMCHR_ONE, CRATE_KIND_STD, true);
    assert_kind("_RNvCs3_6memchr4find", CRATE_KIND_UNKNOWN, false);
    older.other = NULL;
    assert_kind(MEMCHR_ONE, CRATE_KIND_UNKNOWN, false);
    std_copies_done(&older);
}

/* So that where std is the same, any other copy is the program's, which by now lacks the crate. */
static void beside_the_same_std_another_copy_is_the_programs(void **state)
{
    SCOPED(intern_done) struct intern program_crates = {0};
    struct std_copies older = {.program_crates = &program_crates, .is_other_build = true, .other = *state};

    std->program_crates = &program_crates;
    see(STD_V0);
    see("_RNvNtCs7_4core3fmt5write");
    see(MEMCHR_ONE);
    std = &older;
    see(STD_V0);
    see("_RNvNtCs8_4core3fmt5write");
    see(MEMCHR_ONE);
    see(MEMCHR_TWO);
    assert_kind(MEMCHR_TWO, CRATE_KIND_STD, false);
    see("_RNvNtCs7_4core3fmt5write");
    assert_kind(MEMCHR_ONE, CRATE_KIND_STD, true);
    assert_kind(MEMCHR_TWO, CRATE_KIND_DEPENDENCY, true);
    assert_kind(ADLER_ONE, CRATE_KIND_STD, false);
    std_copies_done(&older);
    ((struct std_copies *)*state)->program_crates = NULL;
}

/* `units`, as STT_FILE symbols are called, of a linked file. */
static void see_linked(size_t count, const char *const *units)
{
    struct slice names[8];

    for (size_t i = 0; i < count; i++)
        names[i] = slice_of(units[i]);
    std_copies_see_linked(std, &(struct symbols){.units = names, .unit_count = count});
}

/* The hashes of _ONE and _TWO are 3 and 4. */
static void what_is_linked_behind_std_is_stds(void **state)
{
    const char *const linked[] = {"app.9-cgu.0",    "memchr.4-cgu.0", "crtstuff.c",  "std.7-cgu.0",
                                  "memchr.3-cgu.0", "adler2.4-cgu.0", "core.8-cgu.0"};
    const char *const sorted[] = {"app.9-cgu.0", "core.8-cgu.0", "std.7-cgu.0", "memchr.3-cgu.0"};
    const char *const two[] = {"std.7-cgu.0", "memchr.3-cgu.0", "memchr.4-cgu.0", "core.8-cgu.0"};
    const char *const late[] = {"std.7-cgu.0", "memchr.3-cgu.0", "dep.5-cgu.0", "core.8-cgu.0"};

    (void)state;
    see(STD_V0);
    see(MEMCHR_ONE);
    see_linked(0, NULL);
    see_linked(ARRAY_COUNT(sorted), sorted);
    assert_kind(MEMCHR_ONE, CRATE_KIND_UNKNOWN, false);
    see_linked(ARRAY_COUNT(two), two);
    assert_kind(MEMCHR_ONE, CRATE_KIND_UNKNOWN, false);
    see_linked(ARRAY_COUNT(late), late);
    assert_kind(MEMCHR_ONE, CRATE_KIND_UNKNOWN, false);
    see_linked(ARRAY_COUNT(linked), linked);
    assert_kind(MEMCHR_ONE, CRATE_KIND_STD, true);
    assert_kind(MEMCHR_TWO, CRATE_KIND_UNKNOWN, false);
    assert_kind(ADLER_TWO, CRATE_KIND_STD, true);
}

static void units_tell_by_their_paths(void **state)
{
    struct unit items[] = {
        {.name = SLICE("/rust/deps/memchr-2.7.6/src/lib.rs/@/memchr.1-cgu.0")},
        {.name = SLICE("/h/.cargo/registry/src/index-1/memchr-2.8.3/src/lib.rs/@/memchr.2-cgu.0")},
        {.name = SLICE("memchr.c")},
    };
    struct units units = {.items = {.items = items, .count = 3, .capacity = 3}};
    struct crate_fact stds = {.name = SLICE("memchr"), .id = 1};
    struct crate_fact others = {.name = SLICE("memchr"), .id = 2};
    struct crate_fact unseen = {.name = SLICE("memchr"), .id = 3};

    (void)state;
    std_copies_see_units(std, NULL);
    std_copies_see_units(std, &units);
    assert_int_equal(std_copies_kind_of_unit(std, &stds), CRATE_KIND_STD);
    assert_int_equal(std_copies_kind_of_unit(std, &others), CRATE_KIND_DEPENDENCY);
    assert_int_equal(std_copies_kind_of_unit(std, &unseen), CRATE_KIND_UNKNOWN);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(stds_own_crates_and_others_go_by_their_names),
        TEST(beside_a_program_with_legacy_names_manglings_tell),
        TEST(a_map_may_be_stds_or_one_of_the_crate_itself),
        TEST(where_std_has_legacy_names_v0_ones_are_the_programs),
        TEST(std_knows_only_crates_that_it_was_built_with),
        TEST(the_only_copy_of_what_every_backtrace_needs_likely_is_stds),
        TEST(beside_the_programs_copy_of_it_the_other_is_stds),
        TEST(what_cargo_did_not_build_is_stds),
        TEST(what_no_library_of_the_build_is_named_after_is_stds),
        TEST(what_a_library_made_that_cargo_built_for_std_is_stds),
        TEST(a_library_that_does_not_tell_which_it_is_may_be_any),
        TEST(what_another_build_lacks_is_stds_by_a_guess),
        TEST(a_copy_that_is_stds_in_a_program_just_built_is_stds_in_an_older_one),
        TEST(beside_the_same_std_another_copy_is_the_programs),
        TEST(what_is_linked_behind_std_is_stds),
        TEST(units_tell_by_their_paths),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

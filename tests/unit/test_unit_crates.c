#include "cmocka_all.h"

#include <string.h>

#include "memory_file.h"
#include "size/root_crates.h"
#include "size/unit_crates.h"

#define OF_DEP "0di2v8s2khp89y46lxuyx8a6k"
#define OF_APP "9uz3sh8w1k2v4xjeiygrzuqtz"

struct fixture {
    struct image image;
    struct symbols symbols;
    struct code_map map;
    struct debug_info debug;
    struct size_crates crates;
    struct unit_crates units;
    struct error err;
};

/* Of tiny.rs, a program of one unit, compiled in /tiny. */
static int set_up(void **state)
{
    static struct fixture f;

    f = (struct fixture){0};
    assert_int_equal(image_open(FIXTURES "/dwarf/rust-symbols", &f.image, &f.err), 0);
    assert_int_equal(symbols_read(&f.image, &f.symbols, &f.err), 0);
    assert_int_equal(code_map_build(&f.image, &f.symbols, SLICE(".text"), &f.map, &f.err), 0);
    assert_int_equal(debug_info_open(&f.image, DEBUG_WHOLE, &f.debug, &f.err), 0);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    unit_crates_done(&f->units);
    size_crates_done(&f->crates);
    debug_info_close(&f->debug);
    code_map_done(&f->map);
    symbols_done(&f->symbols);
    image_close(&f->image);
    return 0;
}

/* A library of one empty object, whose name is too long for the object's header. */
static struct memory_file library_of(const char *object)
{
    SCOPED(text_done) struct text text = {0};
    uint32_t names_bytes = ((uint32_t)strlen(object) + 3) & ~1U;

    text_format(&text, "!<arch>\n%-16s%-32s%-10u`\n%s/\n", "//", "0", names_bytes, object);
    if (text.length % 2 != 0)
        text_add_byte(&text, '\n');
    text_format(&text, "%-16s%-32s%-10u`\n", "/0", "0", 0);
    return memory_file_new(text_slice(&text));
}

static void assert_crate(const struct fixture *f, uint32_t crate, const char *name, enum crate_kind kind)
{
    assert_int_not_equal(crate, SIZE_NO_CRATE);
    assert_true(slice_is(f->crates.items.items[crate].name, name));
    assert_int_equal(f->crates.items.items[crate].kind, kind);
}

static void a_hash_is_of_the_library_that_has_the_object_else_of_the_program(void **state)
{
    struct fixture *f = *state;
    struct memory_file library = library_of("dep-0123456789abcdef." OF_DEP ".06tbsqy.rcgu.o");
    const struct build_package packages[] = {
        {.crate = SLICE("dep"), .version = SLICE("0.1.0"), .rlib = library.path},
        {.crate = SLICE("app"), .version = SLICE("0.1.0"), .is_own = true, .is_program = true},
    };
    struct slice names[] = {SLICE(OF_DEP), SLICE(OF_APP), SLICE("crtstuff.c")};
    struct symbols symbols = {.units = names, .unit_count = ARRAY_COUNT(names)};
    struct used_request request = {
        .map = &f->map, .symbols = &symbols, .packages = packages, .package_count = ARRAY_COUNT(packages)};

    unit_crates_find(&request, &f->crates, &f->units);
    assert_crate(f, unit_crates_of_hashed(&f->units, names[0]), "dep", CRATE_KIND_DEPENDENCY);
    assert_crate(f, unit_crates_of_hashed(&f->units, names[1]), "app", CRATE_KIND_OWN);
    assert_int_equal(unit_crates_of_hashed(&f->units, names[2]), SIZE_NO_CRATE);
    memory_file_done(&library);
}

static void of_two_versions_the_library_that_has_the_units_hash_tells_which_it_is(void **state)
{
    struct fixture *f = *state;
    struct memory_file old = library_of("dep-0123456789abcdef.dep.1a2b3c-cgu.0.rcgu.o");
    struct memory_file new = library_of("dep-fedcba9876543210.dep.4d5e6f-cgu.0.rcgu.o");
    const struct build_package packages[] = {
        {.crate = SLICE("dep"), .version = SLICE("0.1.0"), .rlib = old.path},
        {.crate = SLICE("dep"), .version = SLICE("0.3.0"), .rlib = new.path},
    };
    struct used_request request = {.map = &f->map,
                                   .symbols = &f->symbols,
                                   .debug = &f->debug,
                                   .packages = packages,
                                   .package_count = ARRAY_COUNT(packages)};

    f->debug.units.items.items[0].name = SLICE("/outside/dep/src/lib.rs/@/dep.4d5e6f-cgu.0");
    unit_crates_find(&request, &f->crates, &f->units);
    assert_crate(f, f->units.of_unit[0], "dep", CRATE_KIND_DEPENDENCY);
    assert_true(slice_is(f->crates.items.items[f->units.of_unit[0]].version, "0.3.0"));
    memory_file_done(&old);
    memory_file_done(&new);
}

static void without_a_build_a_hash_is_of_the_crate_whose_functions_stand_in_the_root_file(void **state)
{
    struct fixture *f = *state;
    struct slice names[] = {SLICE(OF_APP), SLICE(OF_DEP)};
    struct symbols symbols = {.units = names, .unit_count = ARRAY_COUNT(names)};
    struct used_request request = {.map = &f->map, .symbols = &symbols, .debug = &f->debug};

    f->debug.units.items.items[0].name = SLICE("tiny.rs/@/" OF_APP);
    unit_crates_find(&request, &f->crates, &f->units);
    assert_crate(f, f->units.of_unit[0], "tiny", CRATE_KIND_OWN);
    assert_int_equal(unit_crates_of_hashed(&f->units, names[0]), f->units.of_unit[0]);
    assert_int_equal(unit_crates_of_hashed(&f->units, names[1]), SIZE_NO_CRATE);
}

static void a_file_that_no_function_stands_in_tells_no_crate(void **state)
{
    struct fixture *f = *state;
    struct used_request request = {.map = &f->map, .symbols = &f->symbols, .debug = &f->debug};

    f->debug.units.items.items[0].name = SLICE("other.rs/@/" OF_APP);
    unit_crates_find(&request, &f->crates, &f->units);
    assert_int_equal(f->units.of_unit[0], SIZE_NO_CRATE);
}

static void a_root_file_of_two_crates_tells_neither(void **state)
{
    struct fixture *f = *state;
    SCOPED(root_crates_done) struct root_crates roots = {0};
    uint32_t of_unit[] = {SIZE_NO_CRATE};
    struct unit *unit = &f->debug.units.items.items[0];
    struct crate_fact fact;

    root_crates_find(&f->debug, &f->map, of_unit, &roots);
    assert_true(root_crates_get(&roots, unit, &fact));
    assert_true(slice_is(fact.name, "tiny"));
    for (size_t i = 0; i < f->symbols.count; i++)
        if (slice_find(f->symbols.items[i].name, SLICE("4tiny7collatz")) < f->symbols.items[i].name.length)
            f->symbols.items[i].name = SLICE("_RNvCs1_5other7collatz");
    root_crates_find(&f->debug, &f->map, of_unit, &roots);
    assert_false(root_crates_get(&roots, unit, &fact));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_hash_is_of_the_library_that_has_the_object_else_of_the_program),
        TEST(of_two_versions_the_library_that_has_the_units_hash_tells_which_it_is),
        TEST(without_a_build_a_hash_is_of_the_crate_whose_functions_stand_in_the_root_file),
        TEST(a_file_that_no_function_stands_in_tells_no_crate),
        TEST(a_root_file_of_two_crates_tells_neither),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

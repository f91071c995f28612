#include "cmocka_all.h"

#include "content/names.h"

/* hashbrown with the hash std's has; std's instance of it, the program's instance of it, another hashbrown.
 */
#define HASHBROWN_BY_STD "_RINvCsj4CZ6flxxfE_9hashbrown3getlECs9ltgdHTiPiY_3std"
#define HASHBROWN_BY_APP "_RINvCsj4CZ6flxxfE_9hashbrown4findlECs6DXkGYLi8lr_3app"
#define HASHBROWN_OTHER "_RINvCs1234_9hashbrown3getlECs6DXkGYLi8lr_3app"
#define APP_V0 "_RNvCs6DXkGYLi8lr_3app4main"
#define APP_LEGACY "_ZN3app4main17h0123456789abcdefE"
#define HASHBROWN_LEGACY "_ZN9hashbrown3get17h0123456789abcdefE"
#define STD_V0 "_RNvCs9ltgdHTiPiY_3std4main"
#define CORE_LEGACY "_ZN4core3fmt17h0123456789abcdefE"

enum { FUNCTIONS_MAX = 4 };

struct fixture {
    struct elf_symbol symbols[FUNCTIONS_MAX];
    const struct elf_symbol *names[FUNCTIONS_MAX];
    struct code_map map;
    struct intern program_crates;
    struct std_copies std;
    struct measurement out;
};

static int set_up(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){0};
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    vec_done(&f->map.functions);
    intern_done(&f->program_crates);
    std_copies_done(&f->std);
    measurement_done(&f->out);
    return 0;
}

/* Adds a function with this symbol and these bytes to the map. */
static void add(struct fixture *f, const char *symbol, uint64_t size_bytes)
{
    size_t at = f->map.functions.count;

    assert_true(at < FUNCTIONS_MAX);
    f->symbols[at] = (struct elf_symbol){.name = slice_of(symbol)};
    f->names[at] = &f->symbols[at];
    *vec_add(&f->map.functions) =
        (struct code_function){.names = &f->names[at], .name_count = 1, .size_bytes = size_bytes};
}

static void a_function_has_its_names_its_crate_and_how_that_is_known(void **state)
{
    struct fixture *f = *state;

    add(f, APP_LEGACY, 7);
    add(f, "memcpy", 5);
    add(f, "_ZN43_$LT$left..Type$u20$as$u20$right..Trait$GT$3run17h3333333333333333E", 3);
    names_add(&f->map, &f->std, &f->out);
    assert_int_equal(f->out.items.count, 3);
    assert_true(slice_is(f->out.items.items[0].name, "app::main"));
    assert_true(slice_is(f->out.items.items[0].symbol, APP_LEGACY));
    assert_true(slice_is(f->out.items.items[0].crate, "app"));
    assert_int_equal(f->out.items.items[0].size_bytes, 7);
    assert_int_equal(f->out.items.items[0].kind, MEASURED_FUNCTION);
    assert_int_equal(f->out.items.items[0].crate_source, CRATE_FROM_SYMBOL);
    assert_false(f->out.items.items[0].is_std);
    assert_true(slice_is(f->out.items.items[1].name, "memcpy"));
    assert_int_equal(f->out.items.items[1].crate.length, 0);
    assert_int_equal(f->out.items.items[1].crate_source, CRATE_UNKNOWN);
    assert_false(f->out.items.items[1].is_std);
    assert_int_equal(f->out.items.items[2].crate_source, CRATE_INFERRED);
}

static void a_label_without_bytes_is_left_out(void **state)
{
    struct fixture *f = *state;

    add(f, CORE_LEGACY, 0);
    add(f, APP_LEGACY, 1);
    add(f, CORE_LEGACY, 2);
    names_add(&f->map, &f->std, &f->out);
    assert_int_equal(f->out.items.count, 2);
    assert_false(f->out.items.items[0].is_std);
    assert_true(f->out.items.items[1].is_std);
}

static void a_crate_the_program_was_not_built_from_is_stds(void **state)
{
    struct fixture *f = *state;

    add(f, HASHBROWN_LEGACY, 1);
    add(f, APP_LEGACY, 1);
    intern_add(&f->program_crates, SLICE("app"));
    f->std.program_crates = &f->program_crates;
    names_add(&f->map, &f->std, &f->out);
    assert_true(f->out.items.items[0].is_std);
    assert_false(f->out.items.items[1].is_std);
}

static void a_crate_the_program_was_built_from_is_its_own(void **state)
{
    struct fixture *f = *state;

    add(f, HASHBROWN_LEGACY, 1);
    add(f, HASHBROWN_OTHER, 1);
    add(f, STD_V0, 1);
    intern_add(&f->program_crates, SLICE("hashbrown"));
    f->std.program_crates = &f->program_crates;
    names_add(&f->map, &f->std, &f->out);
    assert_false(f->out.items.items[0].is_std);
    /* Beside legacy names v0 names are std's. */
    assert_true(f->out.items.items[1].is_std);
}

static void stds_copy_of_a_crate_is_told_by_its_hash(void **state)
{
    struct fixture *f = *state;

    add(f, HASHBROWN_BY_APP, 1);
    add(f, HASHBROWN_OTHER, 1);
    add(f, HASHBROWN_BY_STD, 1);
    add(f, APP_V0, 1);
    intern_add(&f->program_crates, SLICE("hashbrown"));
    f->std.program_crates = &f->program_crates;
    names_add(&f->map, &f->std, &f->out);
    assert_true(f->out.items.items[0].is_std);
    assert_false(f->out.items.items[1].is_std);
    assert_true(f->out.items.items[2].is_std);
    assert_false(f->out.items.items[3].is_std);
}

static void with_no_word_of_the_program_the_hash_decides_too(void **state)
{
    struct fixture *f = *state;

    add(f, HASHBROWN_OTHER, 1);
    add(f, HASHBROWN_BY_STD, 1);
    names_add(&f->map, &f->std, &f->out);
    assert_false(f->out.items.items[0].is_std);
    assert_true(f->out.items.items[1].is_std);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_function_has_its_names_its_crate_and_how_that_is_known),
        TEST(a_label_without_bytes_is_left_out),
        TEST(a_crate_the_program_was_not_built_from_is_stds),
        TEST(a_crate_the_program_was_built_from_is_its_own),
        TEST(stds_copy_of_a_crate_is_told_by_its_hash),
        TEST(with_no_word_of_the_program_the_hash_decides_too),
    };

    return cmocka_run_group_tests_name("bloatc names", tests, NULL, NULL);
}

#include "cmocka_all.h"

#include "size/linked_for.h"

#define WHOLE "7prlj2lqb73mt3gjiyf3of8j3" /* the unit that rustc makes for what it links */

enum { UNITS_MAX = 8, APP = 0, DEP = 1, STD = 2, NONE = -1 };

struct fixture {
    struct slice names[UNITS_MAX];
    uint32_t of_unit[UNITS_MAX];
    struct symbols symbols;
    struct size_crates crates;
    bool is_beside_c;
};

static int set_up(void **state)
{
    static struct fixture fixture;
    const struct crate_fact facts[] = {
        {.name = SLICE("app")}, {.name = SLICE("dep")}, {.name = SLICE("std"), .kind = CRATE_KIND_STD}};

    fixture = (struct fixture){.symbols = {.units = fixture.names}};
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(size_crates_add(&fixture.crates, &facts[i]), i);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    size_crates_done(&f->crates);
    return 0;
}

static void add(struct fixture *f, const char *name, int crate)
{
    f->of_unit[f->symbols.unit_count] = crate == NONE ? SIZE_NO_CRATE : (uint32_t)crate;
    f->names[f->symbols.unit_count++] = slice_of(name);
}

static void assert_crate(struct fixture *f, int merged, int crate)
{
    uint32_t found =
        linked_for_find(&f->symbols, f->of_unit, merged == NONE ? SIZE_NO_CRATE : (uint32_t)merged,
                        &f->crates, &f->is_beside_c);

    assert_int_equal(found, crate == NONE ? SIZE_NO_CRATE : (uint32_t)crate);
}

static void the_crate_whose_units_come_first_is_what_was_linked(void **state)
{
    struct fixture *f = *state;

    assert_crate(f, NONE, NONE);
    add(f, "crtstuff.c", NONE);
    add(f, "app.1a2b3c-cgu.0", APP);
    add(f, "app.1a2b3c-cgu.1", APP);
    assert_crate(f, NONE, NONE);
    add(f, WHOLE, NONE);
    add(f, "dep.4d5e6f-cgu.0", DEP);
    assert_crate(f, NONE, APP);
    assert_false(f->is_beside_c);
    add(f, "inflate.c", NONE);
    assert_crate(f, NONE, APP);
    assert_true(f->is_beside_c);
}

static void several_crates_before_the_unit_of_the_whole_do_not_tell(void **state)
{
    struct fixture *f = *state;

    add(f, "app.1a2b3c-cgu.0", APP);
    add(f, "dep.4d5e6f-cgu.0", DEP);
    add(f, WHOLE, NONE);
    assert_crate(f, NONE, NONE);
    f->of_unit[0] = f->of_unit[1] = STD;
    assert_crate(f, NONE, NONE);
}

static void where_c_comes_first_it_is_a_program_of_c_s(void **state)
{
    struct fixture *f = *state;

    add(f, "Scrt1.o", NONE);
    add(f, "main.c", NONE);
    add(f, "app.1a2b3c-cgu.0", APP);
    add(f, WHOLE, NONE);
    assert_crate(f, NONE, NONE);
}

static void what_was_merged_is_of_one_crate_where_no_c_is_beside_it(void **state)
{
    struct fixture *f = *state;

    assert_crate(f, APP, NONE);
    add(f, "crtstuff.c", NONE);
    add(f, "app.1a2b3c-cgu.0", NONE);
    assert_crate(f, APP, APP);
    add(f, "main.c", NONE);
    assert_crate(f, APP, NONE);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_crate_whose_units_come_first_is_what_was_linked),
        TEST(several_crates_before_the_unit_of_the_whole_do_not_tell),
        TEST(where_c_comes_first_it_is_a_program_of_c_s),
        TEST(what_was_merged_is_of_one_crate_where_no_c_is_beside_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

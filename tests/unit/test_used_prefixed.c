#include "cmocka_all.h"

#include <elf.h>

#include "used_fixture.h"

#define OF_AWS "aws_lc_0_47_0_SHA256"
#define OF_RING "ring_core_0_17_14__sha256"

enum { ONE, OTHER };

/* Of what is compiled from a source of C's; the package's own are hidden, and made local by the linker. */
static void add_c(struct fixture *f, const char *name, uint32_t unit, uint8_t visibility)
{
    add_of_c(f, name, unit)->visibility = visibility;
}

static int set_up_sources(void **state)
{
    struct fixture *f = NULL;

    set_up(state);
    f = *state;
    add_unit(f, "one.c");
    add_unit(f, "other.c");
    return 0;
}

static void the_package_of_a_name_is_who_built_it(void **state)
{
    struct fixture *f = *state;

    add_c(f, OF_AWS, ONE, STV_HIDDEN);
    add_c(f, OF_RING, SYMBOL_NO_UNIT, STV_HIDDEN);
    add_c(f, "deflate", SYMBOL_NO_UNIT, STV_DEFAULT);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, "aws_lc_sys", USED_FROM_SUFFIX);
    assert_used(f, 1, "ring", USED_FROM_SUFFIX);
    assert_used(f, 2, NULL, USED_UNKNOWN);
    assert_true(slice_is(f->crates.items.items[f->out[0].crate].version, "0.47.0"));
}

static void static_functions_in_one_piece_with_its_own_are_the_package_s(void **state)
{
    struct fixture *f = *state;

    add_c(f, "outside", ONE, STV_DEFAULT);
    add_c(f, OF_AWS, ONE, STV_HIDDEN);
    add_c(f, "block", ONE, STV_DEFAULT);
    add_c(f, OF_AWS "_2", ONE, STV_HIDDEN);
    add_c(f, "behind", ONE, STV_DEFAULT);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, NULL, USED_UNKNOWN);
    assert_used(f, 2, "aws_lc_sys", USED_INFERRED);
    assert_used(f, 4, NULL, USED_UNKNOWN);
}

static void a_source_without_a_function_of_the_package_in_it_may_be_another_s(void **state)
{
    struct fixture *f = *state;

    add_c(f, OF_AWS, ONE, STV_HIDDEN);
    add_c(f, "block", OTHER, STV_DEFAULT);
    add_c(f, "last", OTHER, STV_DEFAULT);
    add_c(f, OF_AWS "_2", ONE, STV_HIDDEN);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 1, NULL, USED_UNKNOWN);
    assert_used(f, 2, NULL, USED_UNKNOWN);
}

static void between_two_packages_or_beside_what_is_hidden_nothing_is_told(void **state)
{
    struct fixture *f = *state;

    add_c(f, OF_AWS, ONE, STV_HIDDEN);
    add_c(f, "block", ONE, STV_DEFAULT);
    add_c(f, OF_RING, ONE, STV_HIDDEN);
    add_c(f, "last", ONE, STV_DEFAULT);
    add_c(f, "hidden", ONE, STV_HIDDEN);
    add_c(f, OF_RING "_2", ONE, STV_HIDDEN);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 1, NULL, USED_UNKNOWN);
    assert_used(f, 3, NULL, USED_UNKNOWN);
    assert_used(f, 4, NULL, USED_UNKNOWN);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_sources, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_package_of_a_name_is_who_built_it),
        TEST(static_functions_in_one_piece_with_its_own_are_the_package_s),
        TEST(a_source_without_a_function_of_the_package_in_it_may_be_another_s),
        TEST(between_two_packages_or_beside_what_is_hidden_nothing_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

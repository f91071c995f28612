#include "cmocka_all.h"

#include <elf.h>

#include "used_fixture.h"

static const struct build_package packages[] = {
    {.crate = SLICE("one"), .version = SLICE("0.1.0"), .rlib = FIXTURES "/elf/local-one.a"},
    {.crate = SLICE("two"), .version = SLICE("0.1.0"), .rlib = FIXTURES "/elf/local-two.a"},
};

/* A function that is local to the object whose STT_FILE symbol it stands under. */
static void add_local(struct fixture *f, const char *name, uint64_t size_bytes, uint32_t unit)
{
    add_of_c(f, name, unit)->size_bytes = size_bytes;
}

static int set_up_build(void **state)
{
    struct fixture *f = NULL;

    set_up(state);
    f = *state;
    f->request.packages = packages;
    f->request.package_count = 2;
    add_unit(f, "parser.c");
    add_unit(f, "parser.c");
    return 0;
}

static void of_several_functions_of_a_name_the_size_tells_the_library(void **state)
{
    struct fixture *f = *state;

    add_local(f, "lex", 16, 0);
    add_local(f, "lex", 32, 1);
    add_local(f, "lex", 48, 1); /* nobody's */
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, "one", USED_FROM_RLIB);
    assert_used(f, 1, "two", USED_FROM_RLIB);
    assert_used(f, 2, NULL, USED_UNKNOWN);
}

static void what_is_alike_in_both_is_of_the_library_that_has_the_rest_of_its_object(void **state)
{
    struct fixture *f = *state;

    add_local(f, "contains", 8, 0);
    add_local(f, "contains", 8, 1);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, NULL, USED_UNKNOWN);
    assert_used(f, 1, NULL, USED_UNKNOWN);
    add_local(f, "lex", 16, 0);
    add_local(f, "lex", 32, 1);
    add_local(f, "other", 8, 1);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, "one", USED_FROM_RLIB);
    assert_used(f, 1, "two", USED_FROM_RLIB);
    assert_used(f, 4, NULL, USED_UNKNOWN);
}

static void one_that_the_program_has_more_often_than_the_libraries_may_be_others(void **state)
{
    struct fixture *f = *state;

    add_local(f, "lex", 16, 0);
    add_local(f, "lex", 16, 1);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, NULL, USED_UNKNOWN);
    assert_used(f, 1, NULL, USED_UNKNOWN);
}

static void another_source_or_binding_tells_nothing(void **state)
{
    struct fixture *f = *state;

    add_unit(f, "lexer.c");
    add_local(f, "lex", 16, 2);
    add_local(f, "lex", 16, SYMBOL_NO_UNIT);
    add_local(f, "lex", 16, 0);
    f->items[2].binding = STB_GLOBAL;
    used_find(&f->request, &f->crates, f->out);
    for (size_t i = 0; i < 3; i++)
        assert_used(f, i, NULL, USED_UNKNOWN);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_build, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(of_several_functions_of_a_name_the_size_tells_the_library),
        TEST(what_is_alike_in_both_is_of_the_library_that_has_the_rest_of_its_object),
        TEST(one_that_the_program_has_more_often_than_the_libraries_may_be_others),
        TEST(another_source_or_binding_tells_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

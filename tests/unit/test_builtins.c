#include "cmocka_all.h"

#include <elf.h>
#include <stdlib.h>

#include "base/compiler.h"
#include "size/builtins.h"
#include "used_fixture.h"

#define BUILTINS_UNIT "compiler_builtins.4e30-cgu.124"

static void names_are_those_that_the_crate_defines(void **state)
{
    static const char *const its[] = {"__udivti3",    "__floatuntidf",    "__extendhfsf2",    "__muldc3",
                                      "__divmoddi4",  "__ltdf2",          "__absvti2",        "__powitf2",
                                      "__fixunsdfti", "__rust_u128_mulo", "__aeabi_uidivmod", "__ashlti3",
                                      "ceil",         "floorf",           "sqrtf128",         "fmod",
                                      "fmaf16",       "memcpy",           "__truncdfsf2"};
    static const char *const others[] = {"",
                                         "__",
                                         "__ti3",
                                         "__cpu_indicator_init",
                                         "__sindf",
                                         "__cosdf",
                                         "__morestack",
                                         "_udivti3",
                                         "udivti3",
                                         "__udivti9",
                                         "__powixf2",
                                         "ceilxf16",
                                         "memcpyf",
                                         "__udivxf3",
                                         "f",
                                         "__di",
                                         "__rust_alloc"};

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(its); i++)
        if (!builtins_has(slice_of(its[i])))
            fail_msg("%s", its[i]);
    for (size_t i = 0; i < ARRAY_COUNT(others); i++)
        if (builtins_has(slice_of(others[i])))
            fail_msg("%s", others[i]);
}

static void what_stands_under_its_units_is_its(void **state)
{
    struct fixture *f = *state;

    add_unit(f, BUILTINS_UNIT);
    add_unit(f, "divide.c");
    add(f, "__udivti3", 0);
    add(f, "floor", 0);
    add(f, "__cpu_indicator_init", 0);
    add(f, "__divdi3", 1);
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, "compiler_builtins", USED_FROM_FILE_SYMBOL);
    assert_used(f, 1, "compiler_builtins", USED_FROM_FILE_SYMBOL);
    assert_used(f, 2, NULL, USED_UNKNOWN);
    assert_used(f, 3, NULL, USED_UNKNOWN);
    assert_int_equal(f->crates.items.items[f->out[0].crate].kind, CRATE_KIND_STD);
}

static void what_is_hidden_and_under_no_unit_likely_is_too(void **state)
{
    struct fixture *f = *state;

    add_unit(f, BUILTINS_UNIT);
    add_unit(f, "");
    add(f, "__udivti3", SYMBOL_NO_UNIT);
    add(f, "ceil", SYMBOL_NO_UNIT);
    add(f, "trunc", 1);
    f->items[0].visibility = STV_HIDDEN;
    f->items[0].binding = f->items[1].binding = STB_WEAK;
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, "compiler_builtins", USED_INFERRED);
    assert_used(f, 1, NULL, USED_UNKNOWN);
    assert_used(f, 2, "compiler_builtins", USED_INFERRED);
}

static void a_program_without_its_units_has_none_of_it(void **state)
{
    struct fixture *f = *state;

    add(f, "__udivti3", SYMBOL_NO_UNIT);
    f->items[0].visibility = STV_HIDDEN;
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, NULL, USED_UNKNOWN);
}

static void beside_its_units_in_an_archive_so_is_compiler_rts_c(void **state)
{
    struct fixture *f = *state;

    add(f, "__divdc3", SYMBOL_NO_UNIT);
    add(f, "__compilerrt_abort_impl", SYMBOL_NO_UNIT);
    add(f, "floor", SYMBOL_NO_UNIT);
    add(f, "__divsc3", SYMBOL_NO_UNIT);
    for (size_t i = 0; i < 3; i++)
        f->items[i].visibility = STV_HIDDEN;
    f->items[3].binding = STB_GLOBAL;
    f->request.is_object = true;
    f->request.is_beside_builtins = true;
    used_find(&f->request, &f->crates, f->out);
    assert_used(f, 0, "compiler_builtins", USED_INFERRED);
    assert_used(f, 1, "compiler_builtins", USED_INFERRED);
    assert_used(f, 2, NULL, USED_UNKNOWN);
    assert_used(f, 3, NULL, USED_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_those_that_the_crate_defines),
        cmocka_unit_test_setup_teardown(what_stands_under_its_units_is_its, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_hidden_and_under_no_unit_likely_is_too, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_program_without_its_units_has_none_of_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(beside_its_units_in_an_archive_so_is_compiler_rts_c, set_up,
                                        tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

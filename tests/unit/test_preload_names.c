#include "cmocka_all.h"

#include "preload/linked/names.h"

static const struct linked_name *find(const char *name)
{
    bool is_bare = true;
    const struct linked_name *found = linked_name_find(name, &is_bare);

    if (found)
        assert_false(is_bare);
    return found;
}

static void functions_have_their_arguments_by_any_prefix(void **state)
{
    bool is_bare = false;

    (void)state;
    assert_int_equal(find("_rjem_sdallocx")->work, LINKED_TAKE);
    assert_int_equal(find("je_calloc")->count, 0);
    assert_int_equal(find("je_calloc")->size, 1);
    assert_int_equal(find("_rjem_xallocx")->work, LINKED_GROW_IN_PLACE);
    assert_int_equal(find("_rjem_posix_memalign")->pointer, 0);
    assert_int_equal(find("mi_heap_calloc")->count, 1);
    assert_int_equal(find("mi_malloc_aligned")->count, LINKED_ARGUMENTS);
    assert_int_equal(find("sn_rust_realloc")->size, 3);
    assert_int_equal(linked_name_find("aligned_alloc", &is_bare)->size, 1);
    assert_true(is_bare);
}

static void other_functions_are_none(void **state)
{
    static const char *const others[] = {
        "",    "mallocs",      "_rjem_",         "_rjem_mallctl", "_rjem_mi_free", "mi_freed", "mi_sdallocx",
        "sn_", "je_je_malloc", "mi_malloc.cold", "main",          "sn_rust_allocx"};
    bool is_bare = false;

    (void)state;
    for (unsigned i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        assert_null(linked_name_find(others[i], &is_bare));
}

static void jemalloc_is_told_by_what_no_other_has(void **state)
{
    (void)state;
    assert_true(linked_name_is_of_jemalloc("mallctl"));
    assert_true(linked_name_is_of_jemalloc("_rjem_sdallocx"));
    assert_false(linked_name_is_of_jemalloc("malloc"));
    assert_false(linked_name_is_of_jemalloc("_rjem_free"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_have_their_arguments_by_any_prefix),
        cmocka_unit_test(other_functions_are_none),
        cmocka_unit_test(jemalloc_is_told_by_what_no_other_has),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

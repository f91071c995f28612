#include "cmocka_all.h"

#include <stdio.h>

#include "base/intern.h"

static void the_same_bytes_get_the_same_id_and_ids_count_from_zero(void **state)
{
    (void)state;
    SCOPED(intern_done) struct intern intern = {0};

    assert_int_equal(intern_add(&intern, SLICE("core")), 0);
    assert_int_equal(intern_add(&intern, SLICE("alloc")), 1);
    assert_int_equal(intern_add(&intern, SLICE("core")), 0);
    assert_int_equal(intern_add(&intern, (struct slice){0}), 2);
    assert_int_equal(intern_add(&intern, SLICE("")), 2);
}

static void what_was_never_added_is_not_found(void **state)
{
    (void)state;
    SCOPED(intern_done) struct intern intern = {0};

    assert_int_equal(intern_find(&intern, SLICE("core")), INTERN_NONE);
    intern_add(&intern, SLICE("core"));
    assert_int_equal(intern_find(&intern, SLICE("core")), 0);
    assert_int_equal(intern_find(&intern, SLICE("cor")), INTERN_NONE);
    assert_int_equal(intern_find(&intern, SLICE("core\0")), INTERN_NONE);
    assert_int_equal(intern_find(&intern, (struct slice){0}), INTERN_NONE);
}

static void bytes_of_zero_count(void **state)
{
    (void)state;
    SCOPED(intern_done) struct intern intern = {0};

    assert_int_equal(intern_add(&intern, SLICE("a\0b")), 0);
    assert_int_equal(intern_add(&intern, SLICE("a\0c")), 1);
    assert_int_equal(intern_add(&intern, SLICE("a")), 2);
    assert_int_equal(intern_add(&intern, SLICE("a\0")), 3);
}

static void the_text_is_a_terminated_copy(void **state)
{
    (void)state;
    SCOPED(intern_done) struct intern intern = {0};
    char changing[] = "serde";
    uint32_t id = intern_add(&intern, slice_of(changing));

    changing[0] = 'X';
    assert_string_equal(intern_text(&intern, id).data, "serde");
    assert_int_equal(intern_text(&intern, id).length, 5);
}

static void many_strings_keep_their_ids_and_addresses(void **state)
{
    (void)state;
    enum { COUNT = 200000 }; /* enough for some to share a 32-bit hash */
    SCOPED(intern_done) struct intern intern = {0};
    const char *first = NULL;
    char name[32];

    for (uint32_t i = 0; i < COUNT; i++) {
        snprintf(name, sizeof(name), "crate::module%u::f", i);
        assert_int_equal(intern_add(&intern, slice_of(name)), i);
        if (i == 0)
            first = intern_text(&intern, 0).data;
    }
    assert_ptr_equal(intern_text(&intern, 0).data, first);
    for (uint32_t i = 0; i < COUNT; i++) {
        snprintf(name, sizeof(name), "crate::module%u::f", i);
        assert_int_equal(intern_find(&intern, slice_of(name)), i);
        assert_string_equal(intern_text(&intern, i).data, name);
    }
}

static void an_interner_that_is_done_is_empty_and_ready(void **state)
{
    (void)state;
    struct intern intern = {0};

    intern_done(&intern);
    intern_add(&intern, SLICE("old"));
    intern_done(&intern);
    assert_int_equal(intern_find(&intern, SLICE("old")), INTERN_NONE);
    assert_int_equal(intern_add(&intern, SLICE("new")), 0);
    intern_done(&intern);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_bytes_get_the_same_id_and_ids_count_from_zero),
        cmocka_unit_test(what_was_never_added_is_not_found),
        cmocka_unit_test(bytes_of_zero_count),
        cmocka_unit_test(the_text_is_a_terminated_copy),
        cmocka_unit_test(many_strings_keep_their_ids_and_addresses),
        cmocka_unit_test(an_interner_that_is_done_is_empty_and_ready),
    };

    return cmocka_run_group_tests_name("intern", tests, NULL, NULL);
}

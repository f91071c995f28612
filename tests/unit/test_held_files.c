#include "cmocka_all.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/remove.h"
#include "compare/held_files.h"

/* Two files in a folder of their own, held. */
struct fixture {
    char folder[32];
    struct arena arena;
    const char *paths[2];
    const char *named[2]; /* the same until they are found to be replaced */
    struct held_files held;
    struct error err;
};

static int set_up(void **state)
{
    static struct fixture fixture;
    struct fixture *f = &fixture;

    *f = (struct fixture){.folder = "/tmp/test_held.XXXXXX"};
    *state = f;
    if (!mkdtemp(f->folder))
        return -1;
    for (size_t i = 0; i < ARRAY_COUNT(f->paths); i++) {
        f->paths[i] = arena_format(&f->arena, "%s/%zu", f->folder, i);
        f->named[i] = f->paths[i];
        if (file_replace(f->paths[i], SLICE("old"), &f->err) < 0)
            return -1;
    }
    held_files_open(f->named, ARRAY_COUNT(f->named), &f->held);
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    held_files_done(&f->held);
    if (remove_all(f->folder, NULL, &f->err) < 0)
        return -1;
    arena_done(&f->arena);
    return 0;
}

static void assert_content(struct fixture *f, size_t file, const char *expected)
{
    SCOPED(text_done) struct text content = {0};

    assert_int_equal(file_read(f->named[file], 1000, &content, &f->err), 0);
    assert_string_equal(text_string(&content), expected);
}

static void what_nobody_has_replaced_is_read_where_it_stands(void **state)
{
    struct fixture *f = *state;

    assert_false(held_files_find_replaced(&f->arena, &f->held, f->named));
    assert_ptr_equal(f->named[0], f->paths[0]);
    assert_ptr_equal(f->named[1], f->paths[1]);
}

static void what_was_replaced_is_read_as_it_was(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(file_replace(f->paths[1], SLICE("new"), &f->err), 0);
    assert_true(held_files_find_replaced(&f->arena, &f->held, f->named));
    assert_ptr_equal(f->named[0], f->paths[0]);
    assert_content(f, 1, "old");
}

static void what_was_removed_is_read_as_it_was(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(unlink(f->paths[0]), 0);
    assert_true(held_files_find_replaced(&f->arena, &f->held, f->named));
    assert_content(f, 0, "old");
}

static void what_was_not_there_stays_what_was_named(void **state)
{
    struct fixture *f = *state;
    SCOPED(held_files_done) struct held_files held = {0};

    assert_int_equal(unlink(f->paths[0]), 0);
    held_files_open(f->named, ARRAY_COUNT(f->named), &held);
    assert_int_equal(file_replace(f->paths[0], SLICE("new"), &f->err), 0);
    assert_false(held_files_find_replaced(&f->arena, &held, f->named));
    assert_ptr_equal(f->named[0], f->paths[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_nobody_has_replaced_is_read_where_it_stands, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_was_replaced_is_read_as_it_was, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_was_removed_is_read_as_it_was, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_was_not_there_stays_what_was_named, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Where cargo keeps what it compiles. */
#include "cmocka_all.h"

#include <stdlib.h>

#include "base/folder.h"
#include "base/remove.h"
#include "cargo/unit_folder.h"

#define HASH "0123456789abcdef"

static void assert_folder(const char *folder, const char *expected)
{
    assert_true(slice_is(cargo_unit_folder(slice_of(folder)), expected));
}

static void units_are_in_one_folder_or_in_their_own(void **state)
{
    (void)state;
    assert_folder("/t/release/deps", "deps");
    assert_folder("deps", "deps");
    assert_folder("/t/release/build/app/" HASH "/out", "build/app/" HASH "/out");
    assert_folder("build/app/" HASH "/out", "build/app/" HASH "/out");
    assert_folder("/t/release/build/app-" HASH "/out", "");
    assert_folder("/t/release/build/app/0123/out", "");
    assert_folder("/t/release/built/app/" HASH "/out", "");
    assert_folder("/t/release", "");
    assert_folder("out", "");
    assert_folder("", "");
}

static void add_folder(void *context, const char *folder)
{
    text_format(context, "%s\n", folder);
}

static void all_of_a_profile_are_visited(void **state)
{
    char root[] = "/tmp/unit_folder.XXXXXX";
    struct error err = {0};
    SCOPED(text_done) struct text path = {0};
    SCOPED(text_done) struct text visited = {0};
    SCOPED(text_done) struct text expected = {0};

    (void)state;
    assert_non_null(mkdtemp(root));
    text_format(&path, "%s/build/app/" HASH "/out", root);
    assert_int_equal(folder_make(text_string(&path), &err), 0);
    text_clear(&path);
    text_format(&path, "%s/build/other-" HASH "/out", root);
    assert_int_equal(folder_make(text_string(&path), &err), 0);
    cargo_unit_folders_visit(slice_of(root), add_folder, &visited);
    text_format(&expected, "%s/deps\n%s/build/app/" HASH "/out\n", root, root);
    assert_string_equal(text_string(&visited), text_string(&expected));
    assert_int_equal(remove_all(root, NULL, &err), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_are_in_one_folder_or_in_their_own),
        cmocka_unit_test(all_of_a_profile_are_visited),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

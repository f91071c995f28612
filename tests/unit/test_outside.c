#include "cmocka_all.h"

#include <limits.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/folder.h"
#include "base/path.h"
#include "base/remove.h"
#include "revision/outside.h"

static void a_path_is_joined_as_text(void **state)
{
    static const struct {
        const char *folder, *name, *joined;
    } cases[] = {
        {"/a/b", "c", "/a/b/c"},       {"/a/b", "../c", "/a/c"}, {"/a/b", "./../../c//d/", "/c/d"},
        {"/a", "../../../c", "/c"},    {"/a", "/x/../y", "/y"},  {"/", "a", "/a"},
        {"/a/b", "..", "/a"},          {"/a", "..", "/"},        {"/a/b", "", "/a/b"},
        {"/a", "..b/.c", "/a/..b/.c"},
    };
    SCOPED(arena_done) struct arena arena = {0};

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++)
        assert_string_equal(path_join(&arena, cases[i].folder, slice_of(cases[i].name)), cases[i].joined);
}

static void what_is_below_is_told_by_whole_parts(void **state)
{
    (void)state;
    assert_string_equal(path_below("/a/b", "/a/b/c"), "c");
    assert_string_equal(path_below("/a/b", "/a/b"), "");
    assert_null(path_below("/a/b", "/a/bc"));
    assert_null(path_below("/a/b", "/a"));
    assert_null(path_below("/a/b", NULL));
    assert_int_equal(path_common("/a/b", "/a/c"), 2);
    assert_int_equal(path_common("/a/b", "/a/bc"), 2);
    assert_int_equal(path_common("/a/bc", "/a/b"), 2);
    assert_int_equal(path_common("/a", "/a/b"), 2);
    assert_int_equal(path_common("/a/b", "/a"), 2);
    assert_int_equal(path_common("/a", "/b"), 0);
}

static void the_top_is_the_highest_folder_beside_the_way_to_the_root(void **state)
{
    SCOPED(arena_done) struct arena arena = {0};

    (void)state;
    assert_string_equal(outside_top(&arena, "/home/me/app", "/home/me/lib"), "/home/me/lib");
    assert_string_equal(outside_top(&arena, "/home/me/app", "/home/me/application/x"),
                        "/home/me/application");
    assert_string_equal(outside_top(&arena, "/home/me/app", "/opt/x/y"), "/opt");
    assert_null(outside_top(&arena, "/home/me/app", "/home/me"));
    assert_null(outside_top(&arena, "/home/me/app", "/"));
}

static void paths_are_meant_in_the_folder_of_the_manifest(void **state)
{
    SCOPED(arena_done) struct arena arena = {0};

    (void)state;
    assert_string_equal(outside_folder_of(&arena, "/a/Cargo.toml"), "/a");
    assert_string_equal(outside_folder_of(&arena, "/a/.cargo/config.toml"), "/a");
    assert_string_equal(outside_folder_of(&arena, "/a/.cargo/config"), "/a");
    assert_null(outside_folder_of(&arena, "/a/NotCargo.toml"));
    assert_null(outside_folder_of(&arena, "/a/config.toml"));
}

static void write_manifest(struct arena *arena, const char *folder, const char *name, const char *content)
{
    const char *path = arena_format(arena, "%s/%s", folder, name);
    struct error err = {0};

    assert_int_equal(folder_make(path, &err), 0);
    assert_int_equal(file_replace(arena_format(arena, "%s/Cargo.toml", path), slice_of(content), &err), 0);
}

static void assert_outside(struct arena *arena, const struct outside *outside, const char *folder,
                           const char *const *names)
{
    size_t count = 0;

    for (; names[count]; count++) {
        assert_true(count < outside->items.count);
        assert_string_equal(outside->items.items[count], arena_format(arena, "%s/%s", folder, names[count]));
    }
    assert_int_equal(outside->items.count, count);
}

static void packages_are_followed_from_one_to_the_next(void **state)
{
    static const char *const direct[] = {"one", "gone", "shared/lib.rs", NULL};
    static const char *const followed[] = {"one", "all/two", "all/three", NULL};
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(outside_done) struct outside outside = {0};
    char folder[PATH_MAX] = "/tmp/outside_XXXXXX";
    const char *root = NULL;
    struct error err = {0};

    (void)state;
    assert_non_null(mkdtemp(folder));
    root = arena_format(&arena, "%s/app", folder);
    write_manifest(&arena, folder, "app",
                   "[dependencies]\none = {path = \"../one\"}\nagain = {path = \"./../one/\"}\n"
                   "own = {path = \"core\"}\nw = {workspace = true}\n[patch.crates-io]\n"
                   "gone = {path = \"../gone\"}\n[lib]\npath = \"../shared/lib.rs\"\n");
    write_manifest(&arena, folder, "one",
                   "[dependencies]\nt = {path = \"../all/two\"}\nb = {path = \"../app/b\"}\n");
    write_manifest(&arena, folder, "all/two",
                   "[dependencies]\nup = {path = \"../..\"}\nt = {workspace = true}\n");
    write_manifest(&arena, folder, "all", "[workspace.dependencies]\nt = {path = \"three\"}\n");
    write_manifest(&arena, folder, "all/three", "not = [a manifest\n");
    outside_add_of(&arena, root, arena_format(&arena, "%s/Cargo.toml", root), root, &outside);
    assert_outside(&arena, &outside, folder, direct);
    outside_follow(&arena, root, &outside);
    assert_outside(&arena, &outside, folder, followed);
    assert_int_equal(remove_all(folder, NULL, &err), 0);
}

static void what_is_in_another_of_them_is_told_from_what_is_not(void **state)
{
    SCOPED(outside_done) struct outside outside = {0};

    (void)state;
    outside_add(&outside, "/a/one/src/lib.rs");
    outside_add(&outside, "/a/one");
    outside_add(&outside, "/a/one-two");
    assert_true(outside_is_within(&outside, "/a/one/src/lib.rs"));
    assert_false(outside_is_within(&outside, "/a/one"));
    assert_false(outside_is_within(&outside, "/a/one-two"));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_is_joined_as_text),
        cmocka_unit_test(what_is_below_is_told_by_whole_parts),
        cmocka_unit_test(the_top_is_the_highest_folder_beside_the_way_to_the_root),
        cmocka_unit_test(paths_are_meant_in_the_folder_of_the_manifest),
        cmocka_unit_test(packages_are_followed_from_one_to_the_next),
        cmocka_unit_test(what_is_in_another_of_them_is_told_from_what_is_not),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "cmocka_all.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "symbolize/package_files.h"

static void the_one_package_that_has_the_file_is_told(void **state)
{
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(package_files_done) struct package_files files = {0};
    char root[] = "/tmp/test_package_files.XXXXXX";
    struct package_folder packages[3];
    static const char *const folders[] = {"a", "b", "c"};
    struct error err = {0};
    const char *there = NULL;

    (void)state;
    assert_non_null(mkdtemp(root));
    for (size_t i = 0; i < 3; i++) {
        const char *folder = arena_format(&arena, "%s/%s", root, folders[i]);

        assert_int_equal(mkdir(folder, 0700), 0);
        packages[i] = (struct package_folder){slice_of(folders[i]), slice_of(folder)};
        assert_int_equal(file_replace(arena_format(&arena, "%s/all.c", folder), SLICE("int all;"), &err), 0);
    }
    there = arena_format(&arena, "%s/b/one.c", root);
    assert_int_equal(file_replace(there, SLICE("int one;"), &err), 0);
    assert_int_equal(package_files_find(&files, SLICE("/one.c")).length, 0);
    files.packages = packages;
    files.package_count = 3;
    for (int round = 0; round < 2; round++) {
        assert_true(slice_is(package_files_find(&files, SLICE("/one.c")), "b"));
        assert_int_equal(package_files_find(&files, SLICE("/all.c")).length, 0);
        assert_int_equal(package_files_find(&files, SLICE("/none.c")).length, 0);
        assert_true(slice_is(package_files_find(&files, SLICE("one.c")), "b"));
        assert_int_equal(package_files_find(&files, slice_of(there)).length, 0);
        assert_int_equal(package_files_find(&files, SLICE("")).length, 0);
        assert_int_equal(package_files_find(&files, SLICE("/")).length, 0);
    }
    /* Two versions of one package have one name. */
    package_files_done(&files);
    packages[0].name = packages[2].name = packages[1].name;
    files = (struct package_files){.packages = packages, .package_count = 3};
    assert_true(slice_is(package_files_find(&files, SLICE("/all.c")), "b"));
    assert_int_equal(unlink(there), 0);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(unlink(arena_format(&arena, "%s/%s/all.c", root, folders[i])), 0);
        assert_int_equal(rmdir(arena_format(&arena, "%s/%s", root, folders[i])), 0);
    }
    assert_int_equal(rmdir(root), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_one_package_that_has_the_file_is_told)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "cmocka_all.h"

#include "dwarf/crate_folders.h"

enum { APP, UTIL, OUTER, TOOL };

struct fixture {
    struct crate_folders folders;
};

static int set_up(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){0};
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    crate_folders_done(&f->folders);
    return 0;
}

static void add(struct fixture *f, const char *name, const char *directory, uint32_t crate)
{
    struct unit unit = {.name = slice_of(name), .directory = slice_of(directory)};

    crate_folders_add(&f->folders, &unit, crate);
}

static uint32_t of_rust(const struct fixture *f, const char *path)
{
    return crate_folders_of_rust(&f->folders, slice_of(path));
}

static uint32_t of_foreign(const struct fixture *f, const char *path, const char *directory)
{
    return crate_folders_of_foreign(&f->folders, slice_of(path), slice_of(directory));
}

static void a_source_file_is_of_the_crate_whose_root_file_lies_beside_or_above(void **state)
{
    struct fixture *f = *state;

    add(f, "app/src/main.rs/@/app.1a2b-cgu.0", "/ws", APP);
    add(f, "util/src/lib.rs/@/util.1a2b-cgu.0", "/ws/", UTIL);
    add(f, "/outside/outer/src/lib.rs/@/outer.1a2b-cgu.0", "/outside/outer", OUTER);
    assert_int_equal(of_rust(f, "/ws/app/src/main.rs"), APP);
    assert_int_equal(of_rust(f, "/ws/util/src/lib.rs"), UTIL);
    assert_int_equal(of_rust(f, "/ws/util/src/deep/er/mod.rs"), UTIL);
    assert_int_equal(of_rust(f, "/outside/outer/src/inner.rs"), OUTER);
    assert_int_equal(of_rust(f, "/outside/outer2/src/inner.rs"), CRATE_FOLDERS_NONE);
    assert_int_equal(of_rust(f, "/ws/util/generated.rs"), CRATE_FOLDERS_NONE);
    assert_int_equal(of_rust(f, ""), CRATE_FOLDERS_NONE);
}

static void a_package_in_the_folder_of_another_has_sources_of_its_own(void **state)
{
    struct fixture *f = *state;

    add(f, "lib.rs/@/app.1a2b-cgu.0", "/ws", APP);
    add(f, "crates/util/src/lib.rs/@/util.1a2b-cgu.0", "/ws", UTIL);
    assert_int_equal(of_rust(f, "/ws/part/mod.rs"), APP);
    assert_int_equal(of_rust(f, "/ws/crates/util/src/x.rs"), UTIL);
    assert_int_equal(of_rust(f, "/ws/crates/without_units/src/lib.rs"), CRATE_FOLDERS_NONE);
}

static void of_two_root_files_in_a_folder_each_tells_its_own_crate_alone(void **state)
{
    struct fixture *f = *state;

    add(f, "src/main.rs/@/tool.1a2b-cgu.0", "/ws", TOOL);
    add(f, "src/lib.rs/@/util.1a2b-cgu.0", "/ws", UTIL);
    add(f, "src/lib.rs/@/util.1a2b-cgu.1", "/ws", UTIL);
    assert_int_equal(of_rust(f, "/ws/src/main.rs"), TOOL);
    assert_int_equal(of_rust(f, "/ws/src/lib.rs"), UTIL);
    assert_int_equal(of_rust(f, "/ws/src/shared.rs"), CRATE_FOLDERS_NONE);
}

static void a_program_beside_a_library_has_a_folder_of_its_own(void **state)
{
    struct fixture *f = *state;

    add(f, "src/bin/tool.rs/@/tool.1a2b-cgu.0", "/ws", TOOL);
    assert_int_equal(of_rust(f, "/ws/src/bin/tool.rs"), TOOL);
    assert_int_equal(of_rust(f, "/ws/src/lib.rs"), CRATE_FOLDERS_NONE);
    add(f, "src/lib.rs/@/util.1a2b-cgu.0", "/ws", UTIL);
    assert_int_equal(of_rust(f, "/ws/src/lib.rs"), UTIL);
    assert_int_equal(of_rust(f, "/ws/src/bin/tool.rs"), TOOL);
}

static void paths_that_tell_themselves_and_other_compilers_units_are_left_out(void **state)
{
    struct fixture *f = *state;

    add(f, "/c/registry/src/i/itoa-1.0.1/src/lib.rs/@/itoa.1a2b-cgu.0", "/c/registry/src/i/itoa-1.0.1", APP);
    add(f, "library/core/src/lib.rs/@/core.1a2b-cgu.0", "/rustc/1", APP);
    add(f, "src/c.c", "/ws/util", APP);
    add(f, "main.rs/@/app.1a2b-cgu.0", "", APP);
    assert_int_equal(f->folders.sources.paths.entries.count, 0);
    assert_int_equal(f->folders.libraries.paths.entries.count, 0);
    assert_int_equal(f->folders.packages.paths.entries.count, 0);
    add(f, "/c/git/checkouts/many-0123456789abcdef/abc1234/one/src/lib.rs/@/one.1a2b-cgu.0", "", OUTER);
    assert_int_equal(of_rust(f, "/c/git/checkouts/many-0123456789abcdef/abc1234/one/src/x.rs"), OUTER);
    assert_int_equal(of_rust(f, "/c/git/checkouts/many-0123456789abcdef/abc1234/two/src/x.rs"),
                     CRATE_FOLDERS_NONE);
}

static void c_is_of_the_package_whose_folder_it_was_compiled_in(void **state)
{
    struct fixture *f = *state;

    add(f, "src/main.rs/@/app.1a2b-cgu.0", "/ws", APP);
    add(f, "util/src/lib.rs/@/util.1a2b-cgu.0", "/ws", UTIL);
    assert_int_equal(of_foreign(f, "/ws/util/src/c.c", "/ws/util"), UTIL);
    assert_int_equal(of_foreign(f, "/ws/util/vendor/zlib/src/c.c", "/ws/util"), UTIL);
    assert_int_equal(of_foreign(f, "/ws/c/c.c", "/ws"), APP);
    assert_int_equal(of_foreign(f, "/ws/zlib-sys/c.c", "/ws/zlib-sys"), CRATE_FOLDERS_NONE);
    assert_int_equal(of_foreign(f, "/usr/src/zlib/c.c", "/usr/src/zlib"), CRATE_FOLDERS_NONE);
}

static void c_of_a_package_with_a_library_is_the_librarys(void **state)
{
    struct fixture *f = *state;

    add(f, "src/bin/tool.rs/@/tool.1a2b-cgu.0", "/ws", TOOL);
    assert_int_equal(of_foreign(f, "/ws/c/c.c", "/ws"), TOOL);
    add(f, "src/lib.rs/@/util.1a2b-cgu.0", "/ws", UTIL);
    add(f, "examples/show.rs/@/show.1a2b-cgu.0", "/ws", APP);
    assert_int_equal(of_foreign(f, "/ws/c/c.c", "/ws"), UTIL);
    assert_int_equal(of_foreign(f, "/ws/zlib-sys/c.c", "/ws/zlib-sys"), CRATE_FOLDERS_NONE);
}

static void a_package_with_two_crates_and_no_library_tells_neither(void **state)
{
    struct fixture *f = *state;

    add(f, "src/bin/tool.rs/@/tool.1a2b-cgu.0", "/ws", TOOL);
    add(f, "src/main.rs/@/app.1a2b-cgu.0", "/ws", APP);
    assert_int_equal(of_foreign(f, "/ws/c/c.c", "/ws"), CRATE_FOLDERS_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_source_file_is_of_the_crate_whose_root_file_lies_beside_or_above,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_package_in_the_folder_of_another_has_sources_of_its_own, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(of_two_root_files_in_a_folder_each_tells_its_own_crate_alone, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_program_beside_a_library_has_a_folder_of_its_own, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(paths_that_tell_themselves_and_other_compilers_units_are_left_out,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(c_is_of_the_package_whose_folder_it_was_compiled_in, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(c_of_a_package_with_a_library_is_the_librarys, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_package_with_two_crates_and_no_library_tells_neither, set_up,
                                        tear_down),
    };

    return cmocka_run_group_tests_name("crate folders", tests, NULL, NULL);
}

#include "cmocka_all.h"

#include <sys/stat.h>

#include "scratch_folder.h"

static void files_and_whole_folders_are_removed_and_what_links_point_to_stays(void **state)
{
    struct error err = {0};

    (void)state;
    write_file("kept", "");
    assert_int_equal(mkdir("folder", 0700), 0);
    assert_int_equal(mkdir("folder/inner", 0700), 0);
    write_file("folder/inner/file", "");
    assert_int_equal(symlink("../../kept", "folder/inner/link"), 0);
    assert_int_equal(symlink("kept", "link"), 0);
    assert_int_equal(remove_all("folder", NULL, &err), 0);
    assert_int_equal(remove_all("link", NULL, &err), 0);
    assert_int_equal(remove_all("never there", NULL, &err), 0);
    assert_true(holds_only("kept"));
    assert_int_equal(remove_all("kept", NULL, &err), 0);
}

static void the_bytes_of_files_are_added_up(void **state)
{
    struct error err = {0};
    struct stat first;
    struct stat second;
    uint64_t bytes = 42;

    (void)state;
    assert_int_equal(mkdir("folder", 0700), 0);
    write_file("folder/first", "some content");
    write_file("folder/second", "more");
    assert_int_equal(stat("folder/first", &first), 0);
    assert_int_equal(stat("folder/second", &second), 0);
    assert_int_equal(remove_all("folder", &bytes, &err), 0);
    assert_int_equal(bytes, 42 + 512 * (first.st_blocks + second.st_blocks));
}

static void what_cannot_be_removed_is_named(void **state)
{
    struct error err = {0};

    (void)state;
    assert_int_equal(remove_all("/proc/self/status", NULL, &err), -1);
    assert_int_equal(err.kind, ERROR_IO);
    assert_true(strncmp(err.message, "remove /proc/self/status: ", 26) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(files_and_whole_folders_are_removed_and_what_links_point_to_stays,
                                        enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(the_bytes_of_files_are_added_up, enter_folder, leave_folder),
        cmocka_unit_test(what_cannot_be_removed_is_named),
    };

    return cmocka_run_group_tests_name("remove", tests, NULL, NULL);
}

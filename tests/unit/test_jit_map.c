#include "cmocka_all.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "process/jit_map.h"

/* A folder of its own to be in, and another process's root folder in it: "root". */
static int enter_folder(void **state)
{
    static char folder[64];

    snprintf(folder, sizeof(folder), "/tmp/jit_map-XXXXXX");
    *state = folder;
    return mkdtemp(folder) && chdir(folder) == 0 ? mkdir("root", 0700) : -1;
}

static int leave_folder(void **state)
{
    static const char *const names[] = {"root/tmp/perf-7.map", "root/tmp", "root/perf-7.map", "root",
                                        "perf-7.map"};

    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        remove(names[i]);
    return chdir("/") < 0 || rmdir(*state) < 0 ? -1 : 0;
}

static struct jit_map map_in_root(void)
{
    return (struct jit_map){7, true, {open("root", O_PATH | O_DIRECTORY | O_CLOEXEC), -1}};
}

static void of_a_process_beside_us_it_has_its_own_number_and_our_root(void **state)
{
    struct jit_map map;

    (void)state;
    jit_map_find((uint32_t)getpid(), &map);
    assert_int_equal(map.pid, getpid());
    assert_false(map.is_elsewhere);
    jit_map_done(&map);
}

static void of_one_that_has_ended_the_number_is_that_which_is_known(void **state)
{
    struct jit_map map;

    (void)state;
    jit_map_find(UINT32_MAX, &map);
    assert_int_equal(map.pid, UINT32_MAX);
    assert_false(map.is_elsewhere);
    jit_map_done(&map);
}

static void it_is_below_the_root_of_its_process(void **state)
{
    struct error err = {0};
    struct jit_map map = map_in_root();
    int file = jit_map_open(&map);

    (void)state;
    assert_int_equal(file, -1);
    assert_int_equal(mkdir("root/tmp", 0700), 0);
    assert_int_equal(file_replace("root/tmp/perf-7.map", SLICE("1000 1 f\n"), &err), 0);
    file = jit_map_open(&map);
    assert_true(file >= 0);
    close(file);
    jit_map_done(&map);
}

static void no_link_leads_out_of_there(void **state)
{
    struct error err = {0};
    struct jit_map map = map_in_root();
    int file = -1;

    assert_int_equal(file_replace("perf-7.map", SLICE("1000 1 f\n"), &err), 0);
    assert_int_equal(symlink(*state, "root/tmp"), 0);
    assert_int_equal(jit_map_open(&map), -1);
    unlink("root/tmp");
    assert_int_equal(symlink("..", "root/tmp"), 0);
    assert_int_equal(jit_map_open(&map), -1);
    /* One that stays inside is as good as a folder. */
    assert_int_equal(file_replace("root/perf-7.map", SLICE("1000 1 f\n"), &err), 0);
    file = jit_map_open(&map);
    assert_true(file >= 0);
    close(file);
    unlink("root/perf-7.map");
    assert_int_equal(symlink("../perf-7.map", "root/perf-7.map"), 0);
    assert_int_equal(jit_map_open(&map), -1);
    jit_map_done(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_a_process_beside_us_it_has_its_own_number_and_our_root),
        cmocka_unit_test(of_one_that_has_ended_the_number_is_that_which_is_known),
        cmocka_unit_test_setup_teardown(it_is_below_the_root_of_its_process, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(no_link_leads_out_of_there, enter_folder, leave_folder),
    };

    return cmocka_run_group_tests_name("jit_map", tests, NULL, NULL);
}

/* Lines of /proc/PID/maps. */
#include "cmocka_all.h"

#include <sys/wait.h>
#include <unistd.h>

#include "process/maps.h"

static bool read_line(const char *line, struct maps_line *out)
{
    return maps_read_line(slice_of(line), out);
}

static enum maps_found find_maps(pid_t pid)
{
    SCOPED(text_done) struct text content = {0};

    return maps_read((uint32_t)pid, &content);
}

/* What somebody else finds of a process of root. */
static enum maps_found find_as_another(pid_t pid)
{
    enum { NOBODY = 65534 };
    pid_t other = fork();
    int status = 0;

    assert_true(other >= 0);
    if (other == 0)
        _exit(setuid(NOBODY) == 0 ? (int)find_maps(pid) : 99);
    assert_int_equal(waitpid(other, &status, 0), other);
    return (enum maps_found)WEXITSTATUS(status);
}

static void a_process_that_has_ended_is_told_from_one_of_another_user(void **state)
{
    pid_t ended = fork();

    (void)state;
    if (ended == 0)
        _exit(0);
    assert_true(ended > 0);
    assert_int_equal(waitpid(ended, NULL, 0), ended);
    assert_int_equal(find_maps(getpid()), MAPS_FOUND);
    assert_int_equal(find_maps(ended), MAPS_NONE);
    if (geteuid() == 0)
        assert_int_equal(find_as_another(getpid()), MAPS_DENIED);
}

static void a_line_is_range_offset_and_path(void **state)
{
    struct maps_line line;

    (void)state;
    assert_true(read_line(
        "55d0c0a00000-55d0c0a21000 r-xp 00002000 fe:00 247282                     /usr/bin/a b", &line));
    assert_int_equal(line.start_avma, 0x55d0c0a00000);
    assert_int_equal(line.end_avma, 0x55d0c0a21000);
    assert_int_equal(line.file_offset, 0x2000);
    assert_true(line.is_executable);
    assert_true(slice_is(line.path, "/usr/bin/a b"));
}

static void data_is_not_executable(void **state)
{
    struct maps_line line;

    (void)state;
    assert_true(read_line("1000-2000 rw-p 00000000 00:00 0 [heap]", &line));
    assert_false(line.is_executable);
}

static void memory_without_a_file_has_no_path(void **state)
{
    struct maps_line line;

    (void)state;
    assert_true(read_line("1000-2000 rwxp 00000000 00:00 0", &line));
    assert_int_equal(line.path.length, 0);
    assert_true(read_line("1000-2000 rwxp 00000000 00:00 0 ", &line));
    assert_int_equal(line.path.length, 0);
}

static void what_is_not_of_the_form_is_refused_and_leaves_the_result(void **state)
{
    static const char *const wrong[] = {
        "",
        "1000",
        "1000-",
        "1000-2000",
        "1000 2000 r-xp 0 fe:00 1 /a",
        "x-2000 r-xp 0 fe:00 1 /a",
        "2000-1000 r-xp 0 fe:00 1 /a",
        "1000-1000 r-xp 0 fe:00 1 /a",
        "1000-2000 r-x 0 fe:00 1 /a",
        "1000-2000 r-xpp 0 fe:00 1 /a",
        "1000-2000r-xp 0 fe:00 1 /a",
        "1000-2000 r-xp x fe:00 1 /a",
        "1000-2000 r-xp 0",
        "1000-2000 r-xp 0 fe:00",
        "1000-2000 r-xp 0 fe:00 ",
        "10000000000000000-20000000000000000 r-xp 0 fe:00 1 /a",
    };
    struct maps_line line = {.start_avma = 42};

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        if (read_line(wrong[i], &line))
            fail_msg("taken: %s", wrong[i]);
    assert_int_equal(line.start_avma, 42);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_that_has_ended_is_told_from_one_of_another_user),
        cmocka_unit_test(a_line_is_range_offset_and_path),
        cmocka_unit_test(data_is_not_executable),
        cmocka_unit_test(memory_without_a_file_has_no_path),
        cmocka_unit_test(what_is_not_of_the_form_is_refused_and_leaves_the_result),
    };

    return cmocka_run_group_tests_name("maps", tests, NULL, NULL);
}

#include "cmocka_all.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "process/thread_stat.h"
#include "scratch_folder.h"

static void a_file_is_read_whole_and_appended(void **state)
{
    (void)state;
    SCOPED(text_done) struct text content = {0};
    SCOPED(text_done) struct text large = {0};
    struct error err = {0};

    text_add_repeated(&large, 'x', 200000);
    write_file("large", text_string(&large));
    write_file("empty", "");
    text_add(&content, SLICE("before "));
    assert_int_equal(file_read("empty", 0, &content, &err), 0);
    assert_string_equal(text_string(&content), "before ");
    assert_int_equal(file_read("large", 200000, &content, &err), 0);
    assert_int_equal(content.length, 200007);
    assert_true(slice_ends_with(text_slice(&content), text_slice(&large)));
}

static void a_file_larger_than_the_limit_is_refused_and_nothing_is_appended(void **state)
{
    (void)state;
    SCOPED(text_done) struct text content = {0};
    struct error err = {0};

    write_file("four", "1234");
    text_add(&content, SLICE("before"));
    assert_int_equal(file_read("four", 3, &content, &err), -1);
    assert_int_equal(err.kind, ERROR_FORMAT);
    assert_string_equal(err.message, "four: larger than 3 bytes");
    assert_string_equal(text_string(&content), "before");
    assert_int_equal(file_read("/dev/zero", 1000000, &content, &err), -1);
    assert_int_equal(err.kind, ERROR_FORMAT);
    assert_string_equal(text_string(&content), "before");
}

static void what_cannot_be_read_is_named(void **state)
{
    (void)state;
    SCOPED(text_done) struct text content = {0};
    struct error err = {0};

    assert_int_equal(file_read("nowhere/x.json", 10, &content, &err), -1);
    assert_int_equal(err.kind, ERROR_IO);
    assert_string_equal(err.message, "open nowhere/x.json: No such file or directory");
    assert_int_equal(file_read(".", 10, &content, &err), -1);
    assert_int_equal(err.kind, ERROR_IO);
    assert_string_equal(err.message, "read .: Is a directory");
    assert_int_equal(file_read_descriptor(-1, "input", 10, &content, &err), -1);
    assert_string_equal(err.message, "read input: Bad file descriptor");
    assert_int_equal(content.length, 0);
}

static void a_pipe_is_read_until_its_end(void **state)
{
    (void)state;
    SCOPED(text_done) struct text content = {0};
    struct error err = {0};
    int ends[2];

    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "from a pipe", 11), 11);
    file_close_descriptor(&ends[1]);
    assert_int_equal(ends[1], -1);
    assert_int_equal(file_read_descriptor(ends[0], "pipe", 11, &content, &err), 0);
    assert_string_equal(text_string(&content), "from a pipe");
    file_close_descriptor(&ends[0]);
    file_close_descriptor(&ends[0]);
}

static void a_pipe_that_is_not_to_be_waited_for_is_all_the_same(void **state)
{
    SCOPED(text_done) struct text content = {0};
    struct error err = {0};
    int ends[2];
    pid_t writer = 0;

    (void)state;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
    writer = fork();
    if (writer == 0) {
        struct thread_stat reader = {.state = 'R'};
        const uint32_t pid = (uint32_t)getppid();

        while (reader.state != 'S' && thread_stat_read(pid, pid, &reader))
            ;
        _exit(write(ends[1], "late", 4) != 4);
    }
    close(ends[1]);
    assert_int_equal(file_read_descriptor(ends[0], "pipe", 100, &content, &err), 0);
    assert_true(slice_is(text_slice(&content), "late"));
    assert_int_equal(waitpid(writer, NULL, 0), writer);
    close(ends[0]);
}

static void what_is_no_regular_file_is_refused_where_one_is_expected(void **state)
{
    (void)state;
    SCOPED(text_done) struct text content = {0};
    struct error err = {0};

    write_file("regular", "1234");
    assert_int_equal(file_read_regular("regular", 4, &content, &err), 0);
    assert_string_equal(text_string(&content), "1234");
    assert_int_equal(file_read_regular("regular", 3, &content, &err), -1);
    assert_string_equal(err.message, "regular: larger than 3 bytes");
    assert_int_equal(file_read_regular("nowhere", 4, &content, &err), -1);
    assert_int_equal(err.kind, ERROR_IO);
    assert_string_equal(err.message, "open nowhere: No such file or directory");
    assert_int_equal(mkfifo("nobodys", 0600), 0);
    assert_int_equal(file_read_regular("nobodys", 4, &content, &err), -1);
    assert_int_equal(err.kind, ERROR_IO);
    assert_string_equal(err.message, "nobodys: not a regular file");
    assert_int_equal(content.length, 4);
}

static void closing_marks_closed_and_takes_what_is_closed(void **state)
{
    (void)state;
    FILE *file = fopen("/dev/null", "re");

    file_close(&file);
    assert_null(file);
    file_close(&file);
}

static void what_cannot_be_written_is_known_before(void **state)
{
    (void)state;
    struct error err = {0};

    assert_int_equal(mkdir("folder", 0755), 0);
    assert_int_equal(symlink("folder/target", "link"), 0);
    assert_int_equal(symlink("nowhere/target", "broken"), 0);
    write_file("file", "old");
    assert_int_equal(file_check_replaceable("new", &err), 0);
    assert_int_equal(file_check_replaceable("./new", &err), 0);
    assert_int_equal(file_check_replaceable("/new", &err), geteuid() == 0 ? 0 : -1);
    assert_int_equal(file_check_replaceable("file", &err), 0);
    assert_int_equal(file_check_replaceable("link", &err), 0);
    assert_content("file", "old");
    assert_int_equal(file_check_replaceable("nowhere/out", &err), -1);
    assert_int_equal(err.kind, ERROR_IO);
    assert_string_equal(err.message, "write nowhere/out: No such file or directory");
    assert_string_equal(err.hint, "there is no folder nowhere");
    err = (struct error){0};
    assert_int_equal(file_check_replaceable("broken", &err), -1);
    assert_string_equal(err.hint, "there is no folder nowhere");
    err = (struct error){0};
    assert_int_equal(file_check_replaceable("folder", &err), -1);
    assert_string_equal(err.message, "write folder: Is a directory");
    assert_string_equal(err.hint, "");
    assert_int_equal(file_check_replaceable("folder/", &err), -1);
    assert_int_equal(file_check_replaceable("file/out", &err), -1);
    assert_string_equal(err.message, "write file/out: Not a directory");
    assert_int_equal(file_check_replaceable("", &err), -1);
}

/* Root may write anywhere, so the question is put as nobody. */
static void a_folder_without_the_right_to_write_is_refused_before(void **state)
{
    (void)state;
    struct error err = {0};
    bool is_root = geteuid() == 0;

    assert_int_equal(mkdir("closed", 0555), 0);
    if (is_root)
        assert_int_equal(seteuid(65534), 0);
    assert_int_equal(file_check_replaceable("closed/out", &err), -1);
    if (is_root)
        assert_int_equal(seteuid(0), 0);
    assert_string_equal(err.message, "write closed/out: Permission denied");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_file_is_read_whole_and_appended, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(a_file_larger_than_the_limit_is_refused_and_nothing_is_appended,
                                        enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(what_cannot_be_read_is_named, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(a_pipe_is_read_until_its_end, enter_folder, leave_folder),
        cmocka_unit_test(a_pipe_that_is_not_to_be_waited_for_is_all_the_same),
        cmocka_unit_test_setup_teardown(what_is_no_regular_file_is_refused_where_one_is_expected,
                                        enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(closing_marks_closed_and_takes_what_is_closed, enter_folder,
                                        leave_folder),
        cmocka_unit_test_setup_teardown(what_cannot_be_written_is_known_before, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(a_folder_without_the_right_to_write_is_refused_before, enter_folder,
                                        leave_folder),
    };

    return cmocka_run_group_tests_name("file", tests, NULL, NULL);
}

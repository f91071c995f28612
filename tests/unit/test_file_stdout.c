#include "cmocka_all.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"

/* The result of file_write_stdout while standard output is `descriptor`, which is closed then. */
static int write_stdout_to(int descriptor, struct slice content, struct error *err)
{
    int before = 0;
    int result = 0;

    fflush(stdout);
    before = dup(STDOUT_FILENO);
    assert_true(before >= 0 && dup2(descriptor, STDOUT_FILENO) >= 0);
    close(descriptor);
    result = file_write_stdout(content, err);
    assert_true(dup2(before, STDOUT_FILENO) >= 0);
    close(before);
    return result;
}

static void standard_output_gets_all_of_it(void **state)
{
    (void)state;
    SCOPED(text_done) struct text content = {0};
    SCOPED(text_done) struct text read_back = {0};
    FILE *out = tmpfile();
    struct error err = {0};

    text_add_repeated(&content, 'x', 300000);
    assert_non_null(out);
    assert_int_equal(write_stdout_to(dup(fileno(out)), text_slice(&content), &err), 0);
    assert_int_equal(lseek(fileno(out), 0, SEEK_SET), 0);
    assert_int_equal(file_read_descriptor(fileno(out), "out", 300000, &read_back, &err), 0);
    assert_int_equal(fclose(out), 0);
    assert_true(slice_equal(text_slice(&read_back), text_slice(&content)));
}

/* Reads all of a pipe, beginning a little after it is full. 0 when it was so many bytes. */
static int read_late(int descriptor, size_t bytes)
{
    enum { PIPE_BYTES = 65536 };
    SCOPED(text_done) struct text content = {0};
    struct error err = {0};
    int ready = 0;

    while (ready < PIPE_BYTES)
        if (ioctl(descriptor, FIONREAD, &ready) < 0 || usleep(1000) < 0)
            return 1;
    return file_read_descriptor(descriptor, "pipe", bytes, &content, &err) < 0 || content.length != bytes;
}

static void a_pipe_that_is_not_to_be_waited_for_is_all_the_same(void **state)
{
    enum { BYTES = 300000 };
    SCOPED(text_done) struct text content = {0};
    struct error err = {0};
    int ends[2];
    int ended = -1;
    pid_t reader = 0;

    (void)state;
    text_add_repeated(&content, 'x', BYTES);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
    reader = fork();
    if (reader == 0) {
        close(ends[1]);
        _exit(read_late(ends[0], BYTES));
    }
    close(ends[0]);
    assert_int_equal(write_stdout_to(ends[1], text_slice(&content), &err), 0);
    assert_int_equal(waitpid(reader, &ended, 0), reader);
    assert_int_equal(ended, 0);
}

static void a_reader_that_went_away_is_no_failure(void **state)
{
    (void)state;
    struct error err = {0};
    int ends[2];

    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    assert_int_equal(write_stdout_to(ends[1], SLICE("content"), &err), 0);
    assert_int_equal(err.kind, ERROR_NONE);
}

static void a_full_disk_behind_standard_output_is_an_error(void **state)
{
    (void)state;
    struct error err = {0};

    assert_int_equal(write_stdout_to(open("/dev/full", O_WRONLY | O_CLOEXEC), SLICE("content"), &err), -1);
    assert_int_equal(err.kind, ERROR_IO);
    assert_string_equal(err.message, "write standard output: No space left on device");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(standard_output_gets_all_of_it),
        cmocka_unit_test(a_pipe_that_is_not_to_be_waited_for_is_all_the_same),
        cmocka_unit_test(a_reader_that_went_away_is_no_failure),
        cmocka_unit_test(a_full_disk_behind_standard_output_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

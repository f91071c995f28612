#include "cmocka_all.h"

#include <fcntl.h>
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
        cmocka_unit_test(a_reader_that_went_away_is_no_failure),
        cmocka_unit_test(a_full_disk_behind_standard_output_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

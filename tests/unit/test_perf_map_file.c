#include "cmocka_all.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "symbolize/jit/perf_map_file.h"

/* Names for 0x1000 and 0x2000. */
struct fixture {
    char folder[32];
    struct arena arena;
    struct slice names[2];
    struct error err;
};

static int enter_folder(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));

    strcpy(f->folder, "/tmp/perf_map_XXXXXX");
    *state = f;
    return mkdtemp(f->folder) && chdir(f->folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
    static const char *const names[] = {"map", "link", "pipe"};
    struct fixture *f = *state;
    int result = 0;

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        unlink(names[i]);
    result = chdir("/") < 0 || rmdir(f->folder) < 0 ? -1 : 0;
    arena_done(&f->arena);
    free(f);
    return result;
}

static int read_names(struct fixture *f, const char *path)
{
    static const uint64_t avmas[] = {0x1000, 0x2000};
    SCOPED(perf_map_done) struct perf_map map = {0};

    f->err = (struct error){0};
    perf_map_init(&map, avmas, 2, f->names, &f->arena);
    return perf_map_read(&(struct told_file){.path = path}, &map, &f->err);
}

static void write_map(struct slice content)
{
    struct error err = {0};

    assert_int_equal(file_replace("map", content, &err), 0);
}

static void refuses(struct fixture *f, const char *path, const char *message)
{
    assert_int_equal(read_names(f, path), -1);
    assert_int_equal(f->err.kind, ERROR_DENIED);
    assert_string_equal(f->err.message, message);
}

static void a_file_of_ours_is_read(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(read_names(f, "map"), -1);
    assert_int_equal(f->err.kind, ERROR_MISSING);
    write_map(SLICE("1000 1 f\n"));
    assert_int_equal(read_names(f, "map"), 0);
    assert_true(slice_is(f->names[0], "f"));
    assert_int_equal(f->names[1].length, 0);
    write_map(SLICE(""));
    assert_int_equal(read_names(f, "map"), 0);
    assert_int_equal(f->names[0].length, 0);
}

/* Steps begin in the middle of lines: none is lost there, and no part of one is taken for a line. */
static void of_a_file_of_many_steps_each_line_is_taken_once(void **state)
{
    enum { LINES = 3 * PERF_MAP_STEP_BYTES };
    struct fixture *f = *state;

    for (unsigned shift = 0; shift < 16; shift++) {
        SCOPED(text_done) struct text lines = {0};

        text_add_string(&lines, "1000 1 first\n2000 1 ");
        text_add_repeated(&lines, 's', shift + 1);
        text_add_string(&lines, "\n");
        while (lines.length < LINES)
            text_add_string(&lines, "9992000 1 other\n");
        write_map(text_slice(&lines));
        assert_int_equal(read_names(f, "map"), 0);
        assert_true(slice_is(f->names[0], "first"));
        assert_int_equal(f->names[1].length, shift + 1);
    }
}

static void a_line_of_more_than_a_step_is_cut(void **state)
{
    struct fixture *f = *state;
    SCOPED(text_done) struct text lines = {0};

    text_add_string(&lines, "1000 1 before\n2000 1 ");
    while (lines.length < 3 * PERF_MAP_STEP_BYTES)
        text_add_string(&lines, " 1000 1 inside");
    text_add_string(&lines, "\n3000 1 behind\n");
    write_map(text_slice(&lines));
    assert_int_equal(read_names(f, "map"), 0);
    assert_true(slice_is(f->names[0], "before"));
    assert_true(slice_starts_with(f->names[1], SLICE("1000 1 inside 1000")));
    assert_true(f->names[1].length < PERF_MAP_STEP_BYTES);
}

/* A file of any length, in which nothing is. */
static void of_an_endless_file_the_end_is_read(void **state)
{
    struct fixture *f = *state;
    int file = open("map", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

    assert_true(file >= 0);
    assert_int_equal(pwrite(file, "1000 1 f\n", 9, 0), 9);
    assert_int_equal(pwrite(file, "\n2000 1 g\n", 10, UINT32_MAX), 10);
    close(file);
    assert_int_equal(read_names(f, "map"), -1);
    assert_int_equal(f->err.kind, ERROR_FORMAT);
    assert_string_equal(f->err.message, "the last 512 MiB of map do not tell of it");
    assert_int_equal(f->names[0].length, 0);
    assert_true(slice_is(f->names[1], "g"));
}

static void what_someone_else_may_have_put_there_is_refused(void **state)
{
    struct fixture *f = *state;

    write_map(SLICE("1000 1 f\n"));
    assert_int_equal(symlink("map", "link"), 0);
    assert_int_equal(mkfifo("pipe", 0600), 0);
    refuses(f, "link", "link is a symbolic link");
    refuses(f, "pipe", "pipe is not a regular file");
    refuses(f, ".", ". is not a regular file");
    if (geteuid() == 0) {
        assert_int_equal(chown("map", 1234, 1234), 0);
        assert_int_equal(chmod("map", 0644), 0);
        assert_int_equal(chmod(".", 0755), 0);
        assert_int_equal(read_names(f, "map"), 0);
        assert_int_equal(seteuid(65534), 0);
        assert_int_equal(read_names(f, "map"), -1);
        assert_int_equal(seteuid(0), 0);
        assert_string_equal(f->err.message, "map belongs to another user");
    }
}

/* Where a number is used again, its file may still be there. */
static void what_is_older_than_the_process_is_of_another_one(void **state)
{
    static const struct timespec times[] = {{0, 0}, {1000, 500000000}};
    static const uint64_t written_ns = 1000500000000;
    static const uint64_t avma = 0x1000;
    struct fixture *f = *state;
    struct told_file file = {.path = "map"};
    SCOPED(perf_map_done) struct perf_map map = {0};

    write_map(SLICE("1000 1 f\n"));
    assert_int_equal(utimensat(AT_FDCWD, "map", times, 0), 0);
    perf_map_init(&map, &avma, 1, f->names, &f->arena);
    file.begun_unix_ns = written_ns + 30000000;
    assert_int_equal(perf_map_read(&file, &map, &f->err), -1);
    assert_int_equal(f->err.kind, ERROR_DENIED);
    assert_string_equal(f->err.message, "map is older than its process");
    assert_int_equal(f->names[0].length, 0);
    /* As exactly as files tell when they were written. */
    file.begun_unix_ns = written_ns + 10000000;
    assert_int_equal(perf_map_read(&file, &map, &f->err), 0);
    assert_true(slice_is(f->names[0], "f"));
}

static void what_was_written_since_another_has_the_number_is_of_that(void **state)
{
    static const struct timespec times[] = {{0, 0}, {1000, 500000000}};
    static const uint64_t written_ns = 1000500000000;
    static const uint64_t avma = 0x1000;
    struct fixture *f = *state;
    struct told_file file = {.path = "map", .reused_unix_ns = written_ns};
    SCOPED(perf_map_done) struct perf_map map = {0};

    write_map(SLICE("1000 1 f\n"));
    assert_int_equal(utimensat(AT_FDCWD, "map", times, 0), 0);
    perf_map_init(&map, &avma, 1, f->names, &f->arena);
    assert_int_equal(perf_map_read(&file, &map, &f->err), -1);
    assert_int_equal(f->err.kind, ERROR_DENIED);
    assert_string_equal(f->err.message, "map is of another process, which has that number now");
    file.reused_unix_ns++;
    assert_int_equal(perf_map_read(&file, &map, &f->err), 0);
    assert_true(slice_is(f->names[0], "f"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_file_of_ours_is_read, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(of_a_file_of_many_steps_each_line_is_taken_once, enter_folder,
                                        leave_folder),
        cmocka_unit_test_setup_teardown(a_line_of_more_than_a_step_is_cut, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(of_an_endless_file_the_end_is_read, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(what_is_older_than_the_process_is_of_another_one, enter_folder,
                                        leave_folder),
        cmocka_unit_test_setup_teardown(what_was_written_since_another_has_the_number_is_of_that,
                                        enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(what_someone_else_may_have_put_there_is_refused, enter_folder,
                                        leave_folder),
    };

    return cmocka_run_group_tests_name("perf_map_file", tests, NULL, NULL);
}

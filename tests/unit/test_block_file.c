#include "cmocka_all.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/block_file.h"

struct fixture {
    char folder[32];
    struct block_file *file;
};

static int set_up(void **state)
{
    static struct fixture fixture;
    struct error err = {0};

    fixture = (struct fixture){.folder = "/tmp/test_block.XXXXXX"};
    *state = &fixture;
    return !mkdtemp(fixture.folder) ||
           block_file_open((const char *const[]){fixture.folder, NULL}, &fixture.file, &err) < 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    block_file_close(f->file);
    return rmdir(f->folder);
}

static void its_file_has_no_name(void **state)
{
    struct fixture *f = *state;
    uint64_t offset = 0;

    assert_true(block_file_add(f->file, SLICE("content"), &offset));
    /* Which a folder that holds anything does not let happen. */
    assert_int_equal(rmdir(f->folder), 0);
    assert_int_equal(mkdir(f->folder, 0700), 0);
}

static void what_was_added_is_read_from_where_it_was_said_to_be(void **state)
{
    struct fixture *f = *state;
    SCOPED(text_done) struct text out = {0};
    uint64_t first = 0;
    uint64_t second = 0;

    assert_true(block_file_add(f->file, SLICE("first"), &first));
    assert_true(block_file_add(f->file, SLICE("second"), &second));
    assert_true(block_file_read(f->file, second, 6, &out));
    assert_true(block_file_read(f->file, first, 5, &out));
    assert_true(slice_is(text_slice(&out), "secondfirst"));
    assert_null(block_file_failure(f->file));
}

static void what_is_not_there_is_not_read(void **state)
{
    struct fixture *f = *state;
    SCOPED(text_done) struct text out = {0};
    uint64_t offset = 0;

    text_add_string(&out, "before");
    assert_true(block_file_add(f->file, SLICE("content"), &offset));
    assert_false(block_file_read(f->file, offset + 1, 7, &out));
    assert_false(block_file_read(f->file, 1 << 20, 1, &out));
    assert_true(slice_is(text_slice(&out), "before"));
}

/* A limit on the size of files stops a write half-way, as a full disk does. */
static void a_full_disk_ends_the_writing_and_keeps_what_was_written(void **state)
{
    struct fixture *f = *state;
    SCOPED(text_done) struct text out = {0};
    struct rlimit before;
    uint64_t offset = 0;
    bool is_added[3];

    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){8, before.rlim_max}), 0);
    is_added[0] = block_file_add(f->file, SLICE("123456"), &offset);
    is_added[1] = block_file_add(f->file, SLICE("789"), &(uint64_t){0});
    is_added[2] = block_file_add(f->file, SLICE("7"), &(uint64_t){0});
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_true(is_added[0]);
    assert_false(is_added[1]);
    /* There would be room, but whoever reads the failure is to know from when on it holds. */
    assert_false(is_added[2]);
    assert_string_equal(block_file_failure(f->file), "File too large");
    assert_true(block_file_read(f->file, offset, 6, &out));
    assert_true(slice_is(text_slice(&out), "123456"));
}

static void the_first_folder_that_takes_it_is_taken(void **state)
{
    struct fixture *f = *state;
    struct block_file *file = NULL;
    struct error err = {0};

    assert_int_equal(block_file_open((const char *const[]){"/nowhere", f->folder, NULL}, &file, &err), 0);
    block_file_close(file);
    file = NULL;
    assert_int_equal(block_file_open((const char *const[]){"/nowhere", "/neither", NULL}, &file, &err), -1);
    assert_null(file);
    assert_int_equal(err.kind, ERROR_IO);
    assert_string_equal(err.message, "make a file in /neither: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(its_file_has_no_name, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_was_added_is_read_from_where_it_was_said_to_be, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_is_not_there_is_not_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_full_disk_ends_the_writing_and_keeps_what_was_written, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_first_folder_that_takes_it_is_taken, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

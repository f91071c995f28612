#include "cmocka_all.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/packing.h"
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

static size_t add(struct fixture *f, const char *content)
{
    struct text text = {0};
    size_t number = 0;

    text_add_string(&text, content);
    number = block_file_add(f->file, &text);
    assert_null(text.data);
    return number;
}

static bool is_kept(struct fixture *f, size_t number, const char *expected)
{
    SCOPED(text_done) struct text scratch = {0};
    struct slice stored = {0};

    return block_file_read(f->file, number, &scratch, &stored) && slice_is(stored, expected);
}

static void its_file_has_no_name(void **state)
{
    struct fixture *f = *state;

    add(f, "content");
    assert_null(block_file_failure(f->file));
    /* Which a folder that holds anything does not let happen. */
    assert_int_equal(rmdir(f->folder), 0);
    assert_int_equal(mkdir(f->folder, 0700), 0);
}

static void blocks_are_read_by_their_numbers(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(add(f, "first"), 0);
    assert_int_equal(add(f, "second"), 1);
    assert_true(is_kept(f, 1, "second"));
    assert_true(is_kept(f, 0, "first"));
    assert_int_equal(add(f, "third"), 2);
    assert_true(is_kept(f, 2, "third"));
    assert_null(block_file_failure(f->file));
}

static void what_can_be_packed_is(void **state)
{
    enum { LENGTH = 30000 };
    struct fixture *f = *state;
    SCOPED(text_done) struct text scratch = {0};
    struct text content = {0};
    struct slice stored = {0};
    static char unpacked[LENGTH];

    for (int i = 0; i < LENGTH; i++)
        text_add_byte(&content, (char)(i % 7 * i % 31));
    assert_true(block_file_read(f->file, block_file_add(f->file, &content), &scratch, &stored));
    assert_true(stored.length < LENGTH / 2);
    assert_true(packing_unpack_zstd(stored, unpacked, LENGTH));
    for (int i = 0; i < LENGTH; i++)
        assert_int_equal(unpacked[i], (char)(i % 7 * i % 31));
}

/* A limit on the size of files stops a write half-way, as a full disk does. */
static void a_full_disk_ends_the_writing_and_loses_nothing(void **state)
{
    struct fixture *f = *state;
    struct rlimit before;
    SCOPED(text_done) struct text said = {0};

    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){8, before.rlim_max}), 0);
    add(f, "123456");
    add(f, "789");
    /* There would be room, but a disk that was full once is left alone. */
    add(f, "7");
    text_add_string(&said, block_file_failure(f->file));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_string_equal(text_string(&said), "File too large");
    assert_true(is_kept(f, 0, "123456"));
    assert_true(is_kept(f, 1, "789"));
    assert_true(is_kept(f, 2, "7"));
}

/* Whether or not the thread has come to it. */
static void what_is_not_written_yet_is_let_go_at_the_end(void **state)
{
    enum { LENGTH = 1 << 20 };
    struct fixture *f = *state;

    for (int i = 0; i < 8; i++) {
        struct text content = {0};

        text_add_repeated(&content, (char)i, LENGTH);
        assert_int_equal(block_file_add(f->file, &content), i);
    }
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
        cmocka_unit_test_setup_teardown(blocks_are_read_by_their_numbers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_can_be_packed_is, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_full_disk_ends_the_writing_and_loses_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_not_written_yet_is_let_go_at_the_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_first_folder_that_takes_it_is_taken, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

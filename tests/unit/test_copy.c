#include "cmocka_all.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/copy.h"
#include "base/file.h"
#include "base/folder.h"

/* The errno of copy_file_range; 0: it is the C library's. */
static int refusal;

ssize_t copy_file_range(int from, off64_t *from_offset, int to, off64_t *to_offset, size_t length,
                        unsigned flags)
{
    typedef ssize_t copy_fn(int, off64_t *, int, off64_t *, size_t, unsigned);
    copy_fn *real = (copy_fn *)dlsym(RTLD_NEXT, "copy_file_range");

    errno = refusal;
    return refusal ? -1 : real(from, from_offset, to, to_offset, length, flags);
}

struct fixture {
    struct arena arena;
    char folder[64];
    struct error err;
};

static const char *at(struct fixture *f, const char *name)
{
    return arena_format(&f->arena, "%s/%s", f->folder, name);
}

static void write_file(struct fixture *f, const char *name, const char *content)
{
    assert_int_equal(file_replace(at(f, name), slice_of(content), &f->err), 0);
}

static void assert_content(struct fixture *f, const char *name, const char *expected)
{
    SCOPED(text_done) struct text content = {0};

    assert_int_equal(file_read(at(f, name), 1000, &content, &f->err), 0);
    assert_string_equal(text_string(&content), expected);
}

static int set_up(void **state)
{
    static struct fixture fixture;

    refusal = 0;
    fixture = (struct fixture){.folder = "/tmp/test_copy.XXXXXX"};
    if (!mkdtemp(fixture.folder))
        return -1;
    assert_int_equal(folder_make(at(&fixture, "from/deeper"), &fixture.err), 0);
    write_file(&fixture, "from/a", "one");
    write_file(&fixture, "from/b", "two");
    write_file(&fixture, "from/deeper/c", "three");
    assert_int_equal(symlink("a", at(&fixture, "from/link")), 0);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    static const char *const files[] = {"from/a", "from/b", "from/deeper/c", "from/link",
                                        "to/a",   "to/b",   "to/deeper/c",   "to/old"};
    static const char *const folders[] = {"from/deeper", "from", "to/deeper", "to", ""};

    for (size_t i = 0; i < ARRAY_COUNT(files); i++)
        unlink(at(f, files[i]));
    for (size_t i = 0; i < ARRAY_COUNT(folders); i++)
        rmdir(at(f, folders[i]));
    arena_done(&f->arena);
    return 0;
}

static struct stat status_of(struct fixture *f, const char *name)
{
    struct stat status;

    assert_int_equal(lstat(at(f, name), &status), 0);
    return status;
}

static void a_folder_is_copied_with_all_in_it_and_its_times(void **state)
{
    struct fixture *f = *state;
    const struct timespec times[] = {{1000, 0}, {2000, 5}};

    assert_int_equal(utimensat(AT_FDCWD, at(f, "from/a"), times, 0), 0);
    assert_int_equal(copy_folder(at(f, "from"), at(f, "to"), NULL, NULL, &f->err), 0);
    assert_content(f, "to/a", "one");
    assert_content(f, "to/b", "two");
    assert_content(f, "to/deeper/c", "three");
    assert_int_equal(status_of(f, "to/a").st_mtim.tv_sec, 2000);
    assert_int_equal(status_of(f, "to/a").st_mtim.tv_nsec, 5);
    assert_int_not_equal(access(at(f, "to/link"), F_OK), 0);
}

static void what_is_there_is_replaced_and_other_files_stay(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(folder_make(at(f, "to"), &f->err), 0);
    write_file(f, "to/old", "stays");
    /* A second name of another file: that one must not change. */
    assert_int_equal(link(at(f, "to/old"), at(f, "to/a")), 0);
    assert_int_equal(copy_folder(at(f, "from"), at(f, "to"), NULL, NULL, &f->err), 0);
    assert_content(f, "to/a", "one");
    assert_content(f, "to/old", "stays");
}

static enum copy_form choose(const void *context, const char *path, bool is_folder)
{
    assert_string_equal(context, "context");
    if (is_folder)
        return COPY_SKIP;
    return path[strlen(path) - 1] == 'a' ? COPY_LINK : COPY_SKIP;
}

static void the_caller_chooses_what_is_linked_and_what_is_left_out(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(copy_folder(at(f, "from"), at(f, "to"), choose, "context", &f->err), 0);
    assert_int_equal(status_of(f, "to/a").st_ino, status_of(f, "from/a").st_ino);
    assert_int_not_equal(access(at(f, "to/b"), F_OK), 0);
    assert_int_not_equal(access(at(f, "to/deeper"), F_OK), 0);
    /* Once more: the second name is made anew. */
    assert_int_equal(copy_folder(at(f, "from"), at(f, "to"), choose, "context", &f->err), 0);
}

static void what_cannot_be_read_or_written_is_said(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(copy_folder("/nowhere/at/all", at(f, "to"), NULL, NULL, &f->err), -1);
    assert_int_equal(f->err.kind, ERROR_IO);
    assert_string_equal(f->err.message, "open /nowhere/at/all: No such file or directory");
    assert_int_equal(copy_file(at(f, "from/nothing"), at(f, "to"), &f->err), -1);
    assert_int_equal(folder_make(at(f, "from/a/below"), &f->err), -1);
    assert_int_equal(f->err.kind, ERROR_IO);
}

static void what_the_kernel_does_not_copy_is_read_and_written(void **state)
{
    static const int refusals[] = {EXDEV, EINVAL, EOPNOTSUPP, ENOSYS};
    struct fixture *f = *state;

    for (size_t i = 0; i < ARRAY_COUNT(refusals); i++) {
        refusal = refusals[i];
        assert_int_equal(copy_folder(at(f, "from"), at(f, "to"), NULL, NULL, &f->err), 0);
        assert_content(f, "to/deeper/c", "three");
        assert_int_equal(unlink(at(f, "to/deeper/c")), 0);
    }
}

static void nothing_is_left_of_a_copy_that_fails(void **state)
{
    struct fixture *f = *state;

    refusal = ENOSPC;
    assert_int_equal(copy_file(at(f, "from/a"), at(f, "a"), &f->err), -1);
    assert_string_equal(f->err.message,
                        arena_format(&f->arena, "write %s: No space left on device", at(f, "a")));
    assert_int_not_equal(access(at(f, "a"), F_OK), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_folder_is_copied_with_all_in_it_and_its_times),
        TEST(what_is_there_is_replaced_and_other_files_stay),
        TEST(the_caller_chooses_what_is_linked_and_what_is_left_out),
        TEST(what_cannot_be_read_or_written_is_said),
        TEST(what_the_kernel_does_not_copy_is_read_and_written),
        TEST(nothing_is_left_of_a_copy_that_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

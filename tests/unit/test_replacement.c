#include "cmocka_all.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/replacement.h"

/* A folder of its own for each test. */
struct fixture {
    char folder[32];
    struct arena arena;
    const char *path;
    struct error err;
};

static int set_up(void **state)
{
    static struct fixture fixture;
    struct fixture *f = &fixture;

    *f = (struct fixture){.folder = "/tmp/test_replace.XXXXXX"};
    *state = f;
    if (!mkdtemp(f->folder))
        return -1;
    f->path = arena_format(&f->arena, "%s/out", f->folder);
    return file_replace(f->path, SLICE("old"), &f->err);
}

/* Nothing but the file may be there. */
static int tear_down(void **state)
{
    struct fixture *f = *state;
    bool has_failed = unlink(f->path) < 0 || rmdir(f->folder) < 0;

    arena_done(&f->arena);
    return has_failed;
}

static void assert_content(struct fixture *f, const char *expected)
{
    SCOPED(text_done) struct text content = {0};

    assert_int_equal(file_read(f->path, 1000, &content, &f->err), 0);
    assert_string_equal(text_string(&content), expected);
}

static void what_was_added_is_there_all_at_once(void **state)
{
    struct fixture *f = *state;
    SCOPED(replacement_discard) struct replacement *file = NULL;
    struct sink sink;

    assert_int_equal(replacement_open(f->path, &file, &f->err), 0);
    sink = sink_of_replacement(file);
    assert_int_equal(replacement_add(file, SLICE("new "), &f->err), 0);
    assert_int_equal(sink.write(sink.context, SLICE("content"), &f->err), 0);
    assert_content(f, "old");
    assert_int_equal(replacement_commit(file, REPLACEABLE, &f->err), 0);
    assert_content(f, "new content");
    replacement_discard(&file);
    assert_null(file);
    assert_content(f, "new content");
}

static void what_is_discarded_leaves_the_old_content_and_nothing_beside_it(void **state)
{
    struct fixture *f = *state;
    struct replacement *file = NULL;

    replacement_discard(&file);
    assert_int_equal(replacement_open(f->path, &file, &f->err), 0);
    assert_int_equal(replacement_add(file, SLICE("new"), &f->err), 0);
    replacement_discard(&file);
    assert_null(file);
    assert_content(f, "old");
}

static void signals_that_end_programs_wait_until_it_is_done(void **state)
{
    struct fixture *f = *state;
    struct replacement *file = NULL;
    sigset_t blocked;

    assert_int_equal(replacement_open(f->path, &file, &f->err), 0);
    assert_int_equal(pthread_sigmask(SIG_SETMASK, NULL, &blocked), 0);
    assert_true(sigismember(&blocked, SIGINT) && sigismember(&blocked, SIGTERM));
    replacement_discard(&file);
    assert_int_equal(pthread_sigmask(SIG_SETMASK, NULL, &blocked), 0);
    assert_false(sigismember(&blocked, SIGINT) || sigismember(&blocked, SIGTERM));
    /* Nor when it did not come to that. */
    assert_int_equal(replacement_open("/nowhere/out", &file, &f->err), -1);
    assert_null(file);
    assert_string_equal(f->err.message, "write /nowhere/out: No such file or directory");
    assert_int_equal(pthread_sigmask(SIG_SETMASK, NULL, &blocked), 0);
    assert_false(sigismember(&blocked, SIGINT));
}

/* Whose a file that was not there is, once it is written; it is removed again. */
static uid_t owner_of_new(struct fixture *f)
{
    struct stat about = {0};

    assert_int_equal(unlink(f->path), 0);
    assert_int_equal(file_replace(f->path, SLICE("new"), &f->err), 0);
    assert_int_equal(stat(f->path, &about), 0);
    return about.st_uid;
}

static void under_sudo_a_new_file_is_the_callers_where_that_one_may_make_files(void **state)
{
    enum { SOMEBODY = 12345, OTHER = 23456 };
    struct fixture *f = *state;
    struct stat about = {0};

    if (geteuid() != 0)
        skip();
    setenv("SUDO_UID", "12345", 1);
    setenv("SUDO_GID", "12345", 1);
    assert_int_equal(owner_of_new(f), 0); /* root's folder */
    assert_int_equal(chown(f->folder, SOMEBODY, SOMEBODY), 0);
    assert_int_equal(owner_of_new(f), SOMEBODY);
    assert_int_equal(chown(f->path, OTHER, OTHER), 0);
    assert_int_equal(file_replace(f->path, SLICE("newer"), &f->err), 0);
    assert_int_equal(stat(f->path, &about), 0);
    assert_int_equal(about.st_uid, OTHER); /* whose it was */
    assert_int_equal(chown(f->folder, OTHER, OTHER), 0);
    assert_int_equal(owner_of_new(f), 0);
    assert_int_equal(chmod(f->folder, 01777), 0);
    assert_int_equal(owner_of_new(f), SOMEBODY);
    setenv("SUDO_UID", "4294967295", 1);
    assert_int_equal(owner_of_new(f), 0);
    unsetenv("SUDO_UID");
    assert_int_equal(owner_of_new(f), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_was_added_is_there_all_at_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_discarded_leaves_the_old_content_and_nothing_beside_it,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(signals_that_end_programs_wait_until_it_is_done, set_up, tear_down),
        cmocka_unit_test_setup_teardown(under_sudo_a_new_file_is_the_callers_where_that_one_may_make_files,
                                        set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

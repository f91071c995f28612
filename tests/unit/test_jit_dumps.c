/* Which processes have told of their code, and until when. */
#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "process/jit_dumps.h"

struct fixture {
    char folder[32];
    struct text path;
    struct jit_dumps dumps;
};

static int enter_folder(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));
    struct error err = {0};

    strcpy(f->folder, "/tmp/jit_dumps_XXXXXX");
    *state = f;
    if (!mkdtemp(f->folder))
        return -1;
    text_format(&f->path, "%s/jit-7.dump", f->folder);
    return file_replace(text_string(&f->path), SLICE("content"), &err);
}

static int leave_folder(void **state)
{
    struct fixture *f = *state;
    int result = 0;

    jit_dumps_done(&f->dumps);
    unlink(text_string(&f->path));
    result = rmdir(f->folder);
    text_done(&f->path);
    free(f);
    return result;
}

/* The number that the process has here is of no meaning: it is us, so paths lead where they do for us. */
static void map(struct fixture *f, uint32_t pid, uint64_t inode, struct jit_dumps_place place)
{
    struct sample_mapping mapping = {.path = text_slice(&f->path), .inode = inode};

    jit_dumps_map(&f->dumps, pid, &mapping, place);
}

static uint64_t inode_of(struct fixture *f)
{
    struct stat about;

    assert_int_equal(stat(text_string(&f->path), &about), 0);
    return about.st_ino;
}

static const struct jit_dump_use *use_of(const struct fixture *f, uint32_t pid)
{
    uint32_t use = jit_dumps_of(&f->dumps, pid);

    return use == JIT_DUMPS_NONE ? NULL : &f->dumps.uses.items[use];
}

static void files_are_told_by_their_names(void **state)
{
    static const char *const others[] = {"jit-1.dump",
                                         "/tmp/jit-.dump",
                                         "/tmp/jit-1.dump.so",
                                         "/tmp/jit-1.dumps",
                                         "/tmp/xjit-1.dump",
                                         "/jit-1.dump/lib.so",
                                         ""};

    (void)state;
    assert_true(jit_dumps_is(SLICE("/tmp/jit-1.dump")));
    assert_true(jit_dumps_is(SLICE("/jit-4294967295.dump")));
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (jit_dumps_is(slice_of(others[i])))
            fail_msg("%s", others[i]);
}

static void a_file_is_opened_once_as_it_is_mapped(void **state)
{
    struct fixture *f = *state;
    const struct jit_dumps_place here = {0};
    uint32_t pid = (uint32_t)getpid();
    uint64_t inode = inode_of(f);

    assert_null(use_of(f, pid));
    map(f, pid, inode, here);
    map(f, pid, inode, here);
    assert_int_equal(f->dumps.items.count, 1);
    assert_int_equal(f->dumps.uses.count, 1);
    assert_int_equal(unlink(text_string(&f->path)), 0);
    assert_true(f->dumps.items.items[0].descriptor >= 0);
    assert_false(f->dumps.items.items[0].has_other_clock);
    assert_int_equal(use_of(f, pid)->until_ns, UINT64_MAX);
    assert_int_equal(use_of(f, pid)->told_until_ns, UINT64_MAX);
}

static void what_is_not_what_was_mapped_is_not_opened(void **state)
{
    struct fixture *f = *state;
    const struct jit_dumps_place past = {.is_past = true, .has_other_clock = true};
    const struct jit_dump *dump = NULL;

    map(f, 5, inode_of(f) + 1, past);
    dump = &f->dumps.items.items[0];
    assert_int_equal(dump->descriptor, -1);
    assert_int_equal(dump->failure.kind, ERROR_DENIED);
    assert_true(
        slice_ends_with(slice_of(dump->failure.message), SLICE("is not the file that its process had")));
    assert_true(dump->has_other_clock);
    map(f, 6, 0, past);
    assert_true(f->dumps.items.items[1].descriptor >= 0);
    assert_int_equal(unlink(text_string(&f->path)), 0);
    map(f, 7, 0, past);
    assert_int_equal(f->dumps.items.items[2].failure.kind, ERROR_MISSING);
    assert_int_equal(symlink("/etc/passwd", text_string(&f->path)), 0);
    map(f, 8, 0, past);
    assert_int_equal(f->dumps.items.items[3].failure.kind, ERROR_DENIED);
}

/* With --symfs, as other files that have no build id. */
static void below_a_folder_that_is_named_a_file_is_taken_at_its_word(void **state)
{
    struct fixture *f = *state;
    struct sample_mapping mapping = {.path = SLICE("/jit-7.dump"), .inode = inode_of(f) + 1};
    const struct jit_dumps_place below = {.is_past = true, .root = f->folder};

    jit_dumps_map(&f->dumps, 5, &mapping, below);
    jit_dumps_map(&f->dumps, 5, &mapping, below);
    assert_int_equal(f->dumps.items.count, 1);
    assert_true(f->dumps.items.items[0].descriptor >= 0);
    assert_true(slice_equal(text_slice(&f->dumps.items.items[0].path), text_slice(&f->path)));
}

static void a_child_has_what_was_told_before_and_an_exec_ends_all(void **state)
{
    struct fixture *f = *state;
    const struct jit_dumps_place past = {.is_past = true};

    jit_dumps_fork(&f->dumps, 6, 5, 1);
    assert_int_equal(f->dumps.uses.count, 0);
    map(f, 5, 0, past);
    jit_dumps_fork(&f->dumps, 6, 5, 10);
    jit_dumps_fork(&f->dumps, 7, 6, 20);
    assert_int_equal(f->dumps.items.count, 1);
    assert_int_equal(use_of(f, 6)->told_until_ns, 10);
    assert_int_equal(use_of(f, 7)->told_until_ns, 10);
    assert_int_equal(use_of(f, 7)->dump, 0);
    jit_dumps_end(&f->dumps, 6, 30);
    assert_int_equal(use_of(f, 6)->until_ns, 30);
    assert_int_equal(use_of(f, 7)->until_ns, UINT64_MAX);
    jit_dumps_end(&f->dumps, 6, 40);
    assert_int_equal(use_of(f, 6)->until_ns, 30);
    /* What has ended is nothing to go on with. */
    jit_dumps_fork(&f->dumps, 8, 6, 50);
    assert_null(use_of(f, 8));
    /* The number is another process's now. */
    jit_dumps_fork(&f->dumps, 7, 1, 60);
    assert_int_equal(use_of(f, 7)->until_ns, 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_told_by_their_names),
        cmocka_unit_test_setup_teardown(a_file_is_opened_once_as_it_is_mapped, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(what_is_not_what_was_mapped_is_not_opened, enter_folder,
                                        leave_folder),
        cmocka_unit_test_setup_teardown(below_a_folder_that_is_named_a_file_is_taken_at_its_word,
                                        enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(a_child_has_what_was_told_before_and_an_exec_ends_all, enter_folder,
                                        leave_folder),
    };

    return cmocka_run_group_tests_name("jit_dumps", tests, NULL, NULL);
}

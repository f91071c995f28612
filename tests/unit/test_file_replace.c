#include "cmocka_all.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/replacement.h"
#include "scratch_folder.h"

/* That of what root writes for others; nobody else can give a file away. */
static void a_file_that_is_replaced_keeps_its_owner(void **state)
{
    enum { NOBODY = 65534 };

    (void)state;
    struct error err = {0};
    struct stat new;

    write_file("out", "old content");
    if (chown("out", NOBODY, NOBODY) < 0)
        skip();
    assert_int_equal(chmod("out", 04640), 0);
    assert_int_equal(file_replace("out", SLICE("new"), &err), 0);
    assert_int_equal(stat("out", &new), 0);
    assert_int_equal(new.st_uid, NOBODY);
    assert_int_equal(new.st_gid, NOBODY);
    assert_int_equal(new.st_mode & 07777, 0640); /* our content is not to be run with its rights */
    assert_content("out", "new");
}

static void a_new_file_has_the_mode_that_open_would_give_it(void **state)
{
    (void)state;
    struct error err = {0};
    struct stat info;
    mode_t before = umask(027);

    assert_int_equal(file_replace("new", SLICE("content\n"), &err), 0);
    umask(before);
    assert_content("new", "content\n");
    assert_int_equal(stat("new", &info), 0);
    assert_int_equal(info.st_mode & 07777, 0640);
    assert_true(holds_only("new"));
}

static void a_file_is_replaced_by_another_that_keeps_its_mode(void **state)
{
    (void)state;
    struct error err = {0};
    struct stat old;
    struct stat new;
    FILE *reader = NULL;
    char seen[16] = "";

    write_file("out", "old content");
    assert_int_equal(chmod("out", 0751), 0);
    assert_int_equal(stat("out", &old), 0);
    reader = fopen("out", "re");
    assert_int_equal(file_replace("out", (struct slice){0}, &err), 0);
    assert_int_equal(stat("out", &new), 0);
    assert_true(new.st_ino != old.st_ino);
    assert_int_equal(new.st_mode, old.st_mode);
    assert_content("out", "");
    /* Who has the old file open still sees all of it. */
    assert_non_null(fgets(seen, sizeof(seen), reader));
    assert_string_equal(seen, "old content");
    file_close(&reader);
    assert_true(holds_only("out"));
}

static void a_symbolic_link_stays_and_its_target_is_replaced(void **state)
{
    (void)state;
    struct error err = {0};
    struct stat info;

    assert_int_equal(mkdir("folder", 0755), 0);
    write_file("folder/target", "old");
    assert_int_equal(symlink("target", "folder/link"), 0);
    assert_int_equal(symlink("folder/link", "link"), 0);
    assert_int_equal(file_replace("link", SLICE("new"), &err), 0);
    assert_content("folder/target", "new");
    assert_int_equal(lstat("link", &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(lstat("folder/link", &info), 0);
    assert_true(S_ISLNK(info.st_mode));
}

static void a_link_to_a_file_that_is_not_there_yet_makes_it(void **state)
{
    struct fixture *f = *state;
    SCOPED(text_done) struct text absolute = {0};
    struct error err = {0};
    struct stat info;

    text_format(&absolute, "%s/folder/target", f->folder);
    assert_int_equal(mkdir("folder", 0755), 0);
    assert_int_equal(symlink(text_string(&absolute), "folder/absolute"), 0);
    assert_int_equal(symlink("folder/absolute", "link"), 0);
    assert_int_equal(file_replace("link", SLICE("new"), &err), 0);
    assert_content("folder/target", "new");
    assert_int_equal(lstat("link", &info), 0);
    assert_true(S_ISLNK(info.st_mode));
}

static void links_in_a_circle_are_an_error(void **state)
{
    (void)state;
    struct error err = {0};

    assert_int_equal(symlink("b", "a"), 0);
    assert_int_equal(symlink("a", "b"), 0);
    assert_int_equal(file_replace("a", SLICE("new"), &err), -1);
    assert_int_equal(err.kind, ERROR_IO);
    assert_string_equal(err.message, "write a: Too many levels of symbolic links");
}

/*
 * A device node of ours in the working folder, with the number of the machine's device at
 * `model`. Never the machine's own: as root a mistake in file_replace would put a file in
 * its place. Skips the test where nodes cannot be made or opened.
 */
static void make_device(const char *name, const char *model)
{
    SCOPED(file_close_descriptor) int descriptor = -1;
    struct stat info;

    if (stat(model, &info) < 0 || !S_ISCHR(info.st_mode) || mknod(name, S_IFCHR | 0600, info.st_rdev) < 0)
        skip();
    descriptor = open(name, O_WRONLY | O_CLOEXEC);
    if (descriptor < 0)
        skip();
}

static void a_device_is_written_to_and_stays_a_device(void **state)
{
    (void)state;
    struct error err = {0};
    struct stat info;

    make_device("null", "/dev/null");
    assert_int_equal(symlink("null", "link"), 0);
    assert_int_equal(file_replace("null", SLICE("content"), &err), 0);
    assert_int_equal(stat("null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
    assert_int_equal(file_replace("link", SLICE("content"), &err), 0);
    assert_int_equal(stat("link", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
}

static void a_pipe_is_written_to(void **state)
{
    (void)state;
    struct error err = {0};
    char got[8] = "";
    SCOPED(file_close_descriptor) int reader = -1;

    assert_int_equal(mkfifo("pipe", 0600), 0);
    reader = open("pipe", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    assert_int_equal(file_replace("pipe", SLICE("content"), &err), 0);
    assert_int_equal(read(reader, got, sizeof(got)), 7);
    assert_memory_equal(got, "content", 7);
}

static void go_on(int signal_number)
{
    (void)signal_number;
}

static void a_pipe_that_nobody_reads_is_waited_for_until_a_signal_comes(void **state)
{
    (void)state;
    struct error err = {0};
    const struct sigaction caught = {.sa_handler = go_on, .sa_flags = SA_RESTART};
    const struct itimerval soon = {.it_interval = {.tv_usec = 1000}, .it_value = {.tv_usec = 1000}};
    const struct itimerval never = {0};

    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_int_equal(sigaction(SIGALRM, &caught, NULL), 0);
    assert_int_equal(setitimer(ITIMER_REAL, &soon, NULL), 0);
    assert_int_equal(file_replace("pipe", SLICE("content"), &err), -1);
    assert_int_equal(setitimer(ITIMER_REAL, &never, NULL), 0);
    signal(SIGALRM, SIG_DFL);
    assert_int_equal(err.kind, ERROR_IO);
    assert_string_equal(err.message, "write pipe: ended by a signal while nobody read it");
}

static void a_full_device_is_an_error(void **state)
{
    (void)state;
    struct error err = {0};

    make_device("full", "/dev/full");
    assert_int_equal(file_replace("full", SLICE("content"), &err), -1);
    assert_int_equal(err.kind, ERROR_IO);
    assert_string_equal(err.message, "write full: No space left on device");
}

/* A limit on the size of files stops a write half-way, as a full disk does. */
static void a_write_that_stops_half_way_leaves_the_old_content_alone(void **state)
{
    (void)state;
    struct error err = {0};
    struct rlimit before;
    struct rlimit small;
    int result = 0;

    write_file("out", "old");
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){4, before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    result = file_replace("out", SLICE("new content"), &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_DFL);

    assert_int_equal(result, -1);
    assert_int_equal(err.kind, ERROR_IO);
    assert_string_equal(err.message, "write out: File too large");
    assert_content("out", "old");
    assert_true(holds_only("out"));
}

/* The name of the one file in the working folder. */
static void only_name(char out[NAME_MAX + 1])
{
    DIR *folder = opendir(".");
    const struct dirent *entry = NULL;

    while ((entry = readdir(folder)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            strcpy(out, entry->d_name);
    closedir(folder);
}

static void a_name_may_be_as_long_as_the_system_takes(void **state)
{
    struct error err = {0};
    struct replacement *replacement = NULL;
    char name[NAME_MAX + 2] = "x";
    char beside[NAME_MAX + 1] = "";

    (void)state;
    for (size_t i = 1; i < NAME_MAX; i++)
        name[i] = "\xa9\xc3"[i % 2]; /* characters of two bytes */
    assert_int_equal(file_check_replaceable(name, &err), 0);
    assert_int_equal(replacement_open(name, &replacement, &err), 0);
    only_name(beside);
    assert_string_equal(beside + 99, strrchr(beside, '.'));
    assert_int_equal(replacement_commit(replacement, REPLACEABLE, &err), 0);
    replacement_discard(&replacement);
    assert_true(holds_only(name));
    name[NAME_MAX] = 'x';
    assert_int_equal(file_check_replaceable(name, &err), -1);
    assert_non_null(strstr(err.message, "File name too long"));
    assert_int_equal(file_replace(name, SLICE("x"), &err), -1);
}

static void what_cannot_be_written_is_named(void **state)
{
    (void)state;
    struct error err = {0};

    assert_int_equal(file_replace("nowhere/out", SLICE("x"), &err), -1);
    assert_int_equal(err.kind, ERROR_IO);
    assert_string_equal(err.message, "write nowhere/out: No such file or directory");
    assert_int_equal(file_replace(".", SLICE("x"), &err), -1);
    assert_string_equal(err.message, "write .: Is a directory");
    write_file("file", "");
    assert_int_equal(file_replace("file/out", SLICE("x"), &err), -1);
    assert_string_equal(err.message, "write file/out: Not a directory");
}

/* Whether the working folder holds anything. */
static bool holds_something(void)
{
    DIR *folder = opendir(".");
    const struct dirent *entry = NULL;
    bool is_found = false;

    while ((entry = readdir(folder)))
        is_found |= entry->d_name[0] != '.';
    closedir(folder);
    return is_found;
}

static void a_signal_while_a_file_is_written_leaves_nothing_beside_it(void **state)
{
    enum { LARGE = 32 << 20 };
    char *large = calloc(1, LARGE);
    pid_t pid = fork();
    int status = 0;

    (void)state;
    if (pid == 0) {
        struct error err = {0};

        _exit(file_replace("out", (struct slice){large, LARGE}, &err) < 0);
    }
    while (!holds_something())
        usleep(100);
    kill(pid, SIGTERM);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status) ? WTERMSIG(status) == SIGTERM : WEXITSTATUS(status) == 0);
    assert_true(holds_only("out"));
    free(large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_new_file_has_the_mode_that_open_would_give_it, enter_folder,
                                        leave_folder),
        cmocka_unit_test_setup_teardown(a_file_that_is_replaced_keeps_its_owner, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(a_file_is_replaced_by_another_that_keeps_its_mode, enter_folder,
                                        leave_folder),
        cmocka_unit_test_setup_teardown(a_symbolic_link_stays_and_its_target_is_replaced, enter_folder,
                                        leave_folder),
        cmocka_unit_test_setup_teardown(a_link_to_a_file_that_is_not_there_yet_makes_it, enter_folder,
                                        leave_folder),
        cmocka_unit_test_setup_teardown(links_in_a_circle_are_an_error, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(a_device_is_written_to_and_stays_a_device, enter_folder,
                                        leave_folder),
        cmocka_unit_test_setup_teardown(a_pipe_is_written_to, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(a_pipe_that_nobody_reads_is_waited_for_until_a_signal_comes,
                                        enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(a_full_device_is_an_error, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(a_write_that_stops_half_way_leaves_the_old_content_alone,
                                        enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(a_name_may_be_as_long_as_the_system_takes, enter_folder,
                                        leave_folder),
        cmocka_unit_test_setup_teardown(what_cannot_be_written_is_named, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(a_signal_while_a_file_is_written_leaves_nothing_beside_it,
                                        enter_folder, leave_folder),
    };

    return cmocka_run_group_tests_name("file_replace", tests, NULL, NULL);
}

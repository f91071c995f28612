#include "cmocka_all.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "proc/environment.h"
#include "proc/own_signals.h"
#include "proc/spawn.h"

static size_t open_descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    size_t count = 0;

    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

/* Runs `sh -c SCRIPT` with its output in a pipe; the script is `argv[2]`. */
static struct process_status run_script(struct spawn what, const char *script, struct text *output)
{
    const char *const argv[] = {"sh", "-c", script, NULL};
    struct process process;
    struct process_status status = {-1, -1};
    struct error err = {0};

    what.argv = argv;
    what.output = SPAWN_PIPE;
    assert_int_equal(spawn_start(&what, &process, &err), 0);
    assert_true(fcntl(process.output, F_GETFD) & FD_CLOEXEC);
    assert_int_equal(file_read_descriptor(process.output, "pipe", 4096, output, &err), 0);
    process_close_pipes(&process);
    assert_int_equal(process_wait(&process, &status, &err), 0);
    assert_int_equal(process.pid, -1);
    return status;
}

static void arguments_arrive_as_they_are(void **state)
{
    const char *const argv[] = {"printf", "%s|", "a b", "$HOME", "*", "", NULL};
    struct spawn what = {.argv = argv, .output = SPAWN_PIPE};
    SCOPED(text_done) struct text output = {0};
    struct process process;
    struct process_status status = {-1, -1};
    struct error err = {0};

    (void)state;
    assert_int_equal(spawn_start(&what, &process, &err), 0);
    assert_int_equal(process.input, -1);
    assert_int_equal(process.error, -1);
    assert_int_equal(file_read_descriptor(process.output, "pipe", 4096, &output, &err), 0);
    process_close_pipes(&process);
    assert_int_equal(process.output, -1);
    assert_int_equal(process_wait(&process, &status, &err), 0);
    assert_int_equal(process_check("printf", status, &err), 0);
    assert_string_equal(text_string(&output), "a b|$HOME|*||");
}

static void input_and_error_can_be_pipes_too(void **state)
{
    const char *const argv[] = {"sh", "-c", "cat >&2", NULL};
    struct spawn what = {.argv = argv, .input = SPAWN_PIPE, .output = SPAWN_NULL, .error = SPAWN_PIPE};
    SCOPED(text_done) struct text output = {0};
    struct process process;
    struct process_status status = {-1, -1};
    struct error err = {0};

    (void)state;
    assert_int_equal(spawn_start(&what, &process, &err), 0);
    assert_int_equal(write(process.input, "hello", 5), 5);
    file_close_descriptor(&process.input);
    assert_int_equal(file_read_descriptor(process.error, "pipe", 4096, &output, &err), 0);
    process_close_pipes(&process);
    assert_int_equal(process_wait(&process, &status, &err), 0);
    assert_string_equal(text_string(&output), "hello");
}

static void a_null_input_is_empty(void **state)
{
    SCOPED(text_done) struct text output = {0};

    (void)state;
    assert_int_equal(run_script((struct spawn){.input = SPAWN_NULL}, "cat; echo end", &output).exit_code, 0);
    assert_string_equal(text_string(&output), "end\n");
}

static void the_environment_is_ours_with_the_changes(void **state)
{
    const char *const changes[] = {"SPAWN_SET=new=1", "SPAWN_GONE", NULL};
    SCOPED(text_done) struct text output = {0};

    (void)state;
    setenv("SPAWN_SET", "old", 1);
    setenv("SPAWN_GONE", "old", 1);
    setenv("SPAWN_KEPT", "kept", 1);
    run_script((struct spawn){.environment = changes}, "echo $SPAWN_SET,${SPAWN_GONE-none},$SPAWN_KEPT",
               &output);
    assert_string_equal(text_string(&output), "new=1,none,kept\n");
}

static void what_changes_for_a_while_is_as_before_after_it(void **state)
{
    struct environment_before before = {0};

    (void)state;
    setenv("SPAWN_SET", "old", 1);
    setenv("SPAWN_GONE", "old", 1);
    unsetenv("SPAWN_NEW");
    environment_change(&before, "SPAWN_SET=new=1");
    environment_change(&before, "SPAWN_SET=newer");
    environment_change(&before, "SPAWN_GONE");
    environment_change(&before, "SPAWN_NEW=");
    assert_string_equal(getenv("SPAWN_SET"), "newer");
    assert_null(getenv("SPAWN_GONE"));
    assert_string_equal(getenv("SPAWN_NEW"), "");
    environment_restore(&before);
    assert_string_equal(getenv("SPAWN_SET"), "old");
    assert_string_equal(getenv("SPAWN_GONE"), "old");
    assert_null(getenv("SPAWN_NEW"));
    environment_restore(&before);
    assert_string_equal(getenv("SPAWN_SET"), "old");
}

static void it_runs_in_the_folder_given(void **state)
{
    SCOPED(text_done) struct text output = {0};

    (void)state;
    run_script((struct spawn){.directory = "/usr"}, "pwd", &output);
    assert_string_equal(text_string(&output), "/usr\n");
}

static void only_the_standard_streams_are_handed_on(void **state)
{
    const char *const argv[] = {"ls", "/proc/self/fd", NULL};
    struct spawn what = {.argv = argv, .input = SPAWN_PIPE, .output = SPAWN_PIPE, .error = SPAWN_PIPE};
    SCOPED(text_done) struct text expected = {0};
    SCOPED(text_done) struct text output = {0};
    struct process process;
    struct process_status status;
    struct error err = {0};
    FILE *reference = popen("exec ls /proc/self/fd", "re");

    (void)state;
    assert_int_equal(file_read_descriptor(fileno(reference), "popen", 4096, &expected, &err), 0);
    pclose(reference);
    assert_int_equal(spawn_start(&what, &process, &err), 0);
    assert_int_equal(file_read_descriptor(process.output, "pipe", 4096, &output, &err), 0);
    process_close_pipes(&process);
    assert_int_equal(process_wait(&process, &status, &err), 0);
    assert_string_equal(text_string(&output), text_string(&expected));
}

static void streams_arrive_also_when_ours_are_closed(void **state)
{
    int status = 0;
    pid_t child = fork();

    (void)state;
    if (child == 0) {
        SCOPED(text_done) struct text output = {0};
        const char *const argv[] = {"sh", "-c", "cat; echo err >&2; echo out", NULL};
        struct spawn what = {argv, NULL, NULL, SPAWN_PIPE, SPAWN_PIPE, SPAWN_PIPE, NULL};
        struct process process;
        struct error err = {0};

        close(STDIN_FILENO);
        close(STDOUT_FILENO);
        if (spawn_start(&what, &process, &err) < 0 || write(process.input, "in ", 3) != 3)
            _exit(1);
        file_close_descriptor(&process.input);
        if (file_read_descriptor(process.output, "pipe", 99, &output, &err) < 0 ||
            file_read_descriptor(process.error, "pipe", 99, &output, &err) < 0)
            _exit(2);
        process_close_pipes(&process);
        _exit(slice_is(text_slice(&output), "in out\nerr\n") ? 0 : 3);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void writing_in_vain_ends_the_program_though_it_does_not_end_us(void **state)
{
    SCOPED(text_done) struct text output = {0};

    (void)state;
    own_signals_take();
    run_script((struct spawn){0}, "grep SigIgn /proc/self/status", &output);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    /* Bit 12 is signal 13, SIGPIPE; bit 24 is signal 25, SIGXFSZ. */
    assert_false(strtoull(text_string(&output) + sizeof("SigIgn:"), NULL, 16) & 0x1001000);
}

static void a_limit_that_keeps_it_from_being_started_is_named(void **state)
{
    static const struct {
        int cause;
        const char *phrase;
    } limits[] = {
        {EMFILE, "`ulimit -n`"}, {ENFILE, "fs.file-max"}, {EAGAIN, "`ulimit -u`"}, {ENOMEM, "memory"}};
    struct error err = {0};

    (void)state;
    spawn_hint_shortage(EIO, &err);
    assert_string_equal(err.hint, "");
    for (size_t i = 0; i < ARRAY_COUNT(limits); i++) {
        spawn_hint_shortage(limits[i].cause, &err);
        assert_non_null(strstr(err.hint, limits[i].phrase));
    }
}

static void how_it_ended_is_told(void **state)
{
    SCOPED(text_done) struct text output = {0};
    struct process_status status = run_script((struct spawn){0}, "exit 101", &output);
    struct error err = {0};

    (void)state;
    assert_int_equal(status.exit_code, 101);
    assert_int_equal(status.signal, 0);
    assert_int_equal(process_check("cargo", status, &err), -1);
    assert_int_equal(err.kind, ERROR_CHILD);
    assert_int_equal(err.exit_code, 101);
    assert_string_equal(err.message, "cargo failed with exit code 101");

    status = run_script((struct spawn){0}, "kill -KILL $$", &output);
    assert_int_equal(status.signal, SIGKILL);
    assert_int_equal(process_check("cargo", status, &err), -1);
    assert_int_equal(err.exit_code, 137);
    assert_string_equal(err.message, "cargo was ended by signal 9 (SIGKILL)");
}

static void assert_not_started(const char *program, const char *directory, enum error_kind kind,
                               const char *message)
{
    const char *const argv[] = {program, NULL};
    struct spawn what = {argv, NULL, directory, SPAWN_PIPE, SPAWN_PIPE, SPAWN_PIPE, NULL};
    struct process process = {.pid = 42};
    struct error err = {0};
    size_t open_before = open_descriptors();

    assert_int_equal(spawn_start(&what, &process, &err), -1);
    assert_int_equal(err.kind, kind);
    assert_string_equal(err.message, message);
    assert_int_equal(process.pid, 42);
    assert_int_equal(open_descriptors(), open_before);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static void what_cannot_start_is_an_error_and_leaves_nothing(void **state)
{
    (void)state;
    assert_not_started("no-such-program-here", NULL, ERROR_MISSING, "no-such-program-here: no such program");
    assert_not_started("/nowhere/program", NULL, ERROR_MISSING, "/nowhere/program: no such program");
    assert_not_started("/etc/passwd", NULL, ERROR_DENIED, "start /etc/passwd: Permission denied");
    assert_not_started("ls", "/nowhere", ERROR_IO, "enter /nowhere: No such file or directory");
    assert_not_started("ls", "/etc/passwd", ERROR_IO, "enter /etc/passwd: Not a directory");
}

static void waiting_twice_is_an_error(void **state)
{
    const char *const argv[] = {"true", NULL};
    struct spawn what = {.argv = argv};
    struct process process;
    struct process_status status;
    struct error err = {0};
    pid_t pid = 0;

    (void)state;
    assert_int_equal(spawn_start(&what, &process, &err), 0);
    pid = process.pid;
    assert_int_equal(process_wait(&process, &status, &err), 0);
    process.pid = pid;
    assert_int_equal(process_wait(&process, &status, &err), -1);
    assert_int_equal(err.kind, ERROR_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments_arrive_as_they_are),
        cmocka_unit_test(input_and_error_can_be_pipes_too),
        cmocka_unit_test(a_null_input_is_empty),
        cmocka_unit_test(the_environment_is_ours_with_the_changes),
        cmocka_unit_test(what_changes_for_a_while_is_as_before_after_it),
        cmocka_unit_test(it_runs_in_the_folder_given),
        cmocka_unit_test(only_the_standard_streams_are_handed_on),
        cmocka_unit_test(streams_arrive_also_when_ours_are_closed),
        cmocka_unit_test(writing_in_vain_ends_the_program_though_it_does_not_end_us),
        cmocka_unit_test(a_limit_that_keeps_it_from_being_started_is_named),
        cmocka_unit_test(how_it_ended_is_told),
        cmocka_unit_test(what_cannot_start_is_an_error_and_leaves_nothing),
        cmocka_unit_test(waiting_twice_is_an_error),
    };

    return cmocka_run_group_tests_name("spawn", tests, NULL, NULL);
}

#include "cmocka_all.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "proc/run.h"

struct lines {
    struct text joined; /* each line and "|" */
    size_t count;
    size_t stop_after; /* fails at this line; 0 = never */
    int answer;        /* told that the first has come; 0 = nobody waits for that */
};

static double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int keep_line(void *context, struct slice line, struct error *err)
{
    struct lines *lines = context;

    if (lines->count++ == 0 && lines->answer > 0)
        assert_int_equal(write(lines->answer, "go\n", 3), 3);
    text_add(&lines->joined, line);
    text_add_byte(&lines->joined, '|');
    return lines->count == lines->stop_after ? error_set(err, ERROR_FORMAT, "enough") : 0;
}

static int run(const char *script, struct lines *lines, struct process_status *status, struct error *err)
{
    const char *const argv[] = {"sh", "-c", script, NULL};
    struct spawn what = {.argv = argv};

    text_clear(&lines->joined);
    lines->count = 0;
    return run_lines(&what, 100000, keep_line, lines, status, err);
}

static void assert_no_child_is_left(void)
{
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static void lines_are_handed_on_whole_and_the_last_counts(void **state)
{
    struct lines lines = {0};
    struct process_status status = {-1, -1};
    struct error err = {0};

    (void)state;
    assert_int_equal(run("printf 'a\\nb'; sleep 0.05; printf 'c\\r\\n\\nd'; exit 3", &lines, &status, &err),
                     0);
    assert_string_equal(text_string(&lines.joined), "a|bc||d|");
    assert_int_equal(status.exit_code, 3);
    assert_int_equal(run(":", &lines, &status, &err), 0);
    assert_int_equal(lines.count, 0);
    text_done(&lines.joined);
}

static void lines_come_while_the_program_runs(void **state)
{
    struct lines lines = {0};
    struct process_status status;
    struct error err = {0};
    char script[64];
    int ends[2];

    (void)state;
    assert_int_equal(pipe(ends), 0);
    lines.answer = ends[1];
    (void)snprintf(script, sizeof(script), "echo a; read -r answer < /dev/fd/%d; echo \"$answer\"", ends[0]);
    assert_int_equal(run(script, &lines, &status, &err), 0);
    assert_string_equal(text_string(&lines.joined), "a|go|");
    close(ends[0]);
    close(ends[1]);
    text_done(&lines.joined);
}

static void a_line_may_be_as_long_as_the_limit_and_no_longer(void **state)
{
    struct lines lines = {0};
    struct process_status status;
    struct error err = {0};

    (void)state;
    assert_int_equal(run("head -c 100000 /dev/zero; echo; echo x", &lines, &status, &err), 0);
    assert_int_equal(lines.count, 2);
    assert_int_equal(lines.joined.length, 100003);
    assert_int_equal(run("head -c 100001 /dev/zero", &lines, &status, &err), -1);
    assert_int_equal(err.kind, ERROR_FORMAT);
    assert_string_equal(err.message, "its output has a line longer than 100000 bytes");
    assert_int_equal(run("head -c 100001 /dev/zero; echo", &lines, &status, &err), -1);
    assert_int_equal(run("exec cat /dev/zero", &lines, &status, &err), -1);
    assert_int_equal(lines.count, 0);
    assert_no_child_is_left();
    text_done(&lines.joined);
}

static void stopping_ends_the_program(void **state)
{
    struct lines lines = {.stop_after = 2};
    struct process_status status = {-1, -1};
    struct error err = {0};
    double start_s = now_s();

    (void)state;
    assert_int_equal(run("echo 1; echo 2; echo 3; exec sleep 60", &lines, &status, &err), -1);
    assert_string_equal(err.message, "enough");
    assert_string_equal(text_string(&lines.joined), "1|2|");
    assert_int_equal(status.exit_code, -1);
    assert_true(now_s() - start_s < 30);
    assert_no_child_is_left();
    text_done(&lines.joined);
}

static void on_alarm(int signal_number)
{
    (void)signal_number;
}

static void stopping_ends_one_that_does_not_want_to(void **state)
{
    struct lines lines = {.stop_after = 1};
    struct process_status status = {-1, -1};
    struct error err = {0};

    (void)state;
    assert_int_equal(run("trap '' TERM; echo a; exec sleep 1000", &lines, &status, &err), -1);
    assert_string_equal(err.message, "enough");
    assert_int_equal(status.exit_code, -1);
    assert_no_child_is_left();
    text_done(&lines.joined);
}

static void signals_do_not_disturb_it(void **state)
{
    struct sigaction action = {.sa_handler = on_alarm};
    struct itimerval timer = {{0, 5000}, {0, 5000}};
    struct lines lines = {0};
    struct process_status status = {-1, -1};
    struct error err = {0};

    (void)state;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
    assert_int_equal(run("echo a; sleep 0.1; echo b; exec >&-; sleep 0.1", &lines, &status, &err), 0);
    timer = (struct itimerval){0};
    setitimer(ITIMER_REAL, &timer, NULL);
    assert_string_equal(text_string(&lines.joined), "a|b|");
    assert_int_equal(status.exit_code, 0);
    text_done(&lines.joined);
}

static volatile sig_atomic_t hang_ups;

static void on_hang_up(int signal_number)
{
    (void)signal_number;
    hang_ups = hang_ups + 1;
}

static void who_survives_what_ends_programs_is_told_that_it_ended_this_one(void **state)
{
    struct sigaction action = {.sa_handler = on_hang_up};
    struct sigaction usual;
    struct lines lines = {0};
    struct process_status status = {-1, -1};
    struct error err = {0};

    (void)state;
    sigaction(SIGHUP, &action, &usual);
    assert_int_equal(
        run("trap 'exit 0' HUP; kill -HUP $PPID; while :; do sleep 0.01; done", &lines, &status, &err), 0);
    sigaction(SIGHUP, &usual, NULL);
    assert_int_equal(hang_ups, 1);
    assert_int_equal(status.signal, SIGHUP);
    assert_int_equal(status.exit_code, 128 + SIGHUP);
    assert_no_child_is_left();
    text_done(&lines.joined);
}

static void capturing_takes_all_up_to_the_limit(void **state)
{
    const char *const argv[] = {"printf", "a\nb", NULL};
    struct spawn what = {.argv = argv};
    SCOPED(text_done) struct text output = {0};
    struct process_status status = {-1, -1};
    struct error err = {0};

    (void)state;
    assert_int_equal(run_capture(&what, 3, &output, &status, &err), 0);
    assert_string_equal(text_string(&output), "a\nb");
    assert_int_equal(status.exit_code, 0);
    assert_int_equal(run_capture(&what, 2, &output, &status, &err), -1);
    assert_int_equal(err.kind, ERROR_FORMAT);
    assert_no_child_is_left();
}

static void a_program_that_is_not_there_is_an_error(void **state)
{
    const char *const argv[] = {"no-such-program-here", NULL};
    struct spawn what = {.argv = argv};
    SCOPED(text_done) struct text output = {0};
    struct process_status status = {-1, -1};
    struct error err = {0};

    (void)state;
    assert_int_equal(run_capture(&what, 3, &output, &status, &err), -1);
    assert_int_equal(err.kind, ERROR_MISSING);
    assert_int_equal(run_lines(&what, 3, keep_line, NULL, &status, &err), -1);
    assert_int_equal(err.kind, ERROR_MISSING);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_handed_on_whole_and_the_last_counts),
        cmocka_unit_test(lines_come_while_the_program_runs),
        cmocka_unit_test(a_line_may_be_as_long_as_the_limit_and_no_longer),
        cmocka_unit_test(stopping_ends_the_program),
        cmocka_unit_test(stopping_ends_one_that_does_not_want_to),
        cmocka_unit_test(signals_do_not_disturb_it),
        cmocka_unit_test(who_survives_what_ends_programs_is_told_that_it_ended_this_one),
        cmocka_unit_test(capturing_takes_all_up_to_the_limit),
        cmocka_unit_test(a_program_that_is_not_there_is_an_error),
    };

    return cmocka_run_group_tests_name("run", tests, NULL, NULL);
}

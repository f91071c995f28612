#include "cmocka_all.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "process/pid_list.h"
#include "process/thread_stat.h"
#include "target/launch.h"

/* As who watches a program does: signals that end it are ours to be told of, and its own as before. */
static void block_interrupts(sigset_t *before)
{
    sigset_t blocked;

    sigemptyset(&blocked);
    sigaddset(&blocked, SIGINT);
    assert_int_equal(sigprocmask(SIG_BLOCK, &blocked, before), 0);
}

/* Until it waits to be let go, or has ended before. */
static void wait_for_its_sleep(pid_t pid)
{
    struct thread_stat stat = {.state = 'R'};

    while (stat.state == 'R')
        assert_true(thread_stat_read((uint32_t)pid, (uint32_t)pid, &stat));
}

/* `true`, which waits to be let go; signals are blocked in it as they were before. */
static struct target launch_true(const sigset_t *before, const struct pids *strangers)
{
    static const char *const argv[] = {"true", NULL};
    const struct launch launch = {.argv = argv, .signals = before, .strangers = strangers};
    struct target target = TARGET_NONE;
    struct error err = {0};

    assert_int_equal(target_launch(&launch, &target, &err), 0);
    return target;
}

static void a_signal_that_comes_before_the_program_ends_it_when_it_is_let_go(void **state)
{
    sigset_t before;
    struct target target;
    struct error err = {0};

    (void)state;
    block_interrupts(&before);
    target = launch_true(&before, NULL);
    assert_true(target_signal(&target, SIGINT));
    wait_for_its_sleep(target.pid);
    assert_int_equal(target_release(&target, "true", &err), 0);
    target_wait(&target);
    assert_int_equal(target.end.signal, SIGINT);
    assert_int_equal(target.end.exit_code, 128 + SIGINT);
    target_done(&target);
    assert_int_equal(sigprocmask(SIG_SETMASK, &before, NULL), 0);
}

static void what_is_never_let_go_ends(void **state)
{
    sigset_t before;
    struct target target;

    (void)state;
    assert_int_equal(sigprocmask(SIG_SETMASK, NULL, &before), 0);
    target = launch_true(&before, NULL);
    target_done(&target);
    assert_false(target_has_orphans());
}

/* One that we have from before, and that has ended; it took some time of the processors. */
static pid_t start_stranger(void)
{
    const clock_t enough = CLOCKS_PER_SEC / 50;
    siginfo_t ended;
    pid_t pid = fork();

    assert_return_code(pid, errno);
    while (pid == 0)
        if (clock() >= enough)
            _exit(0);
    assert_return_code(waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOWAIT), errno);
    return pid;
}

static void what_others_that_we_had_before_took_is_not_of_the_program(void **state)
{
    pid_t stranger = start_stranger();
    const struct pids strangers = {.items = &stranger, .count = 1};
    struct target target;
    struct error err = {0};
    sigset_t before;

    (void)state;
    assert_int_equal(sigprocmask(SIG_SETMASK, NULL, &before), 0);
    target = launch_true(&before, &strangers);
    assert_int_equal(target_release(&target, "true", &err), 0);
    target_wait(&target);
    target_update(&target);
    assert_false(target_has_orphans());
    assert_int_equal(target.end.cpu_ns, target.end.user_ns + target.end.system_ns);
    target_done(&target);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_signal_that_comes_before_the_program_ends_it_when_it_is_let_go),
        cmocka_unit_test(what_is_never_let_go_ends),
        cmocka_unit_test(what_others_that_we_had_before_took_is_not_of_the_program),
    };

    return cmocka_run_group_tests_name("launch", tests, NULL, NULL);
}

#include "cmocka_all.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/priority.h"

static int nice_now(void)
{
    return getpriority(PRIO_PROCESS, 0);
}

/* What a child that is started now has. */
static int scheduler_of_child(void)
{
    pid_t child = fork();
    int status = 0;

    if (child == 0)
        _exit(sched_getscheduler(0));
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WEXITSTATUS(status);
}

static void it_is_restored_as_it_was(void **state)
{
    struct priority before = priority_now();
    int nice = nice_now();

    (void)state;
    priority_raise();
    assert_in_range(nice_now() + 20, 0, nice + 20);
    priority_raise_most(&before);
    assert_true(before.is_highest);
    assert_int_equal(scheduler_of_child(), SCHED_OTHER);
    priority_restore(&before);
    assert_int_equal(sched_getscheduler(0), SCHED_OTHER);
    assert_int_equal(nice_now(), nice);
}

static void who_may_goes_before_all_that_is_no_real_time_program(void **state)
{
    struct priority before = priority_now();
    struct sched_param lowest = {.sched_priority = 1};

    (void)state;
    if (sched_setscheduler(0, SCHED_RR, &lowest) < 0)
        skip();
    lowest.sched_priority = 0;
    assert_int_equal(sched_setscheduler(0, SCHED_OTHER, &lowest), 0);
    priority_raise();
    assert_int_equal(nice_now(), -20);
    priority_raise_most(&before);
    assert_int_equal(sched_getscheduler(0), SCHED_RR | SCHED_RESET_ON_FORK);
    priority_restore(&before);
}

static void whoever_is_a_real_time_program_already_stays_what_it_is(void **state)
{
    struct sched_param wanted = {.sched_priority = 2};
    struct priority before;

    (void)state;
    if (sched_setscheduler(0, SCHED_FIFO, &wanted) < 0)
        skip();
    before = priority_now();
    priority_raise_most(&before);
    assert_int_equal(sched_getscheduler(0), SCHED_FIFO);
    priority_restore(&before);
    assert_int_equal(sched_getscheduler(0), SCHED_FIFO);
    assert_int_equal(sched_getparam(0, &wanted), 0);
    assert_int_equal(wanted.sched_priority, 2);
    wanted.sched_priority = 0;
    assert_int_equal(sched_setscheduler(0, SCHED_OTHER, &wanted), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_restored_as_it_was),
        cmocka_unit_test(whoever_is_a_real_time_program_already_stays_what_it_is),
        cmocka_unit_test(who_may_goes_before_all_that_is_no_real_time_program),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What processes take while they are watched; the one that is here is this test. */
#include "cmocka_all.h"

#include <time.h>
#include <unistd.h>

#include "target/watched_time.h"

static uint64_t own_cpu_ns(void)
{
    struct timespec used;

    assert_int_equal(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used), 0);
    return (uint64_t)used.tv_sec * 1000000000 + (uint64_t)used.tv_nsec;
}

static void compute(uint64_t ns)
{
    uint64_t until = own_cpu_ns() + ns;

    while (own_cpu_ns() < until)
        ;
}

static void watch(struct watched_time *time, struct pids *pids, pid_t pid)
{
    *vec_add(pids) = pid;
    watched_time_begin(time, pids);
}

static void the_time_is_that_since_the_beginning(void **state)
{
    SCOPED(watched_time_done) struct watched_time time = {0};
    struct pids pids = {0};
    uint64_t before_ns = 0;
    uint64_t cpu_ns = 0;
    uint64_t delay_ns = 0;

    (void)state;
    compute(5000000);
    before_ns = own_cpu_ns();
    watch(&time, &pids, getpid());
    compute(20000000);
    assert_true(watched_time_end(&time, &cpu_ns, &delay_ns));
    assert_in_range(cpu_ns, 20000000, own_cpu_ns() - before_ns);

    watched_time_begin(&time, &pids);
    assert_true(watched_time_end(&time, &cpu_ns, &delay_ns));
    assert_in_range(cpu_ns, 0, own_cpu_ns() - before_ns - 20000000);
    vec_done(&pids);
}

static void several_processes_are_added_up(void **state)
{
    SCOPED(watched_time_done) struct watched_time time = {0};
    struct pids pids = {0};
    uint64_t cpu_ns = 0;
    uint64_t delay_ns = 0;

    (void)state;
    *vec_add(&pids) = getpid();
    watch(&time, &pids, getpid());
    compute(10000000);
    assert_true(watched_time_end(&time, &cpu_ns, &delay_ns));
    assert_true(cpu_ns >= 20000000);
    vec_done(&pids);
}

static void of_a_process_that_is_gone_nothing_is_known(void **state)
{
    SCOPED(watched_time_done) struct watched_time time = {0};
    struct pids pids = {0};
    uint64_t cpu_ns = 7;
    uint64_t delay_ns = 8;

    (void)state;
    *vec_add(&pids) = getpid();
    watch(&time, &pids, 1 << 22); /* PID_MAX_LIMIT: none can have this number */
    assert_false(watched_time_end(&time, &cpu_ns, &delay_ns));
    assert_int_equal(cpu_ns, 7);
    assert_int_equal(delay_ns, 8);
    vec_done(&pids);
}

static void without_processes_nothing_is_known(void **state)
{
    struct watched_time time = {0};
    struct pids none = {0};
    uint64_t cpu_ns = 7;
    uint64_t delay_ns = 8;

    (void)state;
    assert_false(watched_time_end(&time, &cpu_ns, &delay_ns));
    watched_time_begin(&time, &none);
    assert_false(watched_time_end(&time, &cpu_ns, &delay_ns));
    assert_int_equal(cpu_ns, 7);
    assert_int_equal(delay_ns, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_time_is_that_since_the_beginning),
        cmocka_unit_test(several_processes_are_added_up),
        cmocka_unit_test(of_a_process_that_is_gone_nothing_is_known),
        cmocka_unit_test(without_processes_nothing_is_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "cmocka_all.h"

#include <pthread.h>
#include <unistd.h>

#include "proc/proc_walk.h"

/* How often the number comes, and the walk's length. */
static size_t count_of(struct proc_walk walk, uint32_t wanted, size_t *length)
{
    size_t count = 0;

    *length = 0;
    for (uint32_t number = proc_walk_next(&walk); number; number = proc_walk_next(&walk), (*length)++)
        count += number == wanted;
    assert_int_equal(proc_walk_next(&walk), 0);
    proc_walk_done(&walk);
    return count;
}

static void processes_are_told_each_once(void **state)
{
    size_t length = 0;

    (void)state;
    assert_int_equal(count_of(proc_walk_processes(), (uint32_t)getpid(), &length), 1);
    assert_true(length >= 1);
}

/* What a thread has to do: to be there until it is joined. */
struct waiting {
    pthread_barrier_t begun;
    pthread_barrier_t told;
    uint32_t tid;
};

static void *wait_until_told(void *argument)
{
    struct waiting *waiting = argument;

    waiting->tid = (uint32_t)gettid();
    pthread_barrier_wait(&waiting->begun);
    pthread_barrier_wait(&waiting->told);
    return NULL;
}

static void threads_are_those_of_the_process(void **state)
{
    struct waiting waiting = {0};
    pthread_t thread;
    uint32_t pid = (uint32_t)getpid();
    size_t length = 0;

    (void)state;
    pthread_barrier_init(&waiting.begun, NULL, 2);
    pthread_barrier_init(&waiting.told, NULL, 2);
    assert_int_equal(pthread_create(&thread, NULL, wait_until_told, &waiting), 0);
    pthread_barrier_wait(&waiting.begun);
    assert_int_equal(count_of(proc_walk_threads(pid), waiting.tid, &length), 1);
    assert_int_equal(count_of(proc_walk_threads(pid), pid, &length), 1);
    pthread_barrier_wait(&waiting.told);
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&waiting.begun);
    pthread_barrier_destroy(&waiting.told);
}

static void of_a_process_that_is_not_there_nothing_is_told(void **state)
{
    size_t length = 1;

    (void)state;
    assert_int_equal(count_of(proc_walk_threads(UINT32_MAX), 1, &length), 0);
    assert_int_equal(length, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_are_told_each_once),
        cmocka_unit_test(threads_are_those_of_the_process),
        cmocka_unit_test(of_a_process_that_is_not_there_nothing_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

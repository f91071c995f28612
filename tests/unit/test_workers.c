#include "cmocka_all.h"

#include <stdatomic.h>

#include "base/workers.h"

enum { JOBS = 1000 };

static void count_call(void *context, size_t index)
{
    atomic_int *calls = context;

    atomic_fetch_add(&calls[index], 1);
}

static void every_job_runs_once_on_any_number_of_threads(void **state)
{
    const unsigned thread_counts[] = {0, 1, 2, 7, 1000};

    (void)state;
    for (size_t i = 0; i < sizeof(thread_counts) / sizeof(thread_counts[0]); i++) {
        atomic_int calls[JOBS] = {0};

        workers_run(JOBS, thread_counts[i], count_call, calls);
        for (size_t job = 0; job < JOBS; job++)
            assert_int_equal(atomic_load(&calls[job]), 1);
    }
}

static void no_jobs_call_nothing(void **state)
{
    (void)state;
    workers_run(0, 4, count_call, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_job_runs_once_on_any_number_of_threads),
        cmocka_unit_test(no_jobs_call_nothing),
    };

    return cmocka_run_group_tests_name("workers", tests, NULL, NULL);
}

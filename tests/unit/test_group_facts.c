/* What samples cannot be grouped by, as the profile does not tell it. */
#include <string.h>

#include "profile_fixture.h"
#include "view/group_facts.h"

static int check(struct profile_fixture *f, const char *keys)
{
    struct grouping grouping;

    f->err = (struct error){0};
    assert_int_equal(grouping_read_keys(slice_of(keys), &grouping, &f->err), 0);
    return group_facts_check(&f->profile, 0, &grouping, &f->err);
}

static void assert_refused(struct profile_fixture *f, const char *keys, const char *why)
{
    assert_int_equal(check(f, keys), -1);
    assert_int_equal(f->err.kind, ERROR_MISSING);
    assert_non_null(strstr(f->err.message, why));
}

static void a_profile_that_tells_of_no_future_has_no_tasks(void **state)
{
    struct profile_fixture *f = *state;

    profile_builder_add(&f->profile, 0,
                        SLICE("own a main > own a <a::Timer as core::future::future::Future>::poll"), 3);
    assert_refused(f, "task", "--by task: the profile tells of no future");
    assert_non_null(strstr(f->err.hint, "debug information"));
    f->profile.series.items[0].ended_counts[STACK_UNCHECKED] = 3;
    assert_refused(f, "task", "--by task: the profile tells of no future");
    assert_non_null(strstr(f->err.hint, "--call-graph fp"));
}

/* Nobody knows what called what was sampled, and a future alone may be awaited in another. */
static void without_callers_there_are_no_tasks_and_no_system_calls(void **state)
{
    struct profile_fixture *f = *state;

    profile_builder_add(&f->profile, 0, SLICE("async own a a::serve"), 3);
    profile_builder_add(&f->profile, 0, SLICE("kernel [kernel] __x64_sys_read"), 3);
    assert_refused(f, "task", "futures are seen among callers, which were not recorded (--call-graph none)");
    assert_refused(f, "thread,future", "futures are seen among callers, which were not recorded");
    assert_refused(f, "syscall", "system calls are seen among callers, which were not recorded");
    assert_int_equal(check(f, "function,dso,line,pid"), 0);
}

static void what_was_not_sampled_has_no_system_calls(void **state)
{
    struct profile_fixture *f = *state;

    profile_builder_add(&f->profile, 0, SLICE("own a main > own a work"), 3);
    assert_int_equal(check(f, "syscall"), 0);
    f->profile.series.items[0].is_user_only = true;
    assert_refused(f, "syscall", "the kernel's part was not sampled");
    f->profile.series.items[0].is_user_only = false;
    f->profile.series.items[0].heap = HEAP_EVENT_COUNT;
    assert_refused(f, "function,syscall", "memory is asked for in the program");
}

static void folded_stacks_are_names_alone(void **state)
{
    static const char *const untold[] = {"dso", "file", "function,line", "process", "tid", "pid", "syscall"};
    struct profile_fixture *f = *state;

    f->profile.series.items[0].event = profile_string(&f->profile, SLICE(SERIES_FOLDED));
    profile_builder_add(&f->profile, 0, SLICE("own a main > own a work"), 3);
    for (size_t i = 0; i < ARRAY_COUNT(untold); i++)
        assert_refused(f, untold[i], "folded stacks");
    assert_int_equal(check(f, "function,crate,module,thread"), 0);
    profile_builder_add(&f->profile, 0, SLICE("own a main > kernel [kernel] __x64_sys_read"), 3);
    assert_int_equal(check(f, "syscall"), 0);
}

static void without_samples_nothing_is_missing(void **state)
{
    assert_int_equal(check(*state, "task,syscall"), 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, profile_fixture_set_up, profile_fixture_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_profile_that_tells_of_no_future_has_no_tasks),
        TEST(without_callers_there_are_no_tasks_and_no_system_calls),
        TEST(what_was_not_sampled_has_no_system_calls),
        TEST(folded_stacks_are_names_alone),
        TEST(without_samples_nothing_is_missing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

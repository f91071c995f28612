#include "cmocka_all.h"

#include "sampler/perf/late_threads.h"

enum { EARLY = 3, LATE = 7, CHILD = 8, OLD_EVENT = 10, OWN_EVENT = 20 };

static int set_up(void **state)
{
    static struct late_threads threads;

    late_threads_add(&threads, LATE, OWN_EVENT);
    *state = &threads;
    return 0;
}

static int tear_down(void **state)
{
    late_threads_done(*state);
    return 0;
}

static bool is_twice(struct late_threads *threads, uint32_t tid, uint64_t event_id)
{
    const struct sampler_event sample = {.kind = SAMPLER_SAMPLE, .pid = 1, .tid = tid, .event_id = event_id};

    return late_threads_are_told_twice(threads, &sample);
}

static void fork_thread(struct late_threads *threads, uint32_t parent, uint32_t tid)
{
    const struct sampler_event event = {
        .kind = SAMPLER_FORK, .pid = 1, .tid = tid, .fork = {.parent_pid = 1, .parent_tid = parent}};

    assert_false(late_threads_are_told_twice(threads, &event));
}

static void what_a_late_thread_inherited_tells_nothing_new(void **state)
{
    assert_true(is_twice(*state, LATE, OLD_EVENT));
    assert_false(is_twice(*state, LATE, OWN_EVENT));
    assert_false(is_twice(*state, LATE, OWN_EVENT + 1));
}

static void other_threads_have_their_samples(void **state)
{
    assert_false(is_twice(*state, EARLY, OLD_EVENT));
}

static void what_comes_from_a_late_thread_has_both_events_too(void **state)
{
    fork_thread(*state, LATE, CHILD);
    assert_true(is_twice(*state, CHILD, OLD_EVENT));
    assert_false(is_twice(*state, CHILD, OWN_EVENT));
    fork_thread(*state, EARLY, EARLY + 1);
    assert_false(is_twice(*state, EARLY + 1, OLD_EVENT));
}

static void a_number_that_is_used_again_is_another_thread(void **state)
{
    fork_thread(*state, EARLY, LATE);
    assert_false(is_twice(*state, LATE, OLD_EVENT));
}

static void a_thread_that_ended_is_forgotten(void **state)
{
    const struct sampler_event end = {.kind = SAMPLER_EXIT, .pid = 1, .tid = LATE};

    assert_false(late_threads_are_told_twice(*state, &end));
    assert_false(is_twice(*state, LATE, OLD_EVENT));
}

static void a_thread_that_is_gone_changes_nothing(void **state)
{
    late_threads_add(*state, LATE, UINT64_MAX);
    assert_false(is_twice(*state, LATE, OWN_EVENT));
    late_threads_add(*state, EARLY, UINT64_MAX);
    assert_false(is_twice(*state, EARLY, OLD_EVENT));
}

static void other_events_are_let_pass(void **state)
{
    const struct sampler_event name = {.kind = SAMPLER_NAME, .pid = 1, .tid = LATE};

    assert_false(late_threads_are_told_twice(*state, &name));
}

static void so_it_is_of_what_came_and_went(void **state)
{
    const struct sampler_event inherited = {.kind = SAMPLER_SWITCH, .tid = LATE, .event_id = OWN_EVENT - 1};
    const struct sampler_event own = {.kind = SAMPLER_SWITCH, .tid = LATE, .event_id = OWN_EVENT};

    assert_true(late_threads_are_told_twice(*state, &inherited));
    assert_false(late_threads_are_told_twice(*state, &own));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_a_late_thread_inherited_tells_nothing_new, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_threads_have_their_samples, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_comes_from_a_late_thread_has_both_events_too, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_number_that_is_used_again_is_another_thread, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_thread_that_ended_is_forgotten, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_thread_that_is_gone_changes_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_events_are_let_pass, set_up, tear_down),
        cmocka_unit_test_setup_teardown(so_it_is_of_what_came_and_went, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

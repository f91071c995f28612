#include "emit/firefox_ids.h"

#include "base/memory.h"
#include "profile_fixture.h"

static uint32_t add(struct profile *profile, uint32_t pid, uint32_t tid, const char *name,
                    const char *process)
{
    uint32_t thread = profile_add_thread(profile, pid, tid, slice_of(name));

    profile->threads.items[thread].process_name = profile_string(profile, slice_of(process));
    return thread;
}

static void assert_id(struct firefox_id id, uint32_t pid_repeat, uint32_t tid_repeat, bool is_main)
{
    assert_int_equal(id.pid_repeat, pid_repeat);
    assert_int_equal(id.tid_repeat, tid_repeat);
    assert_int_equal(id.is_main, is_main);
}

static void threads_of_a_process_have_its_pid_and_one_is_the_main_one(void **state)
{
    struct profile_fixture *f = *state;
    SCOPED(memory_free_at) struct firefox_id *ids = NULL;
    uint32_t worker = add(&f->profile, 7, 8, "worker", "app");
    uint32_t leader = add(&f->profile, 7, 7, "app", "app");

    ids = firefox_ids_make(&f->profile);
    assert_id(ids[worker], 0, 0, false);
    assert_id(ids[leader], 0, 0, true);
}

/* Though the worker took the processor first. */
static void an_exec_begins_another_process(void **state)
{
    struct profile_fixture *f = *state;
    SCOPED(memory_free_at) struct firefox_id *ids = NULL;
    uint32_t shell = add(&f->profile, 7, 7, "sh", "sh");
    uint32_t worker = add(&f->profile, 7, 8, "worker", "app");
    uint32_t leader = add(&f->profile, 7, 7, "app", "app");

    ids = firefox_ids_make(&f->profile);
    assert_id(ids[shell], 0, 0, true);
    assert_id(ids[worker], 1, 0, false);
    assert_id(ids[leader], 1, 1, true);
}

static void so_does_one_of_a_program_with_the_same_name(void **state)
{
    struct profile_fixture *f = *state;
    SCOPED(memory_free_at) struct firefox_id *ids = NULL;
    uint32_t proxy = add(&f->profile, 7, 7, "cargo", "cargo");
    uint32_t leader = add(&f->profile, 7, 7, "cargo", "cargo");
    uint32_t worker = add(&f->profile, 7, 8, "worker", "cargo");

    ids = firefox_ids_make(&f->profile);
    assert_id(ids[proxy], 0, 0, true);
    assert_id(ids[leader], 1, 1, true);
    assert_id(ids[worker], 1, 0, false);
}

static void a_renamed_thread_stays_in_its_process(void **state)
{
    struct profile_fixture *f = *state;
    SCOPED(memory_free_at) struct firefox_id *ids = NULL;
    uint32_t leader = add(&f->profile, 7, 7, "app", "app");
    uint32_t renamed = add(&f->profile, 7, 7, "app: serving", "app");
    uint32_t worker = add(&f->profile, 7, 8, "idle", "app");
    uint32_t busy = add(&f->profile, 7, 8, "busy", "app");

    ids = firefox_ids_make(&f->profile);
    assert_id(ids[leader], 0, 0, true);
    assert_id(ids[renamed], 0, 1, false);
    assert_id(ids[worker], 0, 0, false);
    assert_id(ids[busy], 0, 1, false);
}

/* They tell no ids. */
static void threads_of_folded_stacks_are_each_of_a_process_of_its_own(void **state)
{
    struct profile_fixture *f = *state;
    SCOPED(memory_free_at) struct firefox_id *ids = NULL;
    uint32_t first = profile_add_thread(&f->profile, 0, 0, SLICE("app"));
    uint32_t second = profile_add_thread(&f->profile, 0, 0, SLICE("worker"));

    ids = firefox_ids_make(&f->profile);
    assert_id(ids[first], 0, 0, true);
    assert_id(ids[second], 1, 1, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(threads_of_a_process_have_its_pid_and_one_is_the_main_one,
                                        profile_fixture_set_up, profile_fixture_tear_down),
        cmocka_unit_test_setup_teardown(an_exec_begins_another_process, profile_fixture_set_up,
                                        profile_fixture_tear_down),
        cmocka_unit_test_setup_teardown(so_does_one_of_a_program_with_the_same_name, profile_fixture_set_up,
                                        profile_fixture_tear_down),
        cmocka_unit_test_setup_teardown(a_renamed_thread_stays_in_its_process, profile_fixture_set_up,
                                        profile_fixture_tear_down),
        cmocka_unit_test_setup_teardown(threads_of_folded_stacks_are_each_of_a_process_of_its_own,
                                        profile_fixture_set_up, profile_fixture_tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What threads waited, by when they leave their processors and come back. */
#include "cmocka_all.h"

#include "collect/waits/waits.h"

enum { TID = 12, OTHER = 13, STACK = 5 };

static const struct waits_window always = {0, UINT64_MAX};

static int set_up(void **state)
{
    static struct waits waits;

    waits = (struct waits){0};
    *state = &waits;
    return 0;
}

static int tear_down(void **state)
{
    waits_done(*state);
    return 0;
}

static void take_sample(struct waits *waits, uint32_t tid, uint64_t time_ns, uint64_t read_ns)
{
    struct held_sample sample = {
        .sample = {.stack = STACK, .time_ns = time_ns}, .end = STACK_COMPLETE, .is_candidate = read_ns > 0};

    waits_sample(waits, tid, time_ns, read_ns, &sample);
}

static void leave(struct waits *waits, uint32_t tid, uint64_t time_ns)
{
    take_sample(waits, tid, time_ns, 0);
    waits_leave(waits, tid, time_ns, false);
}

/* What it waited in microseconds; 0 when it did not. */
static uint64_t come_back(struct waits *waits, uint32_t tid, uint64_t time_ns)
{
    struct held_sample out = {0};

    return waits_return(waits, tid, time_ns, always, &out) ? out.sample.value : 0;
}

static void a_wait_lasts_from_when_the_thread_leaves_until_it_is_back(void **state)
{
    struct waits *waits = *state;
    struct held_sample out = {0};

    leave(waits, TID, 1000000);
    leave(waits, OTHER, 1500000);
    assert_true(waits_return(waits, TID, 3000400, always, &out));
    assert_int_equal(out.sample.value, 2000);
    assert_int_equal(out.sample.time_ns, 3000400);
    assert_int_equal(out.sample.stack, STACK);
    assert_int_equal(come_back(waits, OTHER, 1500001), 1); /* none is of nothing */
    assert_int_equal(waits->missed_count, 0);
}

static void what_taking_the_sample_took_is_no_waiting(void **state)
{
    struct waits *waits = *state;

    take_sample(waits, TID, 1000000, 0);
    waits_leave(waits, TID, 1006000, false);
    assert_int_equal(come_back(waits, TID, 1016000), 10);
}

static void who_has_to_leave_for_others_does_not_wait(void **state)
{
    struct waits *waits = *state;

    take_sample(waits, TID, 1000000, 0);
    waits_leave(waits, TID, 1000000, true);
    assert_int_equal(come_back(waits, TID, 9000000), 0);
    leave(waits, TID, 9000000);
    assert_int_equal(come_back(waits, TID, 9005000), 5);
    assert_int_equal(waits->missed_count, 0);
    assert_int_equal(waits->ready_ns, 8000000);
}

static void who_is_ready_at_the_end_was_so_until_then_within_the_window(void **state)
{
    const struct waits_window window = {2000000, 5000000};
    struct waits *waits = *state;
    struct held_sample out = {0};

    take_sample(waits, TID, 1000000, 0);
    waits_leave(waits, TID, 1000000, true);
    take_sample(waits, OTHER, 4000000, 0);
    waits_leave(waits, OTHER, 4000000, true);
    assert_false(waits_return(waits, OTHER, 9000000, window, &out));
    assert_int_equal(waits->ready_ns, 1000000);
    assert_false(waits_take(waits, 9000000, window, &out));
    assert_false(waits_take(waits, 9000000, window, &out));
    assert_int_equal(waits->ready_ns, 4000000);
}

static void a_thread_that_begins_has_waited_for_nothing(void **state)
{
    struct waits *waits = *state;

    assert_int_equal(come_back(waits, TID, 1000000), 0);
    assert_int_equal(waits->missed_count, 0);
}

static void a_sample_that_found_no_room_is_asked_for(void **state)
{
    struct waits *waits = *state;

    assert_false(waits_has_sample(waits, TID));
    take_sample(waits, TID, 1000000, 0);
    assert_true(waits_has_sample(waits, TID));
    waits_leave(waits, TID, 1000000, false);
    assert_false(waits_has_sample(waits, TID));
}

static void what_came_and_went_without_our_knowing_is_missed(void **state)
{
    struct waits *waits = *state;

    leave(waits, TID, 1000000);
    leave(waits, TID, 5000000); /* it was back meanwhile */
    assert_int_equal(waits->missed_count, 1);
    assert_int_equal(come_back(waits, TID, 6000000), 1000);
    assert_int_equal(come_back(waits, TID, 8000000), 0); /* and left again */
    assert_int_equal(waits->missed_count, 2);
    leave(waits, TID, 9000000);
    waits_forget(waits, 1001); /* that it came back is one of these */
    assert_int_equal(waits->missed_count, 503);
    assert_int_equal(come_back(waits, TID, 9500000), 0);
    assert_int_equal(waits->missed_count, 503);
}

/* Who waits as it is found has a wait from then on, unless it has come or gone by itself since. */
static void a_thread_is_known_once_anything_was_told_of_it(void **state)
{
    struct waits *waits = *state;

    assert_false(waits_knows(waits, TID));
    leave(waits, OTHER, 1000000);
    assert_true(waits_knows(waits, OTHER));
    assert_false(waits_knows(waits, TID));
    come_back(waits, TID, 1000000);
    assert_true(waits_knows(waits, TID));
    waits_end(waits, TID);
    assert_true(waits_knows(waits, TID));
    waits_forget(waits, 1);
    assert_false(waits_knows(waits, OTHER));
    assert_true(waits_knows(waits, TID));
}

static void what_leaves_as_it_ends_does_not_wait(void **state)
{
    struct waits *waits = *state;
    struct held_sample out = {0};

    waits_end(waits, TID);
    leave(waits, TID, 1000000);
    assert_false(waits_take(waits, 9000000, always, &out));
    waits_forget(waits, 0);
    leave(waits, TID, 2000000);
    assert_int_equal(come_back(waits, TID, 3000000), 0);
    waits_begin(waits, TID); /* its number is another's */
    leave(waits, TID, 4000000);
    assert_int_equal(come_back(waits, TID, 5000000), 1000);
}

static void what_waits_at_the_end_has_waited_until_then(void **state)
{
    struct waits *waits = *state;
    struct held_sample out = {0};

    leave(waits, TID, 1000000);
    leave(waits, OTHER, 2000000);
    assert_int_equal(come_back(waits, OTHER, 3000000), 1000);
    assert_true(waits_take(waits, 4000000, always, &out));
    assert_int_equal(out.sample.value, 3000);
    assert_false(waits_take(waits, 4000000, always, &out));
}

static void a_wait_counts_as_far_as_it_is_in_the_window(void **state)
{
    const struct waits_window window = {2000000, 5000000};
    struct waits *waits = *state;
    struct held_sample out = {0};

    leave(waits, TID, 1000000);
    assert_false(waits_return(waits, TID, 2000000, window, &out));
    leave(waits, TID, 1000000);
    assert_true(waits_return(waits, TID, 3000000, window, &out));
    assert_int_equal(out.sample.value, 1000);
    leave(waits, TID, 4000000);
    assert_true(waits_return(waits, TID, 9000000, window, &out));
    assert_int_equal(out.sample.value, 1000);
    assert_int_equal(out.sample.time_ns, 5000000);
    leave(waits, TID, 5000000);
    assert_false(waits_return(waits, TID, 9000000, window, &out));
}

/* Its stack is the same all the time, and memory that was read of it then is that of the sample. */
static void a_stack_read_while_the_thread_was_away_stands(void **state)
{
    struct waits *waits = *state;
    struct held_sample out = {0};

    take_sample(waits, TID, 1000000, 2000000);
    waits_leave(waits, TID, 1000000, false);
    assert_true(waits_return(waits, TID, 3000000, always, &out));
    assert_false(out.is_candidate);
    assert_int_equal(out.end, STACK_COMPLETE);
    take_sample(waits, TID, 4000000, 6000000);
    waits_leave(waits, TID, 4000000, false);
    assert_true(waits_return(waits, TID, 5000000, always, &out)); /* it was read after that */
    assert_true(out.is_candidate && out.is_doubtful);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_wait_lasts_from_when_the_thread_leaves_until_it_is_back, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_taking_the_sample_took_is_no_waiting, set_up, tear_down),
        cmocka_unit_test_setup_teardown(who_has_to_leave_for_others_does_not_wait, set_up, tear_down),
        cmocka_unit_test_setup_teardown(who_is_ready_at_the_end_was_so_until_then_within_the_window, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_thread_that_begins_has_waited_for_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_sample_that_found_no_room_is_asked_for, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_came_and_went_without_our_knowing_is_missed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_thread_is_known_once_anything_was_told_of_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_leaves_as_it_ends_does_not_wait, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_waits_at_the_end_has_waited_until_then, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_wait_counts_as_far_as_it_is_in_the_window, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_stack_read_while_the_thread_was_away_stands, set_up, tear_down),
    };

    return cmocka_run_group_tests_name("waits", tests, NULL, NULL);
}

/* What makes a stack that was completed from memory stand. */
#include "outer_fixture.h"

static enum outer_verdict verdict(const struct outer_fixture *f, struct outer_candidate candidate)
{
    return outer_verdict(&f->outer, &candidate, false);
}

/* When nothing more comes. */
static enum outer_verdict last_verdict(const struct outer_fixture *f, struct outer_candidate candidate)
{
    return outer_verdict(&f->outer, &candidate, true);
}

static void change_callers(struct outer_fixture *f, uint64_t call)
{
    for (size_t i = 600; i < 1999; i++)
        f->memory[(i + 1) * FRAME_WORDS - 1] = call + 1;
}

static void a_completed_stack_stands_once_the_readings_around_it_are_proved(void **state)
{
    struct outer_fixture *f = *state;
    struct outer_candidate first = agree(f, 1);
    struct outer_candidate candidate;

    assert_int_equal(verdict(f, first), OUTER_OPEN);
    agree(f, 23);
    assert_int_equal(verdict(f, first), OUTER_OPEN);
    candidate = agree(f, 1);
    assert_int_equal(verdict(f, first), OUTER_KEEP);
    agree(f, 23);
    assert_int_equal(verdict(f, candidate), OUTER_OPEN);
    agree(f, 1);
    assert_int_equal(verdict(f, candidate), OUTER_KEEP);
}

static void at_the_end_three_proved_readings_do(void **state)
{
    struct outer_fixture *f = *state;
    struct outer_candidate candidate = agree(f, 3);

    assert_int_equal(last_verdict(f, candidate), OUTER_TAKE_BACK);
    agree(f, 1);
    assert_int_equal(last_verdict(f, candidate), OUTER_KEEP);
    assert_int_equal(verdict(f, candidate), OUTER_OPEN);
}

static void a_completed_stack_stands_after_a_while_without_any_reading(void **state)
{
    struct outer_fixture *f = *state;
    struct outer_candidate candidate = agree(f, 4);

    for (unsigned i = 0; i < 31; i++)
        outer_begin_round(&f->outer);
    assert_int_equal(verdict(f, candidate), OUTER_OPEN);
    outer_begin_round(&f->outer);
    assert_int_equal(verdict(f, candidate), OUTER_KEEP);
}

/* The next sample is in other frames: the thread may have been on its way there when its memory was read. */
static void a_reading_is_no_proof_when_the_next_sample_is_elsewhere(void **state)
{
    struct outer_fixture *f = *state;
    struct outer_candidate before = agree(f, 9);
    struct outer_candidate candidate = agree(f, 9);

    f->copy[COPY_BYTES - 1]++;
    outer_begin_round(&f->outer);
    assert_cut(f, OUTER_REJECTED);
    assert_int_equal(last_verdict(f, before), OUTER_KEEP);
    assert_int_equal(last_verdict(f, candidate), OUTER_TAKE_BACK);
}

/* Other functions are as deep; the readings before and after that sample met the thread on its way. */
static void round_elsewhere(struct outer_fixture *f)
{
    f->copy[COPY_BYTES - 1]++;
    outer_begin_round(&f->outer);
    assert_cut(f, OUTER_REJECTED);
    f->copy[COPY_BYTES - 1]--;
}

static void a_thread_that_was_elsewhere_once_keeps_its_stacks(void **state)
{
    struct outer_fixture *f = *state;
    struct outer_candidate before = agree(f, 17);
    struct outer_candidate last = agree(f, 1);
    struct outer_candidate after;

    round_elsewhere(f);
    after = agree(f, 1);
    agree(f, 8);
    assert_int_equal(last_verdict(f, before), OUTER_KEEP);
    assert_int_equal(last_verdict(f, last), OUTER_TAKE_BACK);
    assert_int_equal(last_verdict(f, after), OUTER_KEEP);
}

static void one_that_was_elsewhere_twice_in_a_short_time_does_not(void **state)
{
    struct outer_fixture *f = *state;
    struct outer_candidate between;
    struct outer_candidate late;

    agree(f, 10);
    round_elsewhere(f);
    between = agree(f, 2);
    agree(f, 2);
    round_elsewhere(f);
    late = agree(f, 9);
    agree(f, 8);
    assert_int_equal(last_verdict(f, between), OUTER_TAKE_BACK);
    assert_int_equal(last_verdict(f, late), OUTER_KEEP);
}

static void a_thread_that_was_elsewhere_needs_more_readings(void **state)
{
    struct outer_fixture *f = *state;
    struct outer_candidate candidate;

    round_elsewhere(f);
    candidate = agree(f, 5);
    agree(f, 3);
    assert_int_equal(last_verdict(f, candidate), OUTER_TAKE_BACK);
    agree(f, 1);
    assert_int_equal(last_verdict(f, candidate), OUTER_KEEP);
}

/* The same words where the copy ends, under other callers. */
static void callers_that_change_unseen_take_back_what_was_completed_lately(void **state)
{
    struct outer_fixture *f = *state;
    struct outer_candidate old = agree(f, 10);
    struct outer_candidate late = agree(f, 8);

    change_callers(f, OTHER_CALL);
    outer_begin_round(&f->outer);
    assert_cut(f, OUTER_REJECTED);
    assert_cut(f, OUTER_REJECTED);
    assert_int_equal(last_verdict(f, old), OUTER_KEEP);
    assert_int_equal(last_verdict(f, late), OUTER_TAKE_BACK);
    /* And what is completed in the time after is not kept. */
    late = agree(f, 8);
    assert_int_equal(last_verdict(f, late), OUTER_TAKE_BACK);
    late = agree(f, 1);
    agree(f, 8);
    assert_int_equal(last_verdict(f, late), OUTER_KEEP);
}

/* A thread's last readings are few on one side: more on the other are asked instead. */
static void at_the_end_as_many_readings_must_agree_as_before(void **state)
{
    struct outer_fixture *f = *state;
    struct outer_candidate last;

    agree(f, 4);
    change_callers(f, OTHER_CALL);
    outer_begin_round(&f->outer);
    assert_cut(f, OUTER_REJECTED);
    last = agree(f, 16);
    assert_int_equal(last_verdict(f, last), OUTER_TAKE_BACK);
    last = agree(f, 1);
    assert_int_equal(last_verdict(f, last), OUTER_KEEP);
}

/* A round at which the callers are others than at the one before. */
static void round_with_other_callers(struct outer_fixture *f, uint64_t call)
{
    change_callers(f, call);
    outer_begin_round(&f->outer);
    assert_cut(f, OUTER_REJECTED);
}

static void callers_that_soon_change_again_take_back_more(void **state)
{
    struct outer_fixture *f = *state;
    struct outer_candidate early = agree(f, 20);
    struct outer_candidate before = agree(f, 5);
    struct outer_candidate late;

    agree(f, 17);
    round_with_other_callers(f, OTHER_CALL); /* reading 43 */
    agree(f, 15);
    assert_int_equal(last_verdict(f, before), OUTER_KEEP);
    round_with_other_callers(f, CALL); /* 16 later */
    assert_int_equal(last_verdict(f, early), OUTER_KEEP);
    assert_int_equal(last_verdict(f, before), OUTER_KEEP);
    late = agree(f, 17);
    assert_int_equal(last_verdict(f, late), OUTER_TAKE_BACK);
    late = agree(f, 47);
    assert_int_equal(last_verdict(f, late), OUTER_TAKE_BACK);
    late = agree(f, 1);
    assert_int_equal(last_verdict(f, late), OUTER_KEEP);
}

/* As of a coroutine that is resumed for long from several places in turn. */
static void callers_that_stay_for_long_are_told_between_two_changes(void **state)
{
    struct outer_fixture *f = *state;
    struct outer_candidate early;
    struct outer_candidate late;

    agree(f, 42);
    round_with_other_callers(f, OTHER_CALL); /* reading 43 */
    early = agree(f, 8);
    late = agree(f, 1);
    agree(f, 7);
    round_with_other_callers(f, CALL); /* 17 later */
    agree(f, 15);
    assert_int_equal(verdict(f, early), OUTER_TAKE_BACK); /* nobody knew by then how long these stay */
    assert_int_equal(verdict(f, late), OUTER_OPEN);
    agree(f, 1);
    assert_int_equal(verdict(f, late), OUTER_KEEP);
}

static void callers_that_change_for_good_take_back_little(void **state)
{
    struct outer_fixture *f = *state;
    struct outer_candidate before = agree(f, 17);
    struct outer_candidate close = agree(f, 1);
    struct outer_candidate after;

    agree(f, 1);
    round_with_other_callers(f, OTHER_CALL);
    agree(f, 1);
    assert_int_equal(last_verdict(f, before), OUTER_TAKE_BACK);
    agree(f, 1);
    after = agree(f, 1);
    agree(f, 23);
    assert_int_equal(last_verdict(f, before), OUTER_KEEP);
    assert_int_equal(last_verdict(f, close), OUTER_TAKE_BACK);
    assert_int_equal(last_verdict(f, after), OUTER_TAKE_BACK);
    agree(f, 1);
    assert_int_equal(last_verdict(f, after), OUTER_KEEP);
}

static void what_was_completed_just_before_they_did_is_taken_back_too(void **state)
{
    struct outer_fixture *f = *state;
    struct outer_candidate early = agree(f, 20);
    struct outer_candidate candidate = agree(f, 1);

    agree(f, 22);
    round_with_other_callers(f, OTHER_CALL);
    round_with_other_callers(f, CALL);
    assert_int_equal(last_verdict(f, early), OUTER_KEEP);
    assert_int_equal(last_verdict(f, candidate), OUTER_TAKE_BACK);
}

/* What is called there leads to no other function, and is not the one below. */
static bool may_call(void *context, uint64_t call, uint64_t callee)
{
    (void)context;
    return call != OTHER_CALL || callee == OTHER_CALL;
}

/* One round while the thread is between two calls; the sample is from before. */
static struct outer_candidate round_between_calls(struct outer_fixture *f)
{
    struct outer_candidate candidate;

    change_callers(f, OTHER_CALL);
    outer_begin_round(&f->outer);
    assert_completed(f, 2000);
    assert_int_equal(f->unwinder.frames[1000].address, CALL);
    candidate = outer_fixture_walk(f).candidate;
    change_callers(f, CALL);
    return candidate;
}

static void a_reading_whose_calls_cannot_have_been_tells_nothing(void **state)
{
    struct outer_fixture *f = *state;
    struct outer_candidate before;
    struct outer_candidate candidate;

    f->may_call = may_call;
    before = agree(f, 17);
    candidate = round_between_calls(f);
    agree(f, 8);
    assert_int_equal(last_verdict(f, before), OUTER_KEEP);
    assert_int_equal(last_verdict(f, candidate), OUTER_KEEP);
}

/* What stands where a return address did leads to no code. */
static void make_lead_nowhere(struct outer_fixture *f)
{
    f->memory[1900 * FRAME_WORDS - 1] = UINT64_MAX;
}

static void a_reading_that_leads_nowhere_tells_nothing(void **state)
{
    struct outer_fixture *f = *state;
    struct outer_candidate before = agree(f, 17);
    struct outer_candidate candidate;
    struct outer_candidate after;

    make_lead_nowhere(f);
    outer_begin_round(&f->outer);
    assert_completed(f, 2000);
    candidate = outer_fixture_walk(f).candidate;
    change_callers(f, CALL);
    after = agree(f, 1);
    agree(f, 8);
    assert_int_equal(last_verdict(f, before), OUTER_KEEP);
    assert_int_equal(last_verdict(f, candidate), OUTER_KEEP);
    assert_int_equal(last_verdict(f, after), OUTER_KEEP);
}

static void the_reading_before_it_tells_of_a_short_time_alone(void **state)
{
    enum { LONG = 4 };
    struct outer_fixture *f = *state;

    agree(f, 17);
    make_lead_nowhere(f);
    for (int i = 0; i < LONG; i++)
        outer_begin_round(&f->outer);
    assert_cut(f, OUTER_REJECTED);
}

static void where_many_readings_tell_nothing_nothing_is_kept(void **state)
{
    struct outer_fixture *f = *state;
    struct outer_candidate candidate;

    f->may_call = may_call;
    agree(f, 17);
    for (int i = 0; i < 3; i++) {
        round_between_calls(f);
        candidate = agree(f, 2);
    }
    round_between_calls(f);
    agree(f, 4);
    assert_int_equal(last_verdict(f, candidate), OUTER_KEEP);
    round_between_calls(f);
    assert_int_equal(last_verdict(f, candidate), OUTER_TAKE_BACK);
}

/* As many readings are asked as without it. */
static void a_reading_that_tells_nothing_is_not_one_of_those_that_must_agree(void **state)
{
    struct outer_fixture *f = *state;
    struct outer_candidate last;

    f->may_call = may_call;
    change_callers(f, CALL + 0x100);
    agree(f, 4);
    change_callers(f, CALL);
    outer_begin_round(&f->outer);
    assert_cut(f, OUTER_REJECTED);
    agree(f, 15);
    round_between_calls(f);
    last = agree(f, 1);
    assert_int_equal(last_verdict(f, last), OUTER_TAKE_BACK);
    last = agree(f, 1);
    assert_int_equal(last_verdict(f, last), OUTER_KEEP);
}

static void a_thread_whose_first_readings_tell_nothing_needs_more_of_them(void **state)
{
    struct outer_fixture *f = *state;
    struct outer_candidate candidate;

    f->may_call = may_call;
    agree(f, 2);
    round_between_calls(f);
    candidate = agree(f, 6);
    assert_int_equal(last_verdict(f, candidate), OUTER_TAKE_BACK);
    agree(f, 2);
    assert_int_equal(last_verdict(f, candidate), OUTER_KEEP);
}

static size_t read_between_calls(void *context, uint64_t start, size_t length, char *out)
{
    struct outer_fixture *f = context;
    size_t count = outer_fixture_read(context, start, length, out);

    if (start < STACK_START + COPY_BYTES)
        change_callers(f, CALL);
    return count;
}

static void a_thread_caught_between_two_calls_is_read_again_once_in_a_while(void **state)
{
    struct outer_fixture *f = *state;
    struct outer_candidate candidate = agree(f, 4);

    f->outer.read = read_between_calls;
    change_callers(f, OTHER_CALL);
    agree(f, 1);
    assert_int_equal(last_verdict(f, candidate), OUTER_KEEP);
    change_callers(f, OTHER_CALL);
    outer_begin_round(&f->outer);
    assert_cut(f, OUTER_REJECTED);
    assert_int_equal(last_verdict(f, candidate), OUTER_TAKE_BACK);
}

/* The thread has to leave for others again and again, each time in other innermost calls. */
static void what_is_read_as_a_thread_leaves_is_not_held_against_its_samples(void **state)
{
    enum { COPY_OF_WAITS = 16384, ROUNDS = 30 };
    struct outer_fixture *f = *state;
    struct outer_result result = {0};

    for (unsigned i = 0; i < ROUNDS; i++) {
        for (size_t word = 0; word < COPY_OF_WAITS / 8; word += FRAME_WORDS)
            f->memory[word] = i;
        outer_fixture_sample(f);
        outer_begin_round(&f->outer);
        f->copy_bytes = COPY_OF_WAITS;
        f->is_of_wait = true;
        result = outer_fixture_walk(f);
        assert_int_equal(result.outcome, OUTER_COMPLETED);
        assert_true(result.candidate.is_of_round);
        f->copy_bytes = COPY_BYTES;
        f->is_of_wait = false;
        result = outer_fixture_walk(f);
        assert_int_equal(result.outcome, OUTER_COMPLETED);
    }
    assert_int_equal(last_verdict(f, result.candidate), OUTER_KEEP);
    outer_end_thread(&f->outer, THREAD);
    assert_int_equal(f->outer.total_bytes, 0);
}

static void a_thread_that_ended_gives_its_memory_back(void **state)
{
    struct outer_fixture *f = *state;
    struct outer_candidate candidate = agree(f, 5);

    assert_true(f->outer.total_bytes > 0);
    outer_end_thread(&f->outer, THREAD);
    outer_end_thread(&f->outer, THREAD + 1);
    assert_int_equal(f->outer.total_bytes, 0);
    assert_int_equal(last_verdict(f, candidate), OUTER_KEEP);
    f->is_gone = true;
    assert_cut(f, OUTER_REFUSED);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, outer_fixture_set_up, outer_fixture_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_completed_stack_stands_once_the_readings_around_it_are_proved),
        TEST(at_the_end_three_proved_readings_do),
        TEST(a_completed_stack_stands_after_a_while_without_any_reading),
        TEST(a_reading_is_no_proof_when_the_next_sample_is_elsewhere),
        TEST(a_thread_that_was_elsewhere_once_keeps_its_stacks),
        TEST(one_that_was_elsewhere_twice_in_a_short_time_does_not),
        TEST(a_thread_that_was_elsewhere_needs_more_readings),
        TEST(callers_that_change_unseen_take_back_what_was_completed_lately),
        TEST(callers_that_soon_change_again_take_back_more),
        TEST(callers_that_stay_for_long_are_told_between_two_changes),
        TEST(callers_that_change_for_good_take_back_little),
        TEST(what_was_completed_just_before_they_did_is_taken_back_too),
        TEST(at_the_end_as_many_readings_must_agree_as_before),
        TEST(a_reading_whose_calls_cannot_have_been_tells_nothing),
        TEST(a_reading_that_leads_nowhere_tells_nothing),
        TEST(the_reading_before_it_tells_of_a_short_time_alone),
        TEST(where_many_readings_tell_nothing_nothing_is_kept),
        TEST(a_reading_that_tells_nothing_is_not_one_of_those_that_must_agree),
        TEST(a_thread_whose_first_readings_tell_nothing_needs_more_of_them),
        TEST(a_thread_caught_between_two_calls_is_read_again_once_in_a_while),
        TEST(what_is_read_as_a_thread_leaves_is_not_held_against_its_samples),
        TEST(a_thread_that_ended_gives_its_memory_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

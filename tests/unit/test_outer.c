#include "outer_fixture.h"

#include <string.h>

static void a_deep_stack_is_completed_from_memory(void **state)
{
    struct fixture *f = *state;

    assert_completed(f, 2000);
}

static void a_stack_of_any_depth_is_read_to_its_end(void **state)
{
    struct fixture *f = *state;

    fill(f, 11000, CALL);
    sample(f);
    assert_completed(f, 11000);
}

static void a_stack_that_the_copy_holds_is_not_read(void **state)
{
    struct fixture *f = *state;

    fill(f, 100, CALL);
    memset(f->copy, 0, COPY_BYTES);
    memcpy(f->copy, f->memory, (size_t)100 * FRAME_BYTES);
    assert_int_equal(walk(f).outcome, OUTER_NOT_NEEDED);
    assert_int_equal(f->unwinder.frame_count, 101);
    assert_int_equal(f->read_count, 0);
}

static void samples_of_one_look_share_a_reading(void **state)
{
    struct fixture *f = *state;
    unsigned first = 0;

    assert_completed(f, 2000);
    first = f->read_count;
    assert_completed(f, 2000);
    assert_int_equal(f->read_count, first);
    outer_begin_look(&f->outer);
    assert_completed(f, 2000);
    assert_true(f->read_count > first);
}

static void a_deeper_sample_of_the_same_look_is_completed_too(void **state)
{
    struct fixture *f = *state;

    f->registers.values[REGISTERS_SP] = STACK_START + 1000 * FRAME_BYTES;
    memcpy(f->copy, (const char *)f->memory + (size_t)1000 * FRAME_BYTES, COPY_BYTES);
    assert_completed(f, 1000);
    f->registers.values[REGISTERS_SP] = STACK_START;
    sample(f);
    assert_completed(f, 2000);
}

static void memory_that_changed_where_the_copy_ends_is_not_taken(void **state)
{
    struct fixture *f = *state;

    f->memory[COPY_BYTES / 8 - 1]++;
    assert_cut(f, OUTER_REJECTED);
    f->memory[COPY_BYTES / 8 - 1]--;
    outer_begin_look(&f->outer);
    assert_completed(f, 2000);
}

static void a_small_copy_is_completed_too_and_one_with_too_few_words_is_not(void **state)
{
    struct fixture *f = *state;
    struct outer_result result;

    f->copy_bytes = 1024;
    result = walk(f);
    assert_int_equal(result.outcome, OUTER_COMPLETED);
    assert_int_equal(f->unwinder.frame_count, 2001);
    f->copy_bytes = 1016;
    assert_int_equal(walk(f).outcome, OUTER_REJECTED);
}

static void memory_that_changed_further_in_is_no_matter(void **state)
{
    struct fixture *f = *state;

    memset(f->memory, 0xee, COPY_BYTES - 8192);
    assert_completed(f, 2000);
}

static void a_process_that_is_gone_leaves_the_stack_cut(void **state)
{
    struct fixture *f = *state;

    f->is_gone = true;
    assert_cut(f, OUTER_REFUSED);
}

static void what_was_proved_lately_completes_when_the_process_is_gone(void **state)
{
    struct fixture *f = *state;

    agree(f, 4);
    outer_begin_look(&f->outer);
    f->is_gone = true;
    assert_completed(f, 2000);
    for (unsigned i = 0; i < 4; i++)
        outer_begin_look(&f->outer);
    assert_cut(f, OUTER_REFUSED);
}

static void what_was_read_and_never_proved_does_not(void **state)
{
    struct fixture *f = *state;

    assert_completed(f, 2000);
    f->is_gone = true;
    outer_begin_look(&f->outer);
    f->copy[COPY_BYTES - 1]++; /* the next sample is in other frames */
    assert_cut(f, OUTER_REFUSED);
    f->copy[COPY_BYTES - 1]--;
    assert_cut(f, OUTER_REFUSED);
}

static void callers_that_lead_nowhere_are_not_taken(void **state)
{
    struct fixture *f = *state;

    f->memory[1900 * FRAME_WORDS - 1] = UINT64_MAX;
    assert_cut(f, OUTER_REJECTED);
}

static void a_stack_without_end_is_not_taken(void **state)
{
    struct fixture *f = *state;

    f->memory[2000 * FRAME_WORDS - 1] = CALL;
    assert_cut(f, OUTER_REJECTED);
}

static void a_function_whose_return_address_is_zero_past_the_copy_has_no_callers(void **state)
{
    struct fixture *f = *state;
    struct outer_result result;

    f->registers.values[REGISTERS_IP] = BIG_FRAME;
    f->copy_bytes = BIG_FRAME_BYTES / 2;
    f->memory[BIG_FRAME_BYTES / 8 - 1] = 0;
    result = walk(f);
    assert_int_equal(result.outcome, OUTER_COMPLETED);
    assert_int_equal(result.end, UNWIND_COMPLETE);
    assert_int_equal(f->unwinder.frame_count, 1);
}

static void a_completed_stack_stands_once_the_readings_around_it_are_proved(void **state)
{
    struct fixture *f = *state;
    struct outer_claim claim = agree(f, 1);

    assert_int_equal(verdict(f, claim), OUTER_OPEN);
    agree(f, 31);
    assert_int_equal(verdict(f, claim), OUTER_OPEN);
    agree(f, 1);
    assert_int_equal(verdict(f, claim), OUTER_KEEP);
}

static void at_the_end_three_proved_readings_do(void **state)
{
    struct fixture *f = *state;
    struct outer_claim claim = agree(f, 3);

    assert_int_equal(outer_verdict(&f->outer, claim, true), OUTER_TAKE_BACK);
    agree(f, 1);
    assert_int_equal(outer_verdict(&f->outer, claim, true), OUTER_KEEP);
    assert_int_equal(verdict(f, claim), OUTER_OPEN);
}

static void a_completed_stack_stands_after_a_while_without_any_reading(void **state)
{
    struct fixture *f = *state;
    struct outer_claim claim = agree(f, 4);

    for (unsigned i = 0; i < 31; i++)
        outer_begin_look(&f->outer);
    assert_int_equal(verdict(f, claim), OUTER_OPEN);
    outer_begin_look(&f->outer);
    assert_int_equal(verdict(f, claim), OUTER_KEEP);
}

/* The next sample is in other frames: the thread may have been on its way there when its memory was read. */
static void a_reading_is_no_proof_when_the_next_sample_is_elsewhere(void **state)
{
    struct fixture *f = *state;
    struct outer_claim before = agree(f, 3);
    struct outer_claim claim = agree(f, 9);

    f->copy[COPY_BYTES - 1]++;
    outer_begin_look(&f->outer);
    assert_cut(f, OUTER_REJECTED);
    assert_int_equal(outer_verdict(&f->outer, before, true), OUTER_KEEP);
    assert_int_equal(outer_verdict(&f->outer, claim, true), OUTER_TAKE_BACK);
}

static void a_thread_that_ended_gives_its_memory_back(void **state)
{
    struct fixture *f = *state;
    struct outer_claim claim = agree(f, 5);

    assert_true(f->outer.total_bytes > 0);
    outer_end_thread(&f->outer, THREAD);
    outer_end_thread(&f->outer, THREAD + 1);
    assert_int_equal(f->outer.total_bytes, 0);
    assert_int_equal(outer_verdict(&f->outer, claim, true), OUTER_KEEP);
    f->is_gone = true;
    assert_cut(f, OUTER_REFUSED);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, outer_fixture_set_up, outer_fixture_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_deep_stack_is_completed_from_memory),
        TEST(a_stack_of_any_depth_is_read_to_its_end),
        TEST(a_stack_that_the_copy_holds_is_not_read),
        TEST(samples_of_one_look_share_a_reading),
        TEST(a_deeper_sample_of_the_same_look_is_completed_too),
        TEST(memory_that_changed_where_the_copy_ends_is_not_taken),
        TEST(a_small_copy_is_completed_too_and_one_with_too_few_words_is_not),
        TEST(memory_that_changed_further_in_is_no_matter),
        TEST(a_process_that_is_gone_leaves_the_stack_cut),
        TEST(what_was_proved_lately_completes_when_the_process_is_gone),
        TEST(what_was_read_and_never_proved_does_not),
        TEST(callers_that_lead_nowhere_are_not_taken),
        TEST(a_stack_without_end_is_not_taken),
        TEST(a_completed_stack_stands_once_the_readings_around_it_are_proved),
        TEST(at_the_end_three_proved_readings_do),
        TEST(a_completed_stack_stands_after_a_while_without_any_reading),
        TEST(a_reading_is_no_proof_when_the_next_sample_is_elsewhere),
        TEST(a_function_whose_return_address_is_zero_past_the_copy_has_no_callers),
        TEST(a_thread_that_ended_gives_its_memory_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "outer_fixture.h"

#include <string.h>

/* Readings that show other callers than those around them. */

static void callers_that_change_unseen_take_back_what_was_completed_lately(void **state)
{
    struct fixture *f = *state;
    struct outer_claim old = agree(f, 4);
    struct outer_claim late = agree(f, 8);
    struct outer_claim now;

    change_callers(f, OTHER_CALL);
    now = agree(f, 1);
    assert_int_equal(outer_verdict(&f->outer, old, true), OUTER_KEEP);
    assert_int_equal(outer_verdict(&f->outer, late, true), OUTER_TAKE_BACK);
    assert_int_equal(outer_verdict(&f->outer, now, true), OUTER_TAKE_BACK);
    /* And what is completed in the time after is not kept. */
    late = agree(f, 8);
    assert_int_equal(outer_verdict(&f->outer, late, true), OUTER_TAKE_BACK);
    late = agree(f, 1);
    assert_int_equal(f->unwinder.frames[700].address, OTHER_CALL);
    agree(f, 32);
    assert_int_equal(verdict(f, late), OUTER_KEEP);
}

static void callers_that_come_and_go_take_back_what_was_completed_further_around(void **state)
{
    struct fixture *f = *state;
    struct outer_claim claim = agree(f, 4);

    for (unsigned i = 0; i < 2; i++) {
        agree(f, 9);
        change_callers(f, OTHER_CALL);
        agree(f, 1);
        change_callers(f, CALL);
        agree(f, 1);
        assert_int_equal(outer_verdict(&f->outer, claim, true), i == 0 ? OUTER_KEEP : OUTER_TAKE_BACK);
    }
}

/* A reading that shows frame 600 in another of its calls. */
static struct outer_claim read_in_another_call(struct fixture *f)
{
    uint64_t *return_address = &f->memory[600 * FRAME_WORDS - 1];
    struct outer_claim claim;

    *return_address = OTHER_CALL + 1;
    claim = agree(f, 1);
    assert_int_equal(f->unwinder.frames[600].address, CALL);
    return claim;
}

/* A sample in a frame; afterwards the memory is what it was before the reading. */
static void sample_at(struct fixture *f, uint64_t address, size_t frame)
{
    uint64_t offset = frame * FRAME_BYTES;

    f->registers.values[REGISTERS_IP] = address;
    f->registers.values[REGISTERS_SP] = STACK_START + offset;
    memcpy(f->copy, (const char *)f->memory + offset, COPY_BYTES);
    walk(f);
    f->registers.values[REGISTERS_IP] = CALL;
    f->registers.values[REGISTERS_SP] = STACK_START;
    f->memory[600 * FRAME_WORDS - 1] = CALL + 1;
    sample(f);
}

static void a_reading_from_between_two_calls_is_passed_over_when_the_sample_before_it_tells(void **state)
{
    struct fixture *f = *state;
    struct outer_claim before = agree(f, 4);
    struct outer_claim claim = read_in_another_call(f);

    sample_at(f, OTHER_CALL, 599);
    agree(f, 1);
    assert_int_equal(outer_verdict(&f->outer, before, true), OUTER_KEEP);
    assert_int_equal(outer_verdict(&f->outer, claim, true), OUTER_KEEP);
}

static void a_reading_from_between_two_calls_is_passed_over_when_the_sample_after_it_tells(void **state)
{
    struct fixture *f = *state;
    struct outer_claim before = agree(f, 4);
    struct outer_claim claim = read_in_another_call(f);

    outer_begin_look(&f->outer);
    sample_at(f, OTHER_CALL, 599);
    agree(f, 1);
    assert_int_equal(outer_verdict(&f->outer, before, true), OUTER_KEEP);
    assert_int_equal(outer_verdict(&f->outer, claim, true), OUTER_KEEP);
}

/* Where it has been since the reading before, nobody knows. */
static void a_sample_from_further_up_leaves_what_is_around_alone(void **state)
{
    struct fixture *f = *state;
    struct outer_claim before = agree(f, 4);
    struct outer_claim claim = read_in_another_call(f);
    struct outer_claim after;

    sample_at(f, CALL, 601);
    after = agree(f, 1);
    agree(f, 1);
    assert_int_equal(outer_verdict(&f->outer, before, true), OUTER_KEEP);
    assert_int_equal(outer_verdict(&f->outer, claim, true), OUTER_TAKE_BACK);
    assert_int_equal(outer_verdict(&f->outer, after, true), OUTER_KEEP);
}

/* The other call leads to the same function: that may have gone down as far. */
static void a_sample_on_its_way_down_from_another_call_explains_nothing(void **state)
{
    struct fixture *f = *state;
    struct outer_claim before = agree(f, 4);
    struct outer_claim claim = read_in_another_call(f);

    sample_at(f, CALL, 599);
    outer_begin_look(&f->outer);
    assert_cut(f, OUTER_REJECTED);
    assert_int_equal(outer_verdict(&f->outer, before, true), OUTER_TAKE_BACK);
    assert_int_equal(outer_verdict(&f->outer, claim, true), OUTER_TAKE_BACK);
}

/* A sample in the outermost function, which needs no more than its copy. */
static void sample_in_the_root(struct fixture *f, uint64_t sp)
{
    f->registers.values[REGISTERS_IP] = OUTERMOST;
    f->registers.values[REGISTERS_SP] = sp;
    assert_int_equal(walk(f).outcome, OUTER_NOT_NEEDED);
    f->registers.values[REGISTERS_IP] = CALL;
    f->registers.values[REGISTERS_SP] = STACK_START;
}

/* As of a signal handler: nothing there can be compared. */
static void a_sample_from_another_stack_disturbs_nothing(void **state)
{
    struct fixture *f = *state;
    struct outer_claim claim = agree(f, 4);

    sample_in_the_root(f, STACK_START - (1 << 20));
    agree(f, 4);
    assert_int_equal(outer_verdict(&f->outer, claim, true), OUTER_KEEP);
}

/* Memory that leads nowhere, by other callers. */
static void look_at_broken_memory(struct fixture *f)
{
    f->memory[1000 * FRAME_WORDS - 1] = OTHER_CALL + 1;
    f->memory[1900 * FRAME_WORDS - 1] = UINT64_MAX;
    outer_begin_look(&f->outer);
    assert_cut(f, OUTER_REJECTED);
    f->memory[1000 * FRAME_WORDS - 1] = CALL + 1;
    f->memory[1900 * FRAME_WORDS - 1] = CALL + 1;
}

static void a_reading_that_leads_nowhere_is_passed_over(void **state)
{
    struct fixture *f = *state;
    struct outer_claim claim = agree(f, 4);

    look_at_broken_memory(f);
    agree(f, 1);
    assert_int_equal(outer_verdict(&f->outer, claim, true), OUTER_KEEP);
}

static void after_many_readings_that_say_nothing_the_one_before_them_is_too_old(void **state)
{
    struct fixture *f = *state;

    agree(f, 4);
    for (unsigned i = 0; i < 8; i++)
        look_at_broken_memory(f);
    assert_false(agree(f, 1).needs_proof);
    agree(f, 4);
    for (unsigned i = 0; i < 9; i++)
        look_at_broken_memory(f);
    assert_true(agree(f, 1).needs_proof);
}

static void a_first_reading_that_ends_in_another_root_is_given_up(void **state)
{
    struct fixture *f = *state;
    struct outer_claim claim;

    f->memory[1000 * FRAME_WORDS - 1] = OUTERMOST + 1;
    agree(f, 1);
    f->memory[1000 * FRAME_WORDS - 1] = CALL + 1;
    claim = agree(f, 1);
    agree(f, 9);
    assert_int_equal(f->unwinder.frame_count, 2001);
    assert_int_equal(outer_verdict(&f->outer, claim, true), OUTER_TAKE_BACK);
}

static void a_reading_that_no_other_confirms_is_not_enough(void **state)
{
    struct fixture *f = *state;
    struct outer_claim old = agree(f, 4);
    struct outer_claim claim;

    outer_begin_look(&f->outer);
    sample_in_the_root(f, STACK_START + 1000 * FRAME_BYTES);
    f->memory[510 * FRAME_WORDS]++; /* the thread goes down anew, and leaves other words */
    sample(f);
    claim = walk(f).claim;
    assert_true(claim.needs_proof);
    outer_begin_look(&f->outer);
    sample_in_the_root(f, STACK_START);
    assert_int_equal(outer_verdict(&f->outer, old, true), OUTER_KEEP);
    assert_int_equal(outer_verdict(&f->outer, claim, true), OUTER_TAKE_BACK);
    agree(f, 1);
    assert_int_equal(outer_verdict(&f->outer, claim, true), OUTER_KEEP);
}

/* As memory that is being written may look. */
static void a_reading_that_ends_in_another_root_is_passed_over(void **state)
{
    struct fixture *f = *state;
    struct outer_claim before = agree(f, 4);
    struct outer_claim claim;

    f->memory[1000 * FRAME_WORDS - 1] = OUTERMOST + 1;
    claim = agree(f, 1);
    assert_int_equal(f->unwinder.frame_count, 2001);
    f->memory[1000 * FRAME_WORDS - 1] = CALL + 1;
    agree(f, 1);
    assert_int_equal(outer_verdict(&f->outer, before, true), OUTER_KEEP);
    assert_int_equal(outer_verdict(&f->outer, claim, true), OUTER_KEEP);
}

/* The fourth time the thread has called again. */
static size_t read_between_calls(void *context, uint64_t start, size_t length, char *out)
{
    struct fixture *f = context;
    size_t count = read_memory(context, start, length, out);

    if (start < STACK_START + COPY_BYTES && f->read_count >= 8)
        change_callers(f, CALL);
    return count;
}

static void a_thread_caught_between_two_calls_is_read_again_once_in_a_while(void **state)
{
    struct fixture *f = *state;
    struct outer_claim claim = agree(f, 4);

    f->outer.read = read_between_calls;
    f->read_count = 0;
    change_callers(f, OTHER_CALL);
    agree(f, 1);
    assert_int_equal(outer_verdict(&f->outer, claim, true), OUTER_KEEP);
    f->outer.read = read_memory;
    change_callers(f, OTHER_CALL);
    agree(f, 1);
    assert_int_equal(outer_verdict(&f->outer, claim, true), OUTER_TAKE_BACK);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, outer_fixture_set_up, outer_fixture_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(callers_that_change_unseen_take_back_what_was_completed_lately),
        TEST(callers_that_come_and_go_take_back_what_was_completed_further_around),
        TEST(a_reading_from_between_two_calls_is_passed_over_when_the_sample_before_it_tells),
        TEST(a_reading_from_between_two_calls_is_passed_over_when_the_sample_after_it_tells),
        TEST(a_sample_from_further_up_leaves_what_is_around_alone),
        TEST(a_sample_from_another_stack_disturbs_nothing),
        TEST(a_reading_that_leads_nowhere_is_passed_over),
        TEST(after_many_readings_that_say_nothing_the_one_before_them_is_too_old),
        TEST(a_first_reading_that_ends_in_another_root_is_given_up),
        TEST(a_reading_that_no_other_confirms_is_not_enough),
        TEST(a_sample_on_its_way_down_from_another_call_explains_nothing),
        TEST(a_reading_that_ends_in_another_root_is_passed_over),
        TEST(a_thread_caught_between_two_calls_is_read_again_once_in_a_while),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

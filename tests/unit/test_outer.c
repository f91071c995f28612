/* Stacks that go on where their copies end. */
#include "outer_fixture.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static void a_deep_stack_is_completed_from_memory(void **state)
{
    struct outer_fixture *f = *state;

    assert_completed(f, 2000);
}

static void a_stack_of_any_depth_is_read_to_its_end(void **state)
{
    struct outer_fixture *f = *state;

    outer_fixture_fill(f, 11000, CALL);
    outer_fixture_sample(f);
    assert_completed(f, 11000);
}

enum { NARROW_FRAMES = 1000 };

/* A stack of so many calls, and further out of `wide` ones of seven megabytes each. */
static void fill_wide(struct outer_fixture *f, size_t narrow, size_t wide)
{
    size_t word = narrow * FRAME_WORDS;

    free(f->memory);
    f->memory = memory_new(narrow * FRAME_BYTES + wide * WIDE_BYTES, 1);
    outer_fixture_fill(f, narrow, CALL);
    for (size_t i = 0; i < wide; i++) {
        f->memory[word - 1] = WIDE_CALL + 1;
        word += WIDE_BYTES / 8;
    }
    f->memory[word - 1] = OUTERMOST + 1;
    f->frame_count = word / FRAME_WORDS;
    outer_fixture_sample(f);
}

static void a_stack_as_deep_as_the_main_threads_may_be_is_read_to_its_end(void **state)
{
    struct outer_fixture *f = *state;

    fill_wide(f, NARROW_FRAMES, 1);
    for (unsigned i = 0; i < 4; i++) {
        assert_completed(f, NARROW_FRAMES + 1);
        outer_begin_round(&f->outer);
    }
}

static void a_stack_deeper_than_what_is_read_says_so(void **state)
{
    struct outer_fixture *f = *state;

    fill_wide(f, NARROW_FRAMES, 2);
    assert_cut(f, OUTER_TOO_DEEP);
    assert_cut(f, OUTER_TOO_DEEP);
}

enum {
    FEW_FRAMES = 100,
    FRAME_START = FEW_FRAMES * FRAME_BYTES,
    KNOWN_WORDS = (COPY_BYTES - FRAME_START) / 8
};

/* Other values in so many variables, each at some distance, of the call that the copy ends in. */
static void change_variables(struct outer_fixture *f, size_t count)
{
    for (size_t i = 0; i < count; i++)
        f->memory[COPY_BYTES / 8 - 1 - i * 8]++;
}

static enum outer_outcome outcome_of_next_round(struct outer_fixture *f)
{
    outer_begin_round(&f->outer);
    return outer_fixture_walk(f).outcome;
}

/* As of a function with a large frame that has given pointers to its variables to those it calls. */
static void a_few_variables_of_the_call_that_the_copy_ends_in_may_change(void **state)
{
    struct outer_fixture *f = *state;

    fill_wide(f, FEW_FRAMES, 1);
    assert_int_equal(outcome_of_next_round(f), OUTER_COMPLETED);
    change_variables(f, KNOWN_WORDS / 64);
    assert_int_equal(outcome_of_next_round(f), OUTER_COMPLETED);
    assert_int_equal(f->unwinder.frame_count, FEW_FRAMES + 2);
    f->memory[FRAME_START / 8]++; /* its first one, far from the end */
    assert_int_equal(outcome_of_next_round(f), OUTER_REJECTED);
}

static void of_the_innermost_call_none_may(void **state)
{
    struct outer_fixture *f = *state;

    fill_wide(f, FEW_FRAMES, 1);
    memmove(f->memory, f->memory + (size_t)FEW_FRAMES * FRAME_WORDS, WIDE_BYTES);
    f->registers.values[REGISTERS_IP] = WIDE_CALL;
    outer_fixture_sample(f);
    assert_int_equal(outcome_of_next_round(f), OUTER_COMPLETED);
    assert_int_equal(f->unwinder.frame_count, 2);
    change_variables(f, 1);
    assert_int_equal(outcome_of_next_round(f), OUTER_REJECTED);
}

static void variables_of_another_call_may_not_change_where_the_copy_ends(void **state)
{
    struct outer_fixture *f = *state;

    change_variables(f, 1);
    assert_cut(f, OUTER_REJECTED);
}

/* Beyond the stack's end nothing can be read for a while; then there is other memory. */
static size_t read_two_stacks(void *context, uint64_t start, size_t length, char *out)
{
    const uint64_t other_start = STACK_START + WIDE_BYTES;

    if (start < other_start)
        return outer_fixture_read(context, start, length, out);
    memset(out, 0, length);
    return length;
}

static void a_stack_that_goes_on_in_other_memory_says_so(void **state)
{
    struct outer_fixture *f = *state;

    fill_wide(f, NARROW_FRAMES, 1);
    f->frame_count = NARROW_FRAMES;
    assert_cut(f, OUTER_REJECTED);
    f->outer.read = read_two_stacks;
    outer_begin_round(&f->outer);
    assert_cut(f, OUTER_ELSEWHERE);
    f->frame_count = COPY_BYTES / FRAME_BYTES + 1; /* ends right behind the copy */
    f->memory[f->frame_count * FRAME_WORDS - 1] = WIDE_CALL + 1;
    outer_begin_round(&f->outer);
    assert_cut(f, OUTER_ELSEWHERE);
}

static void a_stack_that_the_copy_holds_is_not_read(void **state)
{
    struct outer_fixture *f = *state;

    outer_fixture_fill(f, 100, CALL);
    memset(f->copy, 0, COPY_BYTES);
    memcpy(f->copy, f->memory, (size_t)100 * FRAME_BYTES);
    assert_int_equal(outer_fixture_walk(f).outcome, OUTER_NOT_NEEDED);
    assert_int_equal(f->unwinder.frame_count, 101);
    assert_int_equal(f->read_count, 0);
}

/* As where glibc starts a thread: the frame pointer is another register there, and the caller is on top. */
static void what_a_way_that_leads_nowhere_asks_for_is_not_needed(void **state)
{
    struct outer_fixture *f = *state;

    const size_t at = FRAME_WORDS - 1;

    if (REGISTERS_HAVE_LINK) /* which is not on top */
        skip();
    outer_fixture_fill(f, 100, CALL);
    memset(f->copy, 0, COPY_BYTES);
    memcpy(f->copy, f->memory + at, (100 * FRAME_WORDS - at) * sizeof(uint64_t));
    f->registers.values[REGISTERS_SP] = STACK_START + at * sizeof(uint64_t);
    f->registers.values[REGISTERS_IP] = BARE_CALL;
    f->registers.values[REGISTERS_FP] = f->registers.values[REGISTERS_SP] + COPY_BYTES + 8;
    assert_int_equal(outer_fixture_walk(f).outcome, OUTER_NOT_NEEDED);
    assert_true(f->read_count > 0);
    assert_int_equal(f->unwinder.frame_count, 101);
}

static void samples_of_one_round_share_a_reading(void **state)
{
    struct outer_fixture *f = *state;
    unsigned first = 0;

    assert_completed(f, 2000);
    first = f->read_count;
    assert_completed(f, 2000);
    assert_int_equal(f->read_count, first);
    outer_begin_round(&f->outer);
    assert_completed(f, 2000);
    assert_true(f->read_count > first);
}

static void a_deeper_sample_of_the_same_round_is_completed_too(void **state)
{
    struct outer_fixture *f = *state;

    f->registers.values[REGISTERS_SP] = STACK_START + 1000 * FRAME_BYTES;
    memcpy(f->copy, (const char *)f->memory + (size_t)1000 * FRAME_BYTES, COPY_BYTES);
    assert_completed(f, 1000);
    f->registers.values[REGISTERS_SP] = STACK_START;
    outer_fixture_sample(f);
    assert_completed(f, 2000);
}

static void memory_that_changed_where_the_copy_ends_is_not_taken(void **state)
{
    struct outer_fixture *f = *state;

    f->memory[COPY_BYTES / 8 - 1]++;
    assert_cut(f, OUTER_REJECTED);
    f->memory[COPY_BYTES / 8 - 1]--;
    outer_begin_round(&f->outer);
    assert_completed(f, 2000);
}

static void a_small_copy_is_completed_too_and_one_with_too_few_words_is_not(void **state)
{
    struct outer_fixture *f = *state;
    struct outer_result result;

    f->copy_bytes = 1024;
    result = outer_fixture_walk(f);
    assert_int_equal(result.outcome, OUTER_COMPLETED);
    assert_int_equal(f->unwinder.frame_count, 2001);
    f->copy_bytes = 1016;
    assert_int_equal(outer_fixture_walk(f).outcome, OUTER_REJECTED);
}

static void memory_that_changed_further_in_is_no_matter(void **state)
{
    struct outer_fixture *f = *state;

    memset(f->memory, 0xee, COPY_BYTES - 8192);
    assert_completed(f, 2000);
}

static bool completes_fewer(const struct outer_fixture *f, size_t bytes)
{
    const struct outer_request request = {
        .walk = {.stack_start = STACK_START, .stack = {f->copy, f->copy_bytes}}, .thread = THREAD};

    return outer_completes_fewer(&f->outer, &request, bytes);
}

static void fewer_bytes_would_do_where_what_they_end_in_is_the_same(void **state)
{
    enum { FEWER = 32000 };
    struct outer_fixture *f = *state;

    assert_false(completes_fewer(f, FEWER));
    assert_completed(f, 2000);
    assert_true(completes_fewer(f, FEWER));
    assert_false(completes_fewer(f, 800));
    f->memory[FEWER / 8 - 20]++;
    outer_begin_round(&f->outer);
    assert_false(completes_fewer(f, FEWER));
    assert_completed(f, 2000);
    assert_false(completes_fewer(f, FEWER));
    assert_true(completes_fewer(f, 2UL * FEWER));
}

static void a_process_that_is_gone_leaves_the_stack_cut(void **state)
{
    struct outer_fixture *f = *state;

    f->is_gone = true;
    assert_cut(f, OUTER_REFUSED);
}

static void what_was_proved_lately_completes_when_the_process_is_gone(void **state)
{
    struct outer_fixture *f = *state;

    agree(f, 4);
    outer_begin_round(&f->outer);
    f->is_gone = true;
    assert_completed(f, 2000);
    for (unsigned i = 0; i < 4; i++)
        outer_begin_round(&f->outer);
    assert_cut(f, OUTER_REFUSED);
}

static void what_was_read_and_never_proved_does_not(void **state)
{
    struct outer_fixture *f = *state;

    assert_completed(f, 2000);
    f->is_gone = true;
    outer_begin_round(&f->outer);
    f->copy[COPY_BYTES - 1]++; /* the next sample is in other frames */
    assert_cut(f, OUTER_REFUSED);
    f->copy[COPY_BYTES - 1]--;
    assert_cut(f, OUTER_REFUSED);
}

static void callers_that_lead_nowhere_are_not_taken(void **state)
{
    struct outer_fixture *f = *state;

    f->memory[1900 * FRAME_WORDS - 1] = UINT64_MAX;
    assert_cut(f, OUTER_REJECTED);
}

static void a_stack_without_end_is_not_taken(void **state)
{
    struct outer_fixture *f = *state;

    f->memory[2000 * FRAME_WORDS - 1] = CALL;
    assert_cut(f, OUTER_REJECTED);
}

/* So many rounds that find the same callers. */

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, outer_fixture_set_up, outer_fixture_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_deep_stack_is_completed_from_memory),
        TEST(a_stack_of_any_depth_is_read_to_its_end),
        TEST(a_stack_as_deep_as_the_main_threads_may_be_is_read_to_its_end),
        TEST(a_stack_deeper_than_what_is_read_says_so),
        TEST(a_few_variables_of_the_call_that_the_copy_ends_in_may_change),
        TEST(of_the_innermost_call_none_may),
        TEST(variables_of_another_call_may_not_change_where_the_copy_ends),
        TEST(a_stack_that_goes_on_in_other_memory_says_so),
        TEST(a_stack_that_the_copy_holds_is_not_read),
        TEST(what_a_way_that_leads_nowhere_asks_for_is_not_needed),
        TEST(samples_of_one_round_share_a_reading),
        TEST(a_deeper_sample_of_the_same_round_is_completed_too),
        TEST(memory_that_changed_where_the_copy_ends_is_not_taken),
        TEST(a_small_copy_is_completed_too_and_one_with_too_few_words_is_not),
        TEST(memory_that_changed_further_in_is_no_matter),
        TEST(fewer_bytes_would_do_where_what_they_end_in_is_the_same),
        TEST(a_process_that_is_gone_leaves_the_stack_cut),
        TEST(what_was_proved_lately_completes_when_the_process_is_gone),
        TEST(what_was_read_and_never_proved_does_not),
        TEST(callers_that_lead_nowhere_are_not_taken),
        TEST(a_stack_without_end_is_not_taken),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "unwind/outer.h"

/*
 * A thread's stack in ordinary memory, from STACK_START on: frames of FRAME_WORDS words, the return address
 * the last of them. Addresses from 0x1000 on are calls, those from 0x9000 on are the outermost function.
 */
enum {
    STACK_START = 0x1000000,
    FRAME_WORDS = 16,
    FRAME_BYTES = 8 * FRAME_WORDS,
    COPY_BYTES = 65528,
    KNOWN_FRAMES = COPY_BYTES / FRAME_BYTES + 1, /* the last one's return address is past the copy */
    MOST_FRAMES = 12000,
    CALL = 0x1000,
    OTHER_CALL = 0x2000,
    OUTERMOST = 0x9000,
    THREAD = 2,
};

struct fixture {
    struct unwinder unwinder;
    struct outer outer;
    struct registers registers;
    uint64_t *memory; /* what the process has now */
    size_t frame_count;
    char *copy; /* what came with the sample, */
    size_t copy_bytes;
    bool is_gone;
    unsigned read_count;
};

static size_t read_memory(void *context, uint64_t start, size_t length, char *out)
{
    struct fixture *f = context;
    uint64_t end = STACK_START + f->frame_count * FRAME_BYTES;

    f->read_count++;
    if (f->is_gone || start >= end)
        return 0;
    for (size_t i = 0; i < length; i++) {
        if (start + i >= end)
            return i;
        out[i] = start + i < STACK_START ? 0 : ((const char *)f->memory)[start + i - STACK_START];
    }
    return length;
}

static void find(void *context, uint64_t address, struct unwind_rule *out)
{
    (void)context;
    *out = (struct unwind_rule){.row = {.cfa_rule = CFI_CFA_REGISTER,
                                        .cfa_register = REGISTERS_SP,
                                        .cfa_offset = FRAME_BYTES,
                                        .return_rule = address >= OUTERMOST ? CFI_UNDEFINED : CFI_AT_CFA,
                                        .return_offset = -8,
                                        .frame_rule = CFI_SAME},
                                .place = (uint32_t)address};
}

/* A stack of so many calls, the outermost of all not counted. */
static void fill(struct fixture *f, size_t frames, uint64_t call)
{
    f->frame_count = frames;
    for (size_t i = 0; i < frames; i++) {
        f->memory[(i + 1) * FRAME_WORDS - 1] = i + 1 == frames ? OUTERMOST + 1 : call + 1;
        f->memory[i * FRAME_WORDS] = i;
    }
}

/* What the process has now is what a sample's copy shows. */
static void sample(struct fixture *f)
{
    memcpy(f->copy, f->memory, COPY_BYTES);
}

static struct outer_result walk(struct fixture *f)
{
    struct outer_request request = {
        .walk = {.registers = &f->registers,
                 .stack_start = f->registers.values[REGISTERS_SP],
                 .stack = {f->copy, f->copy_bytes},
                 .find = find,
                 .context = f,
                 .generation = 1},
        .thread = THREAD,
        .is_cut = true,
        .context = f,
    };

    return outer_unwind(&f->outer, &request, &f->unwinder);
}

static int set_up(void **state)
{
    struct fixture *f = memory_new(1, sizeof(*f));

    unwinder_init(&f->unwinder);
    outer_init(&f->outer, read_memory);
    outer_begin_look(&f->outer);
    f->registers.known = UINT64_MAX;
    f->registers.values[REGISTERS_IP] = CALL;
    f->registers.values[REGISTERS_SP] = STACK_START;
    f->memory = memory_new(MOST_FRAMES, FRAME_BYTES);
    f->copy = memory_new(COPY_BYTES, 1);
    f->copy_bytes = COPY_BYTES;
    fill(f, 2000, CALL);
    sample(f);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    unwinder_done(&f->unwinder);
    outer_done(&f->outer);
    free(f->memory);
    free(f->copy);
    free(f);
    return 0;
}

static void assert_completed(struct fixture *f, size_t frames)
{
    struct outer_result result = walk(f);

    assert_int_equal(result.outcome, OUTER_COMPLETED);
    assert_int_equal(result.end, UNWIND_COMPLETE);
    assert_int_equal(result.known_count, KNOWN_FRAMES);
    assert_int_equal(f->unwinder.frame_count, frames + 1);
    assert_int_equal(f->unwinder.frames[frames].address, OUTERMOST);
}

static void assert_cut(struct fixture *f, enum outer_outcome outcome)
{
    struct outer_result result = walk(f);

    assert_int_equal(result.outcome, outcome);
    assert_int_equal(result.end, UNWIND_UNREADABLE);
    assert_int_equal(f->unwinder.frame_count, KNOWN_FRAMES);
    assert_int_equal(f->unwinder.frames[KNOWN_FRAMES - 1].cfa, 0);
    assert_int_equal(f->unwinder.frames[KNOWN_FRAMES - 2].cfa,
                     STACK_START + (KNOWN_FRAMES - 1) * FRAME_BYTES);
}

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

static struct outer_claim agree(struct fixture *f, unsigned looks);

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

/* So many looks that find the same callers. */
static struct outer_claim agree(struct fixture *f, unsigned looks)
{
    struct outer_result result = {0};

    for (unsigned i = 0; i < looks; i++) {
        outer_begin_look(&f->outer);
        result = walk(f);
        assert_int_equal(result.outcome, OUTER_COMPLETED);
    }
    return result.claim;
}

static enum outer_verdict verdict(const struct fixture *f, struct outer_claim claim)
{
    return outer_verdict(&f->outer, claim, false);
}

static void a_completed_stack_stands_once_the_readings_around_it_are_proved(void **state)
{
    struct fixture *f = *state;
    struct outer_claim claim = agree(f, 1);

    assert_int_equal(verdict(f, claim), OUTER_OPEN);
    agree(f, 7);
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
    assert_int_equal(verdict(f, before), OUTER_KEEP);
    assert_int_equal(outer_verdict(&f->outer, claim, true), OUTER_TAKE_BACK);
}

/* The same words where the copy ends, under other callers. */
static void change_callers(struct fixture *f, uint64_t call)
{
    for (size_t i = 600; i < 1999; i++)
        f->memory[(i + 1) * FRAME_WORDS - 1] = call + 1;
}

static void callers_that_change_unseen_take_back_what_was_completed_lately(void **state)
{
    struct fixture *f = *state;
    struct outer_claim old = agree(f, 4);
    struct outer_claim late = agree(f, 8);

    change_callers(f, OTHER_CALL);
    outer_begin_look(&f->outer);
    assert_cut(f, OUTER_REJECTED);
    assert_cut(f, OUTER_REJECTED);
    assert_int_equal(verdict(f, old), OUTER_KEEP);
    assert_int_equal(outer_verdict(&f->outer, late, true), OUTER_TAKE_BACK);
    /* And what is completed in the time after is not kept. */
    late = agree(f, 8);
    assert_int_equal(outer_verdict(&f->outer, late, true), OUTER_TAKE_BACK);
    late = agree(f, 1);
    agree(f, 8);
    assert_int_equal(verdict(f, late), OUTER_KEEP);
}

static size_t read_between_calls(void *context, uint64_t start, size_t length, char *out)
{
    struct fixture *f = context;
    size_t count = read_memory(context, start, length, out);

    if (start < STACK_START + COPY_BYTES)
        change_callers(f, CALL);
    return count;
}

static void a_thread_caught_between_two_calls_is_read_again_once_in_a_while(void **state)
{
    struct fixture *f = *state;
    struct outer_claim claim = agree(f, 4);

    f->outer.read = read_between_calls;
    change_callers(f, OTHER_CALL);
    agree(f, 1);
    assert_int_equal(outer_verdict(&f->outer, claim, true), OUTER_KEEP);
    change_callers(f, OTHER_CALL);
    outer_begin_look(&f->outer);
    assert_cut(f, OUTER_REJECTED);
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
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
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
        TEST(callers_that_change_unseen_take_back_what_was_completed_lately),
        TEST(a_thread_caught_between_two_calls_is_read_again_once_in_a_while),
        TEST(a_thread_that_ended_gives_its_memory_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

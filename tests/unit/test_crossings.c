/* Stacks that go on on other stacks, as those of coroutines. */
#include "cmocka_all.h"

#include <string.h>

#include "unwind/outer.h"

/*
 * Stacks of small frames at STACKS_START + i * STACK_BYTES. Calls of functions from CALL on have frames of
 * FRAME_WORDS words, the return address the last. A BRIDGE, which begins a stack, has the address where its
 * caller's frame ends as the first word of its own.
 */
enum {
    STACKS_START = 0x7000000,
    STACK_WORDS = 32768, /* and so many that are no memory */
    STACK_BYTES = 2 * STACK_WORDS * 8,
    STACKS = 12,
    FRAME_WORDS = 4,
    FRAME_BYTES = 8 * FRAME_WORDS,
    CALL = 0x1000,
    OTHER_CALL = 0x2000,
    BRIDGE = 0x8000,
    OUTERMOST = 0x9000,
    THREAD = 2,
    INNER = 5, /* calls on the stack that is copied, */
    OUTER = 6, /* and on each of the others */
};

struct fixture {
    struct unwinder unwinder;
    struct outer outer;
    struct registers registers;
    uint64_t stacks[STACKS][STACK_WORDS];
    bool is_gone;
};

static uint64_t start_of(size_t stack)
{
    return STACKS_START + stack * (uint64_t)STACK_BYTES;
}

static size_t read_memory(void *context, uint64_t start, size_t length, char *out)
{
    struct fixture *f = context;
    uint64_t offset = (start - STACKS_START) % STACK_BYTES;
    size_t stack = (start - STACKS_START) / STACK_BYTES;

    if (f->is_gone || start < STACKS_START || stack >= STACKS || offset >= sizeof(f->stacks[0]))
        return 0;
    if (length > sizeof(f->stacks[0]) - offset)
        length = sizeof(f->stacks[0]) - offset;
    memcpy(out, (const char *)f->stacks[stack] + offset, length);
    return length;
}

static void find(void *context, uint64_t address, struct unwind_rule *out)
{
    bool is_bridge = address >= BRIDGE && address < OUTERMOST;

    (void)context;
    *out = (struct unwind_rule){.row = {.cfa_rule = is_bridge ? CFI_CFA_MEMORY : CFI_CFA_REGISTER,
                                        .cfa_register = REGISTERS_SP,
                                        .cfa_offset = is_bridge ? 0 : FRAME_BYTES,
                                        .return_rule = address >= OUTERMOST && address < OUTERMOST + 0x1000
                                                           ? CFI_UNDEFINED
                                                           : CFI_AT_CFA,
                                        .return_offset = -8,
                                        .frame_rule = CFI_SAME},
                                .place = (uint32_t)address,
                                .is_code = address < 0x10000};
}

/* So many calls on a stack from a word on, the last of them returning to `outermost`. Where that stands. */
static size_t fill(struct fixture *f, size_t stack, size_t from, size_t calls, uint64_t outermost)
{
    size_t word = from;

    for (size_t i = 0; i < calls; i++) {
        word += FRAME_WORDS;
        f->stacks[stack][word - 1] = (i + 1 == calls ? outermost : CALL + i) + 1;
    }
    return word;
}

enum { OUTER_WORD = 4096 }; /* where the frames begin on other stacks */

/* The stack goes on on that of `to`, at the return address before OUTER_WORD. */
static void bridge(struct fixture *f, size_t from, size_t word, size_t to)
{
    f->stacks[from][word] = start_of(to) + (uint64_t)OUTER_WORD * 8;
    f->stacks[to][OUTER_WORD - 1] = CALL + 1;
}

/* Stacks of which each leads to the next, the last one to the thread's start. */
static void lead(struct fixture *f, const size_t *stacks, size_t count, size_t calls)
{
    for (size_t i = 0; i < count; i++) {
        bool is_last = i + 1 == count;
        size_t word = fill(f, stacks[i], i == 0 ? 0 : OUTER_WORD, i == 0 ? (size_t)INNER : calls,
                           is_last ? OUTERMOST : BRIDGE);

        if (!is_last)
            bridge(f, stacks[i], word, stacks[i + 1]);
    }
}

enum { COPIED = 3, PARENT = 7, BELOW = 1 };

static int set_up(void **state)
{
    static const size_t two[] = {COPIED, PARENT};
    struct fixture *f = test_calloc(1, sizeof(*f));

    unwinder_init(&f->unwinder);
    outer_init(&f->outer, read_memory);
    outer_begin_round(&f->outer);
    f->registers.known = UINT64_MAX;
    f->registers.values[REGISTERS_IP] = CALL;
    lead(f, two, 2, OUTER);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    unwinder_done(&f->unwinder);
    outer_done(&f->outer);
    test_free(f);
    return 0;
}

/* A sample from `word` of a stack on, which ends `words` later. */
static struct outer_result walk_from(struct fixture *f, size_t stack, size_t word, size_t words)
{
    struct outer_request request = {
        .walk = {.registers = &f->registers,
                 .stack_start = start_of(stack) + word * 8,
                 .stack = {(const char *)&f->stacks[stack][word], words * 8},
                 .find = find,
                 .context = f,
                 .generation = 1},
        .thread = THREAD,
        .is_cut = true,
        .context = f,
    };

    f->registers.values[REGISTERS_SP] = request.walk.stack_start;
    return outer_unwind(&f->outer, &request, &f->unwinder);
}

/* Of the coroutine, whose stack is copied as a whole. */
static struct outer_result walk(struct fixture *f)
{
    return walk_from(f, COPIED, 0, STACK_WORDS);
}

static struct outer_candidate agree(struct fixture *f, unsigned rounds)
{
    struct outer_result result = {0};

    for (unsigned i = 0; i < rounds; i++) {
        outer_begin_round(&f->outer);
        result = walk(f);
        assert_int_equal(result.outcome, OUTER_COMPLETED);
        assert_int_equal(result.end, UNWIND_COMPLETE);
    }
    return result.candidate;
}

static enum outer_verdict verdict(const struct fixture *f, struct outer_candidate candidate)
{
    return outer_verdict(&f->outer, &candidate, false);
}

static void a_stack_is_completed_from_the_one_that_it_leads_to(void **state)
{
    struct fixture *f = *state;
    struct outer_result result = walk(f);

    assert_int_equal(result.outcome, OUTER_COMPLETED);
    assert_int_equal(result.end, UNWIND_COMPLETE);
    assert_int_equal(result.known_count, INNER + 1);
    assert_true(result.candidate.is_of_round);
    assert_int_equal(result.candidate.crossing_count, 1);
    assert_int_equal(f->unwinder.frame_count, INNER + 1 + OUTER + 1);
    assert_int_equal(f->unwinder.frames[INNER].address, BRIDGE);
    assert_int_equal(f->unwinder.frames[INNER].cfa, start_of(PARENT) + OUTER_WORD * 8);
    assert_int_equal(f->unwinder.frames[INNER + 1 + OUTER].address, OUTERMOST);
}

static void it_stands_once_the_readings_around_it_are_proved(void **state)
{
    struct fixture *f = *state;
    struct outer_candidate candidate = agree(f, 9);

    assert_int_equal(verdict(f, candidate), OUTER_OPEN);
    agree(f, 24);
    assert_int_equal(verdict(f, candidate), OUTER_KEEP);
}

static void the_other_stack_may_be_anywhere(void **state)
{
    static const size_t down[] = {COPIED, BELOW};
    struct fixture *f = *state;
    struct outer_candidate candidate;

    lead(f, down, 2, OUTER);
    candidate = agree(f, 9);
    assert_int_equal(f->unwinder.frame_count, INNER + 1 + OUTER + 1);
    agree(f, 24);
    assert_int_equal(verdict(f, candidate), OUTER_KEEP);
}

static void it_is_read_as_far_as_it_goes(void **state)
{
    static const size_t two[] = {COPIED, PARENT};
    enum { MANY = 7000 };
    struct fixture *f = *state;

    lead(f, two, 2, MANY);
    agree(f, 2);
    assert_int_equal(f->unwinder.frame_count, INNER + 1 + MANY + 1);
}

static void what_is_deeper_than_its_copy_leads_over_too(void **state)
{
    enum { DEEP = 2000, COPIED_WORDS = 1024 };
    struct fixture *f = *state;
    struct outer_result result = {0};

    bridge(f, COPIED, fill(f, COPIED, 0, DEEP, BRIDGE), PARENT);
    for (unsigned i = 0; i < 9; i++) {
        outer_begin_round(&f->outer);
        result = walk_from(f, COPIED, 0, COPIED_WORDS);
        assert_int_equal(result.outcome, OUTER_COMPLETED);
        assert_int_equal(result.known_count, COPIED_WORDS / FRAME_WORDS + 1);
        assert_int_equal(f->unwinder.frame_count, DEEP + 1 + OUTER + 1);
    }
    assert_true(result.candidate.reading > 0);
    assert_int_equal(result.candidate.crossing_count, 1);
    assert_int_equal(verdict(f, result.candidate), OUTER_OPEN);
    assert_int_equal(outer_verdict(&f->outer, &result.candidate, true), OUTER_KEEP);
}

static void a_stack_may_lead_over_several_others(void **state)
{
    static const size_t many[] = {COPIED, 9, 0, PARENT, 4, 11, 2, 8, 6};
    struct fixture *f = *state;
    struct outer_candidate candidate;

    lead(f, many, 9, OUTER);
    candidate = agree(f, 9);
    assert_int_equal(candidate.crossing_count, 8);
    assert_int_equal(f->unwinder.frame_count, INNER + 1 + 8 * (OUTER + 1));
    agree(f, 24);
    assert_int_equal(verdict(f, candidate), OUTER_KEEP);
}

static void assert_elsewhere(struct fixture *f)
{
    struct outer_result result = walk(f);

    assert_int_equal(result.outcome, OUTER_ELSEWHERE);
    assert_int_equal(result.end, UNWIND_UNREADABLE);
    assert_int_equal(f->unwinder.frame_count, INNER + 1);
    assert_int_equal(f->unwinder.frames[INNER].cfa, 0);
}

static void over_too_many_it_is_cut_where_it_leaves_the_copy(void **state)
{
    static const size_t many[] = {COPIED, 9, 0, PARENT, 4, 11, 2, 8, 6, 10};
    struct fixture *f = *state;

    lead(f, many, 10, OUTER);
    assert_elsewhere(f);
}

/* Zeros are where a thread starts, too. */
static void a_stack_that_was_given_back_ends_nothing(void **state)
{
    struct fixture *f = *state;

    memset(f->stacks[PARENT], 0, sizeof(f->stacks[PARENT]));
    assert_elsewhere(f);
    outer_begin_round(&f->outer);
    f->is_gone = true;
    assert_elsewhere(f);
}

static void change_callers(struct fixture *f, uint64_t call)
{
    f->stacks[PARENT][OUTER_WORD + 2 * FRAME_WORDS - 1] = call + 1;
}

static void callers_that_change_there_and_back_are_not_told(void **state)
{
    struct fixture *f = *state;
    struct outer_candidate candidate;

    agree(f, 9);
    candidate = agree(f, 1);
    agree(f, 9);
    change_callers(f, OTHER_CALL);
    outer_begin_round(&f->outer);
    assert_int_equal(walk(f).outcome, OUTER_ELSEWHERE);
    agree(f, 2);
    change_callers(f, CALL + 1);
    outer_begin_round(&f->outer);
    assert_int_equal(walk(f).outcome, OUTER_ELSEWHERE);
    agree(f, 30);
    assert_int_equal(verdict(f, candidate), OUTER_TAKE_BACK);
}

/* As of a program that resumes a coroutine and does other things meanwhile, on the same stack. */
static struct outer_result walk_elsewhere(struct fixture *f)
{
    size_t deeper = OUTER_WORD + (OUTER - 2) * (size_t)FRAME_WORDS;

    return walk_from(f, PARENT, deeper, 2 * (size_t)FRAME_WORDS);
}

static void readings_are_no_proof_while_the_thread_is_elsewhere(void **state)
{
    struct fixture *f = *state;
    struct outer_candidate candidate = agree(f, 9);

    for (unsigned i = 0; i < 9; i++) {
        agree(f, 1);
        outer_begin_round(&f->outer);
        assert_int_equal(walk_elsewhere(f).end, UNWIND_COMPLETE);
    }
    agree(f, 20);
    assert_int_equal(verdict(f, candidate), OUTER_TAKE_BACK);
}

/* What resumes it has called something else. */
static void samples_below_the_same_callers_prove_readings(void **state)
{
    struct fixture *f = *state;
    struct outer_candidate candidate = agree(f, 2);

    for (unsigned i = 0; i < 30; i++) {
        outer_begin_round(&f->outer);
        fill(f, PARENT, OUTER_WORD - 3 * FRAME_WORDS, 3, OTHER_CALL);
        assert_int_equal(walk_from(f, PARENT, OUTER_WORD - 3 * FRAME_WORDS, (OUTER + 3) * FRAME_WORDS).end,
                         UNWIND_COMPLETE);
        f->stacks[PARENT][OUTER_WORD - 1] = CALL + 1;
        agree(f, 1);
    }
    assert_int_equal(verdict(f, candidate), OUTER_KEEP);
}

/* As of a program that resumes coroutines from many depths. */
static void of_many_places_the_last_ones_are_known(void **state)
{
    struct fixture *f = *state;
    struct outer_candidate first = agree(f, 9);
    struct outer_candidate last = {0};

    agree(f, 24);
    for (size_t i = 1; i < 60; i++) {
        size_t word = OUTER_WORD + i * (OUTER + 2) * (size_t)FRAME_WORDS;

        f->stacks[PARENT][word - 1] = CALL + 1;
        fill(f, PARENT, word, OUTER, OUTERMOST);
        f->stacks[COPIED][(size_t)INNER * FRAME_WORDS] = start_of(PARENT) + word * 8;
        last = agree(f, 9);
    }
    assert_int_equal(verdict(f, first), OUTER_TAKE_BACK);
    agree(f, 24);
    assert_int_equal(verdict(f, last), OUTER_KEEP);
}

static void a_copy_that_nothing_may_be_read_for_is_cut(void **state)
{
    struct fixture *f = *state;
    struct outer_result result;

    f->is_gone = true;
    result = walk(f);
    assert_int_equal(result.end, UNWIND_UNREADABLE);
    assert_int_equal(f->unwinder.frame_count, INNER + 1);
}

static void verdicts_stay_when_the_thread_has_ended(void **state)
{
    struct fixture *f = *state;
    struct outer_candidate candidate = agree(f, 9);

    agree(f, 24);
    outer_end_thread(&f->outer, THREAD);
    assert_int_equal(verdict(f, candidate), OUTER_KEEP);
    for (unsigned i = 0; i < OUTER_MOST_ROUNDS + 2; i++)
        outer_begin_round(&f->outer);
    agree(f, 1); /* another thread of that number takes its place in the table */
    assert_int_equal(verdict(f, candidate), OUTER_TAKE_BACK);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_stack_is_completed_from_the_one_that_it_leads_to),
        TEST(it_stands_once_the_readings_around_it_are_proved),
        TEST(the_other_stack_may_be_anywhere),
        TEST(it_is_read_as_far_as_it_goes),
        TEST(what_is_deeper_than_its_copy_leads_over_too),
        TEST(a_stack_may_lead_over_several_others),
        TEST(over_too_many_it_is_cut_where_it_leaves_the_copy),
        TEST(a_stack_that_was_given_back_ends_nothing),
        TEST(callers_that_change_there_and_back_are_not_told),
        TEST(readings_are_no_proof_while_the_thread_is_elsewhere),
        TEST(samples_below_the_same_callers_prove_readings),
        TEST(of_many_places_the_last_ones_are_known),
        TEST(a_copy_that_nothing_may_be_read_for_is_cut),
        TEST(verdicts_stay_when_the_thread_has_ended),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Samples that wait for whether their stacks stand. */
#include "outer_fixture.h"

#include "collect/held_samples.h"

struct fixture {
    struct outer_fixture *stack; /* its thread's */
    struct profile profile;
    struct held_samples held;
    uint32_t series;
};

static int set_up(void **state)
{
    static struct fixture f;
    void *stack = NULL;

    f = (struct fixture){0};
    assert_int_equal(outer_fixture_set_up(&stack), 0);
    f.stack = stack;
    profile_init(&f.profile);
    f.series = profile_add_series(&f.profile, SLICE("cpu-clock"), SLICE("ns"), 997);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    void *stack = f->stack;

    held_samples_done(&f->held);
    profile_done(&f->profile);
    return outer_fixture_tear_down(&stack);
}

/* A sample of the next round, completed from memory. */
static uint32_t add(struct fixture *f, bool is_doubtful)
{
    struct held_sample sample = {.sample = {.stack = PROFILE_NONE},
                                 .series = f->series,
                                 .end = STACK_COMPLETED,
                                 .is_candidate = true,
                                 .is_doubtful = is_doubtful,
                                 .known_count = 1};

    sample.candidate = agree(f->stack, 1);
    held_samples_add(&f->held, &f->profile, &f->stack->outer, &sample);
    return sample.candidate.round;
}

static void assert_counts(struct fixture *f, uint64_t standing, uint64_t taken)
{
    const uint64_t *ended = f->profile.series.items[f->series].ended_counts;

    assert_int_equal(ended[STACK_COMPLETED], standing);
    assert_int_equal(ended[STACK_CUT_CHANGED], taken);
    assert_int_equal(f->held.standing_count, standing);
    assert_int_equal(f->held.taken_count, taken);
}

static void they_wait_and_stand(void **state)
{
    enum { ALL = 30 };
    struct fixture *f = *state;

    for (int i = 0; i < ALL; i++)
        add(f, false);
    held_samples_settle(&f->held, &f->profile, &f->stack->outer, false);
    assert_counts(f, ALL - 24, 0);
    held_samples_settle(&f->held, &f->profile, &f->stack->outer, true);
    assert_counts(f, ALL, 0);
}

static void those_in_doubt_are_taken_back_and_no_others(void **state)
{
    enum { BEFORE = 30, SINCE = 5 };
    struct fixture *f = *state;
    uint32_t from_round = 0;

    for (int i = 0; i < BEFORE; i++)
        add(f, false);
    from_round = add(f, false);
    for (int i = 1; i < SINCE; i++)
        add(f, false);
    held_samples_doubt(&f->held, from_round);
    add(f, true);
    held_samples_settle(&f->held, &f->profile, &f->stack->outer, true);
    assert_counts(f, BEFORE, SINCE + 1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(they_wait_and_stand),
        TEST(those_in_doubt_are_taken_back_and_no_others),
    };

    return cmocka_run_group_tests_name("held_samples", tests, NULL, NULL);
}

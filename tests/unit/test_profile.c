#include "cmocka_all.h"

#include "profile/totals.h"
#include "profile_builder.h"

static int set_up(void **state)
{
    static struct profile profile;

    profile_builder_init(&profile);
    *state = &profile;
    return 0;
}

static int tear_down(void **state)
{
    profile_done(*state);
    return 0;
}

static struct weights function_weights(const struct profile *profile, const struct totals *totals,
                                       const char *name)
{
    for (size_t i = 0; i < profile->functions.count; i++)
        if (slice_is(profile_text(profile, profile->functions.items[i].name), name))
            return totals->functions[i];
    fail_msg("no function %s", name);
    return (struct weights){0};
}

static void assert_weights(const struct profile *profile, const struct totals *totals, const char *name,
                           uint64_t self, uint64_t total)
{
    struct weights weights = function_weights(profile, totals, name);

    assert_int_equal(weights.self, self);
    assert_int_equal(weights.total, total);
}

static void what_is_the_same_has_one_id_and_what_differs_has_not(void **state)
{
    struct profile *p = *state;
    uint32_t a = profile_location(p, 0, 0x10);
    uint32_t other_module = profile_location(p, PROFILE_NONE, 0x10);
    uint32_t stack = profile_stack(p, PROFILE_NONE, a);

    assert_int_equal(profile_location(p, 0, 0x10), a);
    assert_int_not_equal(other_module, a);
    assert_int_not_equal(profile_location(p, 0, 0x11), a);
    assert_int_equal(profile_stack(p, PROFILE_NONE, a), stack);
    assert_int_not_equal(profile_stack(p, stack, a), stack);
    assert_int_equal(p->stacks.items[profile_stack(p, stack, a)].parent, stack);
    assert_int_equal(p->locations.items[other_module].module, PROFILE_NONE);
    assert_int_equal(profile_string(p, SLICE("")), PROFILE_NO_STRING);
}

static void many_stacks_keep_their_ids(void **state)
{
    struct profile *p = *state;
    uint32_t parent = PROFILE_NONE;

    for (uint64_t i = 0; i < 5000; i++) {
        uint32_t stack = profile_stack(p, parent, profile_location(p, 0, i << 32));

        assert_int_equal(stack, i);
        if (i % 3 == 0)
            parent = stack;
    }
    for (uint64_t i = 0; i < 5000; i++) {
        const struct profile_stack *stack = &p->stacks.items[i];

        assert_true(stack->parent == PROFILE_NONE || stack->parent < i);
        assert_int_equal(profile_stack(p, stack->parent, stack->location), i);
        assert_int_equal(p->locations.items[stack->location].svma, i << 32);
    }
}

static void totals_hold_what_was_called_and_self_does_not(void **state)
{
    struct profile *p = *state;
    struct totals totals;

    profile_builder_add(p, 0, SLICE("main > a > b"), 3);
    profile_builder_add(p, 0, SLICE("main > a"), 2);
    profile_builder_add(p, 0, SLICE("main > b"), 1);
    totals_compute(p, 0, WEIGHT_SAMPLES, &totals);
    assert_int_equal(totals.whole, 6);
    assert_int_equal(totals.without_stack, 0);
    assert_weights(p, &totals, "main", 0, 6);
    assert_weights(p, &totals, "a", 2, 5);
    assert_weights(p, &totals, "b", 4, 4);
    assert_int_equal(totals.stacks[0].total, 6);
    assert_int_equal(totals.stacks[1].total, 5);
    assert_int_equal(totals.stacks[1].self, 2);
    totals_done(&totals);
}

static void recursion_counts_a_sample_once(void **state)
{
    struct profile *p = *state;
    struct totals totals;

    profile_builder_add(p, 0, SLICE("main > a > b > a > b > a"), 4);
    profile_builder_add(p, 0, SLICE("main > b > a"), 1);
    profile_builder_add(p, 0, SLICE("b"), 1);
    totals_compute(p, 0, WEIGHT_SAMPLES, &totals);
    assert_weights(p, &totals, "a", 5, 5);
    assert_weights(p, &totals, "b", 1, 6);
    assert_weights(p, &totals, "main", 0, 5);
    totals_done(&totals);
}

static void inlined_calls_count_as_calls(void **state)
{
    struct profile *p = *state;
    struct totals totals;

    profile_builder_add(p, 0, SLICE("main > a + b + c"), 4);
    profile_builder_add(p, 0, SLICE("main > a + a"), 1);
    totals_compute(p, 0, WEIGHT_SAMPLES, &totals);
    assert_weights(p, &totals, "a", 1, 5);
    assert_weights(p, &totals, "b", 0, 4);
    assert_weights(p, &totals, "c", 4, 4);
    totals_done(&totals);
}

static void samples_without_a_stack_are_part_of_the_whole(void **state)
{
    struct profile *p = *state;
    struct totals totals;

    profile_builder_add(p, 0, SLICE(""), 2);
    profile_builder_add(p, 0, SLICE("main"), 1);
    totals_compute(p, 0, WEIGHT_VALUE, &totals);
    assert_int_equal(totals.whole, 3000000);
    assert_int_equal(totals.without_stack, 2000000);
    totals_done(&totals);
}

static void sums_stop_at_the_largest_number(void **state)
{
    struct profile *p = *state;
    struct totals totals;
    uint32_t stack = profile_stack(p, PROFILE_NONE, profile_location(p, 0, 1));

    for (int i = 0; i < 2; i++)
        profile_add_sample(p, 0, (struct profile_sample){.value = UINT64_MAX - 1, .stack = stack});
    profile_builder_finish(p);
    totals_compute(p, 0, WEIGHT_VALUE, &totals);
    assert_true(totals.whole == UINT64_MAX);
    assert_true(totals.stacks[stack].total == UINT64_MAX);
    totals_done(&totals);
}

static void an_empty_profile_has_totals_of_nothing(void **state)
{
    struct totals totals;

    totals_compute(*state, 0, WEIGHT_SAMPLES, &totals);
    assert_int_equal(totals.whole, 0);
    totals_done(&totals);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_the_same_has_one_id_and_what_differs_has_not),
        TEST(many_stacks_keep_their_ids),
        TEST(totals_hold_what_was_called_and_self_does_not),
        TEST(recursion_counts_a_sample_once),
        TEST(inlined_calls_count_as_calls),
        TEST(samples_without_a_stack_are_part_of_the_whole),
        TEST(sums_stop_at_the_largest_number),
        TEST(an_empty_profile_has_totals_of_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

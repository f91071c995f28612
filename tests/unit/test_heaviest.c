#include "cmocka_all.h"

#include "tree/heaviest.h"

static bool take(struct heaviest *heaviest, uint64_t weight, uint32_t depth)
{
    return heaviest_take(heaviest, (struct heavy_node){weight, depth});
}

static void what_is_lighter_than_all_of_so_many_is_none_of_them(void **state)
{
    struct heaviest heaviest = {.most = 3};

    (void)state;
    assert_true(take(&heaviest, 5, 1));
    assert_true(take(&heaviest, 1, 1));
    assert_true(take(&heaviest, 3, 1));
    assert_false(take(&heaviest, 0, 1));
    assert_true(take(&heaviest, 4, 1));
    assert_true(take(&heaviest, 4, 1)); /* where the three are looked for again */
    assert_false(take(&heaviest, 3, 1));
    heaviest_done(&heaviest);
}

static void of_one_weight_the_nearer_to_the_root_counts(void **state)
{
    struct heaviest heaviest = {.most = 2};

    (void)state;
    assert_true(take(&heaviest, 7, 9));
    assert_true(take(&heaviest, 7, 5));
    assert_false(take(&heaviest, 7, 10));
    assert_true(take(&heaviest, 7, 9));
    assert_true(take(&heaviest, 7, 6));
    assert_false(take(&heaviest, 7, 7));
    heaviest_done(&heaviest);
}

static void of_no_number_all_are(void **state)
{
    struct heaviest heaviest = {0};

    (void)state;
    assert_true(take(&heaviest, 7, 1));
    assert_true(take(&heaviest, 0, 9));
    heaviest_done(&heaviest);
}

/* How many of those that were asked about before weigh more. */
static size_t count_heavier(const uint64_t *weights, size_t count)
{
    size_t heavier = 0;

    for (size_t i = 0; i < count; i++)
        heavier += weights[i] > weights[count];
    return heavier;
}

/*
 * Asks about so many nodes, of which none that belongs to the heaviest so far is refused; how many are taken.
 */
static size_t take_all(size_t most, const uint64_t *weights, size_t count)
{
    struct heaviest heaviest = {.most = most};
    size_t taken = 0;

    for (size_t i = 0; i < count; i++) {
        bool is_taken = take(&heaviest, weights[i], 1);

        taken += is_taken;
        assert_true(is_taken || count_heavier(weights, i) >= most);
    }
    heaviest_done(&heaviest);
    return taken;
}

enum { NODES = 3000, MOST = 31 };

static void none_of_the_heaviest_is_refused(void **state)
{
    uint64_t weights[NODES];
    uint64_t random = 1;

    (void)state;
    for (size_t i = 0; i < NODES; i++) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        weights[i] = random >> 20;
    }
    /* By chance each is among them with the probability of MOST to those before it: 173 in all. */
    assert_in_range(take_all(MOST, weights, NODES), 100, 260);
}

static void of_falling_weights_the_first_are_taken_and_of_rising_ones_all(void **state)
{
    uint64_t weights[NODES];

    (void)state;
    for (size_t i = 0; i < NODES; i++)
        weights[i] = NODES - i;
    assert_int_equal(take_all(MOST, weights, NODES), MOST);
    for (size_t i = 0; i < NODES; i++)
        weights[i] = i;
    assert_int_equal(take_all(MOST, weights, NODES), NODES);
    assert_int_equal(take_all(1, weights, NODES), NODES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_lighter_than_all_of_so_many_is_none_of_them),
        cmocka_unit_test(of_one_weight_the_nearer_to_the_root_counts),
        cmocka_unit_test(of_no_number_all_are),
        cmocka_unit_test(none_of_the_heaviest_is_refused),
        cmocka_unit_test(of_falling_weights_the_first_are_taken_and_of_rising_ones_all),
    };

    return cmocka_run_group_tests_name("heaviest", tests, NULL, NULL);
}

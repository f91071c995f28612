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
    assert_false(take(&heaviest, 2, 1));
    assert_true(take(&heaviest, 4, 1));
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

static void many_are_told_as_by_counting_the_heavier(void **state)
{
    enum { NODES = 500, MOST = 31 };
    struct heaviest heaviest = {.most = MOST};
    uint64_t weights[NODES];
    uint64_t random = 1;

    (void)state;
    for (size_t i = 0; i < NODES; i++) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        weights[i] = random >> 20;
        assert_int_equal(take(&heaviest, weights[i], 1), count_heavier(weights, i) < MOST);
    }
    heaviest_done(&heaviest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_lighter_than_all_of_so_many_is_none_of_them),
        cmocka_unit_test(of_one_weight_the_nearer_to_the_root_counts),
        cmocka_unit_test(of_no_number_all_are),
        cmocka_unit_test(many_are_told_as_by_counting_the_heavier),
    };

    return cmocka_run_group_tests_name("heaviest", tests, NULL, NULL);
}

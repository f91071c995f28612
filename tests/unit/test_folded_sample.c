#include "cmocka_all.h"

#include "facts/folded_sample.h"

/* The weight of a sample where as many stacks have numbers of `lowest`, `lowest` + `step` and so on. */
static uint64_t weight_of(size_t count, uint64_t lowest, uint64_t step)
{
    struct sample_sums sums = {0};
    uint64_t weight = 0;

    for (size_t i = 0; i < count; i++)
        sample_sums_add(&sums,
                        (struct sample_sum){.stack = (uint32_t)i, .value = lowest + i * step, .count = 1});
    sample_sums_settle(&sums);
    weight = folded_sample_weight(&sums);
    sample_sums_done(&sums);
    return weight;
}

static void counted_samples_are_ones(void **state)
{
    (void)state;
    assert_int_equal(weight_of(0, 0, 0), 1);
    assert_int_equal(weight_of(300, 1, 1), 1);
    assert_int_equal(weight_of(300, 1, 10), 1);
    assert_int_equal(weight_of(5, 5001, 5000), 1); /* few stacks may have many samples each */
    assert_int_equal(weight_of(1, 5000, 5000), 1);
}

static void of_a_clock_all_are_multiples_of_a_sample(void **state)
{
    (void)state;
    assert_int_equal(weight_of(30, 1003009, 1003009), 1003009);
    assert_int_equal(weight_of(30, 4 * 250000, 250000), 250000);
    assert_int_equal(weight_of(5, 4 * 2004008, 2004008), 2004008);
    assert_int_equal(weight_of(2, 2004008, 2004008), 2004008);
}

static void of_other_events_the_smaller_ones_tell(void **state)
{
    (void)state;
    assert_int_equal(weight_of(40, 1001, 1000), 11001);
    assert_int_equal(weight_of(5, 1000001, 1000), 1001001);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counted_samples_are_ones),
        cmocka_unit_test(of_a_clock_all_are_multiples_of_a_sample),
        cmocka_unit_test(of_other_events_the_smaller_ones_tell),
    };

    return cmocka_run_group_tests_name("folded_sample", tests, NULL, NULL);
}

/* What is told of generated profiles, of which it is known how they differ. */
#include "cmocka_all.h"

#include "change_fixture.h"
#include "profile_builder.h"

enum { FUNCTIONS = 60, SAMPLES = 3000, COMPARISONS = 400 };

/* The same numbers on every run (Numerical Recipes, a linear congruential generator). */
static double next_number(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) / 9007199254740992.0;
}

/* So many samples on average, each of function i with a share that falls as 1 / (i + 1). */
static void draw(struct profile *profile, uint64_t *seed, double factor_of_third)
{
    uint64_t counts[FUNCTIONS] = {0};
    double weights[FUNCTIONS];
    double drawn = 0;
    double whole = 0;
    SCOPED(text_done) struct text lines = {0};

    for (int i = 0; i < FUNCTIONS; i++) {
        weights[i] = (i == 2 ? factor_of_third : 1) / (i + 1);
        drawn += weights[i];
        whole += 1.0 / (i + 1);
    }
    /* Each slot is of one function or of none: so counts vary as in a program that is sampled. */
    for (int sample = 0; sample < 2 * SAMPLES; sample++) {
        double at = next_number(seed) * 2 * whole;
        int i = 0;

        if (at >= drawn)
            continue;
        while (i < FUNCTIONS - 1 && at >= weights[i])
            at -= weights[i++];
        counts[i]++;
    }
    for (int i = 0; i < FUNCTIONS; i++)
        if (counts[i] > 0)
            text_format(&lines, "%llu|app|own app f%d\n", (unsigned long long)counts[i], i);
    assert_true(profile_builder_add_lines(profile, text_slice(&lines)));
}

static size_t told_of_drawn(enum measure_kind kind, uint64_t *seed, double factor_of_third, bool *has_third)
{
    struct change_fixture f = {0};
    size_t told = 0;

    profile_builder_init(&f.before);
    profile_builder_init(&f.after);
    draw(&f.before, seed, 1);
    draw(&f.after, seed, factor_of_third);
    change_fixture_compare(&f, kind, JOINED_BY_FUNCTION);
    told = f.changes.told_count;
    *has_third = told > 0 && slice_is(change_name(&f.changes, &f.changes.items.items[0]), "f2");
    changes_done(&f.changes);
    profile_done(&f.before);
    profile_done(&f.after);
    return told;
}

/* One in twenty is what the rule allows; three deviations of so many comparisons are 3.3 in a hundred. */
static void runs_that_do_not_differ_are_told_to_at_most_once_in_twenty(void **state)
{
    uint64_t seed = 1;
    bool ignored = false;

    (void)state;
    for (int kind = MEASURE_CPU; kind <= MEASURE_SHARE; kind++) {
        int told = 0;

        for (int i = 0; i < COMPARISONS; i++)
            told += told_of_drawn((enum measure_kind)kind, &seed, 1, &ignored) > 0;
        assert_in_range(told, 1, COMPARISONS * 83 / 1000);
    }
}

static void a_function_of_twice_the_time_is_always_found_and_alone(void **state)
{
    uint64_t seed = 2;
    int others = 0;

    (void)state;
    for (int i = 0; i < COMPARISONS; i++) {
        bool has_third = false;
        size_t told = told_of_drawn(MEASURE_CPU, &seed, 2, &has_third);

        assert_true(has_third);
        others += told > 1;
    }
    assert_in_range(others, 0, COMPARISONS * 83 / 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_that_do_not_differ_are_told_to_at_most_once_in_twenty),
        cmocka_unit_test(a_function_of_twice_the_time_is_always_found_and_alone),
    };

    return cmocka_run_group_tests_name("change_noise", tests, NULL, NULL);
}

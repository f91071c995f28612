#include "change_fixture.h"

#include "changes/run_variances.h"
#include "profile_builder.h"

enum { RUNS = 8 };

/* In a thread of its own, which tells the run, 1000 samples: so many of `hot`, the rest of `cold`. */
static void add_run(struct profile *profile, uint64_t hot)
{
    uint32_t thread = profile_add_thread(profile, 200 + profile->run_count, 200, SLICE("app"));

    profile->threads.items[thread].run = profile->run_count++;
    profile_builder_add(profile, thread, SLICE("own app main > own app hot"), hot);
    profile_builder_add(profile, thread, SLICE("own app main > own app cold"), 1000 - hot);
}

static void compare_runs(struct change_fixture *f, bool tells_runs)
{
    struct joined_part parts[] = {{&f->before, 0}, {&f->after, 0}};
    struct measure measure;

    changes_done(&f->changes);
    assert_int_equal(measure_make(parts, MEASURE_SHARE, &measure, &f->err), 0);
    if (tells_runs)
        measure_tell_runs(parts, &measure);
    changes_make(parts, JOINED_BY_FUNCTION, &measure, &f->changes);
}

static void what_differs_as_much_from_run_to_run_is_noise(void **state)
{
    struct change_fixture *f = *state;

    for (uint64_t run = 0; run < RUNS; run++) {
        add_run(&f->before, run % 2 ? 400 : 600);
        add_run(&f->after, run % 4 ? 600 : 400);
    }
    compare_runs(f, false);
    assert_int_equal(f->changes.itself_count, 2);
    compare_runs(f, true);
    assert_int_equal(f->changes.itself_count, 0);
    assert_int_equal(f->changes.told_count, 0);
    assert_true(change_fixture_find(f, "hot")->self.error > 50 * 1000 * 1000);
}

static void what_differs_more_than_runs_do_is_told(void **state)
{
    struct change_fixture *f = *state;

    for (uint64_t run = 0; run < RUNS; run++) {
        add_run(&f->before, run % 2 ? 480 : 520);
        add_run(&f->after, run % 2 ? 580 : 620);
    }
    compare_runs(f, true);
    assert_int_equal(f->changes.itself_count, 2);
    assert_int_equal(change_of(&change_fixture_find(f, "hot")->self), 100 * 1000 * 1000);
}

/* How alike runs are by chance says nothing: samples are counts all the same. */
static void what_sampling_makes_is_noise_however_alike_runs_are(void **state)
{
    struct change_fixture *f = *state;

    for (uint64_t run = 0; run < RUNS; run++) {
        add_run(&f->before, 500);
        add_run(&f->after, 505);
    }
    compare_runs(f, true);
    assert_int_equal(f->changes.itself_count, 0);
}

static void one_run_of_a_side_does_not_tell_how_runs_differ(void **state)
{
    struct change_fixture *f = *state;

    add_run(&f->before, 400);
    add_run(&f->after, 600);
    add_run(&f->after, 600);
    compare_runs(f, true);
    assert_false(measure_tells_runs(&f->changes.measure));
    assert_int_equal(f->changes.itself_count, 2);
}

static void the_variance_is_that_of_the_sum_of_all_runs(void **state)
{
    struct change_fixture *f = *state;
    struct run_series of = {.series = 0, .weight = WEIGHT_SAMPLES, .run_count = 2};
    struct run_variances variances;
    struct totals totals;

    add_run(&f->before, 400);
    add_run(&f->before, 600);
    totals_compute(&f->before, 0, WEIGHT_SAMPLES, &totals);
    run_variances_find(&f->before, of, &totals, &variances);
    totals_done(&totals);
    for (size_t i = 0; i < f->before.functions.count; i++) {
        bool is_main = slice_is(profile_text(&f->before, f->before.functions.items[i].name), "main");

        assert_int_equal((int)variances.self[i], is_main ? 0 : 2 * (100 * 100 + 100 * 100));
        assert_int_equal((int)variances.total[i], is_main ? 0 : 2 * (100 * 100 + 100 * 100));
    }
    run_variances_done(&variances);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, change_fixture_set_up, change_fixture_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_differs_as_much_from_run_to_run_is_noise),
        TEST(what_differs_more_than_runs_do_is_told),
        TEST(what_sampling_makes_is_noise_however_alike_runs_are),
        TEST(one_run_of_a_side_does_not_tell_how_runs_differ),
        TEST(the_variance_is_that_of_the_sum_of_all_runs),
    };

    return cmocka_run_group_tests_name("run_variances", tests, NULL, NULL);
}

/* How much of an event each run had: what was counted before what samples say. */
#include "change_fixture.h"

#include "compared/compare_event.h"
#include "profile_builder.h"
#include "timing/figure_rows.h"
#include "timing/ratio_words.h"

enum { RUNS = 4 };

/* A series of `event`, of which each run has so many samples of 10 each. */
static void fill(struct profile *profile, const uint64_t samples[RUNS])
{
    struct profile_series *series = &profile->series.items[0];

    series->event = series->unit = profile_string(profile, SLICE("page-faults"));
    series->frequency_hz = 0;
    profile->run_count = RUNS;
    for (uint32_t run = 0; run < RUNS; run++) {
        uint32_t thread = profile_add_thread(profile, 200 + run, 200 + run, SLICE("app"));
        struct profile_sample sample = {.thread = thread, .stack = PROFILE_NONE, .value = 10};

        profile->threads.items[thread].run = run;
        for (uint64_t i = 0; i < samples[run]; i++)
            profile_add_sample(profile, 0, sample);
    }
    profile_builder_finish(profile);
}

static void count(struct profile *profile, const uint64_t counts[RUNS])
{
    struct profile_series *series = &profile->series.items[0];

    for (size_t run = 0; run < RUNS; run++) {
        *vec_add(&series->run_counts) = counts[run];
        series->happened_count += counts[run];
    }
}

static struct figure figure_of(struct change_fixture *f, struct arena *arena)
{
    struct joined_part parts[] = {{&f->before, 0}, {&f->after, 0}};
    struct other_figure out[COMPARE_EVENT_MOST];
    struct measure measure;

    assert_int_equal(measure_make(parts, measure_usual(parts), &measure, &f->err), 0);
    assert_int_equal(compare_event_find(parts, &measure, 0.95, arena, out), 1);
    assert_int_equal(out[0].run_count, RUNS);
    return out[0].figure;
}

static void runs_have_what_was_counted_of_them(void **state)
{
    struct change_fixture *f = *state;
    SCOPED(arena_done) struct arena arena = {0};
    struct figure figure;

    fill(&f->before, (const uint64_t[]){8, 10, 7, 9});
    fill(&f->after, (const uint64_t[]){10, 7, 9, 8});
    figure = figure_of(f, &arena);
    assert_true(figure.sides[TIMING_BEFORE].deviation > 10);
    count(&f->before, (const uint64_t[]){105, 105, 105, 105});
    count(&f->after, (const uint64_t[]){107, 107, 107, 107});
    figure = figure_of(f, &arena);
    assert_float_equal(figure.sides[TIMING_BEFORE].mean, 105, 0);
    assert_float_equal(figure.sides[TIMING_AFTER].mean, 107, 0);
    assert_float_equal(figure.sides[TIMING_BEFORE].deviation, 0, 0);
    assert_true(figure.ratio.low > 1);
}

/* Else one side's would be of more than the other's. */
static void counts_of_one_side_alone_are_not_taken(void **state)
{
    struct change_fixture *f = *state;
    SCOPED(arena_done) struct arena arena = {0};

    fill(&f->before, (const uint64_t[]){10, 10, 10, 10});
    fill(&f->after, (const uint64_t[]){10, 10, 10, 10});
    count(&f->before, (const uint64_t[]){400, 100, 100, 100});
    assert_float_equal(figure_of(f, &arena).sides[TIMING_BEFORE].most, 175, 1e-9);
    count(&f->after, (const uint64_t[]){100, 100, 100, 100});
    f->after.series.items[0].is_user_only = true;
    assert_float_equal(figure_of(f, &arena).sides[TIMING_BEFORE].most, 175, 1e-9);
    f->before.series.items[0].is_user_only = true;
    assert_float_equal(figure_of(f, &arena).sides[TIMING_BEFORE].most, 400, 0);
}

/* A tracepoint's count may be of others, too. */
static void where_each_has_a_sample_those_are_the_count(void **state)
{
    struct change_fixture *f = *state;
    SCOPED(arena_done) struct arena arena = {0};

    for (size_t side = 0; side < JOINED_SIDES; side++) {
        struct profile *profile = side == JOINED_BEFORE ? &f->before : &f->after;

        fill(profile, (const uint64_t[]){0, 0, 0, 0});
        for (uint32_t run = 0; run < RUNS; run++) {
            struct profile_sample sample = {.thread = run + 1, .stack = PROFILE_NONE, .value = 1};

            profile_add_sample(profile, 0, sample);
        }
        profile_builder_finish(profile);
        count(profile, (const uint64_t[]){3, 3, 3, 3});
    }
    assert_float_equal(figure_of(f, &arena).sides[TIMING_BEFORE].mean, 1, 0);
}

/* Student's t of 3 degrees is 3.1824: before is at most 10 * (1 / 4 + 3.1824 / 4), after 100. */
static void what_hardly_any_run_had_before_is_at_least_so_much_more(void **state)
{
    struct change_fixture *f = *state;
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(text_done) struct text said = {0};
    struct ratio ratio;

    fill(&f->before, (const uint64_t[]){0, 0, 1, 0});
    fill(&f->after, (const uint64_t[]){10, 10, 10, 10});
    ratio = figure_of(f, &arena).ratio;
    assert_float_equal(ratio.estimate, 40, 1e-9);
    assert_false(ratio.is_bounded);
    assert_true(ratio.has_low);
    assert_float_equal(ratio.low, 100 / (10 * (0.25 + 3.182446 / 4)), 1e-4);
    assert_int_equal(verdict_of_ratio(ratio), VERDICT_MORE);
    ratio_add_interval(&said, ratio);
    assert_string_equal(text_string(&said), "at least +856.4%");
    text_clear(&said);
    ratio_add_sentence(&said, ratio, "", 0.95, "main", "the working tree");
    assert_string_equal(text_string(&said),
                        "the working tree takes 3900.0% more than main: at least 856.4%, with "
                        "95% confidence");

    /* It may be no more than before where that is as uncertain. */
    ratio.low = 0.9;
    assert_int_equal(verdict_of_ratio(ratio), VERDICT_UNKNOWN);
    ratio.has_low = false;
    ratio.low = 2;
    assert_int_equal(verdict_of_ratio(ratio), VERDICT_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(runs_have_what_was_counted_of_them, change_fixture_set_up,
                                        change_fixture_tear_down),
        cmocka_unit_test_setup_teardown(counts_of_one_side_alone_are_not_taken, change_fixture_set_up,
                                        change_fixture_tear_down),
        cmocka_unit_test_setup_teardown(what_hardly_any_run_had_before_is_at_least_so_much_more,
                                        change_fixture_set_up, change_fixture_tear_down),
        cmocka_unit_test_setup_teardown(where_each_has_a_sample_those_are_the_count, change_fixture_set_up,
                                        change_fixture_tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

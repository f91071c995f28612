/* What is made of the times that two programs took. */
#include "cmocka_all.h"

#include <math.h>
#include <string.h>

#include "report/render.h"
#include "timing/export.h"
#include "timing/figure_rows.h"

static void neither_side_is_always_first_and_drift_is_shared(void **state)
{
    static const enum timing_side order[] = {TIMING_BEFORE, TIMING_AFTER, TIMING_AFTER, TIMING_BEFORE,
                                             TIMING_BEFORE, TIMING_AFTER, TIMING_AFTER, TIMING_BEFORE};

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(order); i++)
        assert_int_equal(timing_side_of_run(i), order[i]);
}

static void as_many_runs_are_planned_as_fit_into_six_seconds(void **state)
{
    const struct timing_plan plan = {.least_runs = 10, .most_runs = 500};
    const struct timing_plan exact = {.least_runs = 7, .most_runs = 7};

    (void)state;
    assert_int_equal(timing_runs(&plan, 100000000), 60);
    assert_int_equal(timing_runs(&plan, 5000000000), 10);
    assert_int_equal(timing_runs(&plan, 1000), 500);
    assert_int_equal(timing_runs(&plan, 0), 500);
    assert_int_equal(timing_runs(&exact, 1000), 7);
    assert_int_equal(timing_runs(&exact, UINT64_MAX), 7);
}

/* --- Figures --------------------------------------------------------------------------- */

struct fixture {
    struct timings timings;
    struct figures figures;
    struct text text;
    struct rows rows;
};

static const struct timed_program programs[] = {{.label = "main (1a2b3c4)", .command = "./app 5"},
                                                {.label = "the working tree", .command = "./app | 5"}};

static int set_up(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){0};
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    timings_done(&f->timings);
    text_done(&f->text);
    rows_done(&f->rows);
    return 0;
}

static void add_run(struct fixture *f, enum timing_side side, uint64_t wall_ms)
{
    *vec_add(&f->timings.runs[side]) = (struct timed_run){.wall_ns = wall_ms * 1000000,
                                                          .user_ns = wall_ms * 900000,
                                                          .system_ns = 50000,
                                                          .peak_bytes = 1048576 * (1 + (uint64_t)side)};
}

static void add_pair(struct fixture *f, uint64_t before_ms, uint64_t after_ms)
{
    add_run(f, TIMING_BEFORE, before_ms);
    add_run(f, TIMING_AFTER, after_ms);
}

static void compute(struct fixture *f)
{
    figures_compute(&f->timings, 0.95, &f->figures);
    figure_rows_fill(&f->figures, programs, &f->rows);
}

static void what_takes_longer_in_each_pair_is_slower(void **state)
{
    struct fixture *f = *state;
    struct figure *elapsed = &f->figures.items[FIGURE_ELAPSED];

    add_pair(f, 100, 110);
    add_pair(f, 102, 113);
    add_pair(f, 98, 107);
    compute(f);
    assert_int_equal(f->figures.run_count, 3);
    assert_true(fabs(elapsed->sides[TIMING_BEFORE].mean - 0.1) < 1e-12);
    assert_true(fabs(elapsed->ratio.estimate - 1.1) < 1e-9);
    assert_int_equal(verdict_of_ratio(elapsed->ratio), VERDICT_MORE);
    assert_int_equal(verdict_of_ratio(f->figures.items[FIGURE_SYSTEM].ratio), VERDICT_NOISE);
    assert_true(f->figures.items[FIGURE_MEMORY].ratio.estimate == 2);
    assert_non_null(
        strstr(f->rows.headline, "the working tree takes 10.0% more time than main (1a2b3c4): between "));
    assert_non_null(strstr(f->rows.headline, "with 95% confidence, in 3 runs of each"));
}

/* The kernel counts what our process had before among it. */
static void memory_that_may_be_ours_is_at_most_so_much(void **state)
{
    struct fixture *f = *state;
    struct figure *memory = &f->figures.items[FIGURE_MEMORY];

    for (size_t i = 0; i < 3; i++) {
        add_pair(f, 100, 100);
        f->timings.runs[TIMING_BEFORE].items[i].own_bytes = 900 << 10;
        f->timings.runs[TIMING_AFTER].items[i].own_bytes = 900 << 10;
    }
    compute(f);
    assert_true(memory->is_at_most[TIMING_BEFORE]);
    assert_false(memory->is_at_most[TIMING_AFTER]);
    assert_int_equal(verdict_of_ratio(memory->ratio), VERDICT_MORE);
    for (size_t i = 0; i < 3; i++)
        f->timings.runs[TIMING_AFTER].items[i].peak_bytes = 1100 << 10;
    rows_done(&f->rows);
    f->rows = (struct rows){0};
    compute(f);
    assert_true(memory->is_at_most[TIMING_AFTER]);
    assert_int_equal(verdict_of_ratio(memory->ratio), VERDICT_UNKNOWN);
    render_table(&f->text, &f->rows, (struct render_look){0});
    assert_non_null(strstr(text_string(&f->text), "at most 1.0MiB ± 0B"));
    assert_non_null(strstr(text_string(&f->text), "\npeak memory: the kernel counts what"));
}

static void what_is_not_told_apart_is_noise(void **state)
{
    struct fixture *f = *state;

    add_pair(f, 100, 110);
    add_pair(f, 110, 101);
    add_pair(f, 105, 104);
    compute(f);
    assert_int_equal(verdict_of_ratio(f->figures.items[FIGURE_ELAPSED].ratio), VERDICT_NOISE);
    assert_non_null(strstr(f->rows.headline, "no change beyond noise: the working tree takes between "));
    assert_non_null(strstr(f->rows.headline, "% less and "));
    assert_non_null(
        strstr(f->rows.headline, "% more time than main (1a2b3c4), with 95% confidence, in 3 runs"));
}

static void processor_time_may_tell_what_elapsed_time_does_not(void **state)
{
    struct fixture *f = *state;

    for (uint64_t i = 0; i < 4; i++) {
        add_pair(f, 100 + 30 * (i % 2), 100 + 40 * (i / 2));
        f->timings.runs[TIMING_BEFORE].items[i].user_ns = 50000000 + i * 100000;
        f->timings.runs[TIMING_AFTER].items[i].user_ns = 55000000 + i * 100000;
    }
    compute(f);
    assert_int_equal(verdict_of_ratio(f->figures.items[FIGURE_ELAPSED].ratio), VERDICT_NOISE);
    assert_non_null(strstr(f->rows.headline, ", in 4 runs of each; but CPU time is 10.0% more, +"));
}

static void one_pair_tells_nothing(void **state)
{
    struct fixture *f = *state;

    add_pair(f, 100, 200);
    compute(f);
    assert_int_equal(verdict_of_ratio(f->figures.items[FIGURE_ELAPSED].ratio), VERDICT_UNKNOWN);
    assert_string_equal(f->rows.headline, "too few runs, or too unlike each other, to tell the working tree "
                                          "from main (1a2b3c4), in 1 run of each");
    render_json(&f->text, &f->rows);
    assert_non_null(
        strstr(text_string(&f->text), "\"ratio\":2.000000,\"ratio-low\":null,\"ratio-high\":null"));
    assert_non_null(strstr(text_string(&f->text), "\"after-deviation\":null,"));
    text_clear(&f->text);
    render_table(&f->text, &f->rows, (struct render_look){0});
    assert_non_null(strstr(text_string(&f->text), "100.0 ms 200.0 ms +100.0%"));
    assert_null(strstr(text_string(&f->text), "±"));
}

static void the_table_has_a_line_for_each_figure(void **state)
{
    struct fixture *f = *state;

    for (int i = 0; i < 4; i++)
        add_pair(f, 100, 50);
    compute(f);
    render_table(&f->text, &f->rows, (struct render_look){0});
    assert_string_equal(
        text_string(&f->text),
        "        Before          After  Change           Interval Verdict Figure\n"
        "100.0 ms ± 0 s 50.00 ms ± 0 s  -50.0%   -50.0% to -50.0%  faster elapsed time\n"
        "90.05 ms ± 0 s 45.05 ms ± 0 s  -50.0%   -50.0% to -50.0%    less CPU time\n"
        "90.00 ms ± 0 s 45.00 ms ± 0 s  -50.0%   -50.0% to -50.0%    less user time\n"
        " 50.0 us ± 0 s  50.0 us ± 0 s    0.0%       0.0% to 0.0%   noise system time\n"
        "   1.0MiB ± 0B    2.0MiB ± 0B +100.0% +100.0% to +100.0%    more peak memory\n\n"
        "the working tree takes 50.0% less time than main (1a2b3c4): between 50.0% and 50.0%, with 95% "
        "confidence, in 4 runs of each\n");
}

/* Whoever compares allocations reads "12.5" of few, and of many no fraction that is noise. */
static void a_mean_of_few_things_has_a_fraction_where_there_is_one(void **state)
{
    struct fixture *f = *state;
    struct other_figure other = {.name = "page-faults",
                                 .unit = "page-faults",
                                 .shape = FIGURE_OF_THINGS,
                                 .figure = {.sides = {{.mean = 12.5}, {.mean = 12.04}}},
                                 .run_count = 4,
                                 .confidence = 0.95};

    add_pair(f, 100, 100);
    compute(f);
    figure_rows_add(&other, programs, &f->rows);
    other.figure.sides[TIMING_BEFORE].mean = 100.5;
    other.figure.sides[TIMING_AFTER].mean = 4096.4;
    figure_rows_add(&other, programs, &f->rows);
    render_table(&f->text, &f->rows, (struct render_look){0});
    assert_non_null(strstr(text_string(&f->text), "\n    12.5       12 "));
    assert_non_null(strstr(text_string(&f->text), "\n     101    4,096 "));
}

static void of_what_most_runs_had_none_there_is_no_percentage(void **state)
{
    struct fixture *f = *state;

    for (int i = 0; i < 3; i++)
        add_pair(f, 2, 1);
    for (size_t i = 0; i < 2; i++)
        f->timings.runs[TIMING_AFTER].items[i].user_ns = 0;
    compute(f);
    assert_true(isnan(f->figures.items[FIGURE_USER].ratio.estimate));
    assert_int_equal(verdict_of_ratio(f->figures.items[FIGURE_USER].ratio), VERDICT_UNKNOWN);
    assert_int_equal(verdict_of_ratio(f->figures.items[FIGURE_SYSTEM].ratio), VERDICT_NOISE);
    render_table(&f->text, &f->rows, (struct render_look){0});
    assert_non_null(strstr(text_string(&f->text), "      ?                  ? unknown user time\n"));
}

static void doubts_are_told(void **state)
{
    struct fixture *f = *state;

    for (uint64_t i = 0; i < 9; i++)
        add_pair(f, 100 + i % 3, 100 + i % 2);
    add_pair(f, 900, 3);
    compute(f);
    figures_add_doubts(&f->text, &f->figures);
    assert_non_null(strstr(text_string(&f->text), "2 of 20 runs took much longer or shorter"));
    assert_null(strstr(text_string(&f->text), "5 ms"));
    timings_done(&f->timings);
    add_pair(f, 2, 100);
    figures_compute(&f->timings, 0.95, &f->figures);
    text_clear(&f->text);
    figures_add_doubts(&f->text, &f->figures);
    assert_string_equal(
        text_string(&f->text),
        "runs of less than 5 ms are mostly the starting of a process: give the program more to do");
}

/* --- Exports --------------------------------------------------------------------------- */

static struct export_request request_of(struct fixture *f)
{
    return (struct export_request){.timings = &f->timings,
                                   .figures = &f->figures,
                                   .names = {"./app 5", "./app | 5"},
                                   .unit = EXPORT_UNIT_FITTING};
}

static void add_known_runs(struct fixture *f)
{
    add_pair(f, 100, 50);
    add_pair(f, 102, 54);
    f->timings.runs[TIMING_AFTER].items[1].exit_code = 3;
    f->timings.runs[TIMING_BEFORE].items[0].signal = 9;
    figures_compute(&f->timings, 0.95, &f->figures);
}

static void json_is_that_of_hyperfine(void **state)
{
    struct fixture *f = *state;
    struct export_request request = request_of(f);

    add_known_runs(f);
    export_json(&f->text, &request);
    assert_non_null(strstr(text_string(&f->text), "\"command\": \"./app 5\""));
    assert_non_null(strstr(text_string(&f->text), "\"mean\": 0.101"));
    assert_non_null(strstr(text_string(&f->text), "\"min\": 0.1,"));
    assert_non_null(strstr(text_string(&f->text), "\"user\": 0.0909"));
    assert_non_null(strstr(text_string(&f->text), "1048576"));
    assert_non_null(strstr(text_string(&f->text), "null"));
}

static void csv_is_that_of_hyperfine(void **state)
{
    struct fixture *f = *state;
    struct export_request request = request_of(f);

    add_pair(f, 100, 50);
    figures_compute(&f->timings, 0.95, &f->figures);
    export_csv(&f->text, &request);
    assert_string_equal(text_string(&f->text), "command,mean,stddev,median,user,system,min,max\n"
                                               "./app 5,0.1,0,0.1,0.09,5e-05,0.1,0.1\n"
                                               "./app | 5,0.05,0,0.05,0.045,5e-05,0.05,0.05\n");
}

static void markdown_counts_from_the_faster_one(void **state)
{
    struct fixture *f = *state;
    struct export_request request = request_of(f);

    add_known_runs(f);
    export_markdown(&f->text, &request);
    assert_string_equal(text_string(&f->text), "| Command | Mean [ms] | Min [ms] | Max [ms] | Relative |\n"
                                               "|:---|---:|---:|---:|---:|\n"
                                               "| `./app 5` | 101.0 ± 1.4 | 100.0 | 102.0 | 1.94 ± 0.11 |\n"
                                               "| `./app \\| 5` | 52.0 ± 2.8 | 50.0 | 54.0 | 1.00 |\n");
    text_clear(&f->text);
    request.unit = EXPORT_UNIT_SECOND;
    export_markdown(&f->text, &request);
    assert_non_null(strstr(text_string(&f->text), "| `./app 5` | 0.101 ± 0.001 | 0.100 | 0.102 |"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neither_side_is_always_first_and_drift_is_shared),
        cmocka_unit_test(as_many_runs_are_planned_as_fit_into_six_seconds),
        cmocka_unit_test_setup_teardown(what_takes_longer_in_each_pair_is_slower, set_up, tear_down),
        cmocka_unit_test_setup_teardown(memory_that_may_be_ours_is_at_most_so_much, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_not_told_apart_is_noise, set_up, tear_down),
        cmocka_unit_test_setup_teardown(processor_time_may_tell_what_elapsed_time_does_not, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(one_pair_tells_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_table_has_a_line_for_each_figure, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_mean_of_few_things_has_a_fraction_where_there_is_one, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(of_what_most_runs_had_none_there_is_no_percentage, set_up, tear_down),
        cmocka_unit_test_setup_teardown(doubts_are_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(json_is_that_of_hyperfine, set_up, tear_down),
        cmocka_unit_test_setup_teardown(csv_is_that_of_hyperfine, set_up, tear_down),
        cmocka_unit_test_setup_teardown(markdown_counts_from_the_faster_one, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What is said of samples, against what scipy and numpy say (fixtures/statistics/make.py) and by
 * construction. */
#include "cmocka_all.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/scan.h"
#include "delta/statistics.h"

enum { MOST_NUMBERS = 512 };

struct line {
    struct slice word;
    double numbers[MOST_NUMBERS];
    size_t count;
};

typedef void line_fn(const struct line *line);

static void assert_close(double got, double wanted)
{
    if (!(fabs(got - wanted) <= 1e-9 * fmax(1, fabs(wanted))))
        fail_msg("%.17g is not %.17g", got, wanted);
}

static void read_line(struct slice text, struct line *out)
{
    struct scan scan = scan_of(text);
    struct slice number = {0};

    *out = (struct line){0};
    assert_true(scan_word(&scan, &out->word));
    while (scan_skip_any(&scan, " ") && scan_word(&scan, &number)) {
        assert_true(out->count < MOST_NUMBERS);
        out->numbers[out->count++] = strtod(number.data, NULL);
    }
}

/* Calls `check` for each line that begins with the word; there are some. */
static void for_each_line(const char *word, line_fn *check)
{
    SCOPED(text_done) struct text content = {0};
    struct error err = {0};
    struct scan scan;
    struct slice text;
    size_t count = 0;

    assert_int_equal(file_read(FIXTURES "/statistics/known.txt", 1 << 20, &content, &err), 0);
    text_string(&content);
    scan = scan_of(text_slice(&content));
    while (scan_line(&scan, &text)) {
        struct line line;

        read_line(text, &line);
        if (!slice_is(line.word, word))
            continue;
        check(&line);
        count++;
    }
    assert_true(count > 0);
}

static void check_quantile(const struct line *line)
{
    assert_close(student_quantile(line->numbers[0], line->numbers[1]), line->numbers[2]);
}

static void quantiles_of_students_t_are_those_of_scipy(void **state)
{
    (void)state;
    for_each_line("quantile", check_quantile);
}

static void check_summary(const struct line *line)
{
    size_t count = (size_t)line->numbers[0];
    const double *known = line->numbers + 1 + count;
    struct sample_summary summary;

    sample_summarize(line->numbers + 1, count, &summary);
    assert_int_equal(summary.count, count);
    assert_close(summary.mean, known[0]);
    assert_close(summary.deviation, known[1]);
    assert_close(summary.median, known[2]);
    assert_true(summary.least == known[3] && summary.most == known[4]);
}

static void summaries_are_those_of_numpy(void **state)
{
    (void)state;
    for_each_line("summary", check_summary);
}

static void check_ratio(struct ratio ratio, const double *known)
{
    assert_true(ratio.is_bounded);
    assert_close(ratio.estimate, known[0]);
    assert_close(ratio.low, known[1]);
    assert_close(ratio.high, known[2]);
}

static void check_pairs(const struct line *line)
{
    size_t count = (size_t)line->numbers[1];
    const double *before = line->numbers + 2;

    check_ratio(ratio_of_pairs(before, before + count, count, line->numbers[0]), before + 2 * count);
}

static void ratios_of_pairs_are_where_scipys_test_puts_them(void **state)
{
    (void)state;
    for_each_line("pairs", check_pairs);
}

static void check_samples(const struct line *line)
{
    size_t before_count = (size_t)line->numbers[1];
    size_t after_count = (size_t)line->numbers[2];
    const double *before = line->numbers + 3;
    const double *after = before + before_count;

    check_ratio(ratio_of_samples(before, before_count, after, after_count, line->numbers[0]),
                after + after_count);
}

static void ratios_of_samples_are_where_scipys_test_puts_them(void **state)
{
    (void)state;
    for_each_line("samples", check_samples);
}

/* --- By construction ------------------------------------------------------------------- */

static void outliers_are_counted(void **state)
{
    static const double calm[] = {10, 11, 9, 10, 12, 8, 10};
    static const double spike[] = {10, 11, 9, 10, 12, 8, 10, 40, 10.5, 60};
    static const double mostly_same[] = {5, 5, 5, 5, 900};
    struct sample_summary summary;

    (void)state;
    sample_summarize(calm, ARRAY_COUNT(calm), &summary);
    assert_int_equal(summary.outlier_count, 0);
    sample_summarize(spike, ARRAY_COUNT(spike), &summary);
    assert_int_equal(summary.outlier_count, 2);
    sample_summarize(mostly_same, ARRAY_COUNT(mostly_same), &summary);
    assert_int_equal(summary.outlier_count, 0);
}

static void too_little_gives_no_bounds(void **state)
{
    static const double one[] = {3}, other[] = {6};
    static const double zeros[] = {0, 0, 0}, some[] = {1, 2, 3};
    static const double around_zero[] = {0, 0, 0, 1}, ones[] = {1, 1, 1, 1.1};

    (void)state;
    assert_false(ratio_of_pairs(one, other, 1, 0.95).is_bounded);
    assert_true(ratio_of_pairs(one, other, 1, 0.95).estimate == 2);
    assert_false(ratio_of_samples(one, 1, some, 3, 0.95).is_bounded);
    assert_false(ratio_of_samples(some, 3, one, 1, 0.95).is_bounded);
    assert_false(ratio_of_pairs(zeros, some, 3, 0.95).is_bounded);
    assert_false(ratio_of_pairs(around_zero, ones, 4, 0.95).is_bounded);
}

static void what_does_not_vary_has_a_ratio_without_width(void **state)
{
    static const double before[] = {4, 4, 4}, after[] = {6, 6, 6};
    struct ratio pairs = ratio_of_pairs(before, after, 3, 0.95);
    struct ratio samples = ratio_of_samples(before, 3, after, 3, 0.95);

    (void)state;
    assert_true(pairs.is_bounded && pairs.low == 1.5 && pairs.high == 1.5);
    assert_true(samples.is_bounded && samples.low == 1.5 && samples.high == 1.5);
}

/* A generator whose series are the same everywhere (xorshift64*). */
static double uniform(uint64_t *seed)
{
    *seed ^= *seed >> 12;
    *seed ^= *seed << 25;
    *seed ^= *seed >> 27;
    return ((double)((*seed * UINT64_C(2685821657736338717)) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(uint64_t *seed)
{
    double radius = sqrt(-2 * log(uniform(seed)));

    return radius * cos(6.283185307179586 * uniform(seed));
}

/* How one run's time comes about. */
typedef double run_fn(uint64_t *seed, double load);

static double scattered_run(uint64_t *seed, double load)
{
    return 1 + load + 0.01 * normal(seed);
}

/* Never faster than it can be, now and then much slower: as times of programs are. */
static double skewed_run(uint64_t *seed, double load)
{
    return 1 + load + 0.01 * exp(0.8 * normal(seed));
}

enum { SERIES = 10000, PAIRS = 10 };

/* The share of series, in percent, whose interval holds `truth`; the load drifts and `change` is of all. */
static double coverage(run_fn *run, double change)
{
    uint64_t seed = UINT64_C(88172645463325252);
    double before[PAIRS], after[PAIRS];
    size_t hits = 0;

    for (size_t i = 0; i < SERIES; i++) {
        struct ratio ratio;

        for (size_t at = 0; at < PAIRS; at++) {
            double load = 0.02 * (double)at + 0.1 * uniform(&seed);

            before[at] = run(&seed, load);
            after[at] = change * run(&seed, load);
        }
        ratio = ratio_of_pairs(before, after, PAIRS, 0.95);
        hits += ratio.is_bounded && ratio.low <= change && change <= ratio.high;
    }
    return 100.0 * (double)hits / SERIES;
}

static void nineteen_of_twenty_intervals_hold_the_truth(void **state)
{
    (void)state;
    assert_true(fabs(coverage(scattered_run, 1) - 95) < 2);
    assert_true(fabs(coverage(scattered_run, 1.05) - 95) < 2);
    assert_true(fabs(coverage(skewed_run, 1) - 95) < 2);
    assert_true(fabs(coverage(skewed_run, 0.5) - 95) < 2);
}

/* The share of unpaired series whose interval holds the truth; the second scatters three times as much. */
static void so_do_those_of_samples_that_scatter_differently(void **state)
{
    enum { BEFORE = 8, AFTER = 20 };
    uint64_t seed = UINT64_C(123456789);
    double before[BEFORE], after[AFTER];
    size_t hits = 0;

    (void)state;
    for (size_t i = 0; i < SERIES; i++) {
        struct ratio ratio;

        for (size_t at = 0; at < BEFORE; at++)
            before[at] = 1 + 0.01 * normal(&seed);
        for (size_t at = 0; at < AFTER; at++)
            after[at] = 1.1 + 0.03 * normal(&seed);
        ratio = ratio_of_samples(before, BEFORE, after, AFTER, 0.95);
        hits += ratio.is_bounded && ratio.low <= 1.1 && 1.1 <= ratio.high;
    }
    assert_true(fabs(100.0 * (double)hits / SERIES - 95) < 2);
}

static void pairs_see_through_a_load_that_samples_do_not(void **state)
{
    double before[PAIRS], after[PAIRS];
    uint64_t seed = 42;
    struct ratio pairs, samples;

    (void)state;
    for (size_t at = 0; at < PAIRS; at++) {
        double load = uniform(&seed);

        before[at] = 1 + load;
        after[at] = 1.02 * (1 + load) + 0.001 * normal(&seed);
    }
    pairs = ratio_of_pairs(before, after, PAIRS, 0.95);
    samples = ratio_of_samples(before, PAIRS, after, PAIRS, 0.95);
    assert_true(pairs.low > 1.015 && pairs.high < 1.025);
    assert_true(samples.low < 1 && samples.high > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_of_students_t_are_those_of_scipy),
        cmocka_unit_test(summaries_are_those_of_numpy),
        cmocka_unit_test(ratios_of_pairs_are_where_scipys_test_puts_them),
        cmocka_unit_test(ratios_of_samples_are_where_scipys_test_puts_them),
        cmocka_unit_test(outliers_are_counted),
        cmocka_unit_test(too_little_gives_no_bounds),
        cmocka_unit_test(what_does_not_vary_has_a_ratio_without_width),
        cmocka_unit_test(nineteen_of_twenty_intervals_hold_the_truth),
        cmocka_unit_test(so_do_those_of_samples_that_scatter_differently),
        cmocka_unit_test(pairs_see_through_a_load_that_samples_do_not),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

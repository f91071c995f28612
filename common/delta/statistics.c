#include "delta/statistics.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/memory.h"

/* --- One sample ------------------------------------------------------------------------ */

static int compare_doubles(const void *one, const void *other)
{
    double a = *(const double *)one;
    double b = *(const double *)other;

    return (a > b) - (a < b);
}

static double median_of_sorted(const double *sorted, size_t count)
{
    return count % 2 ? sorted[count / 2] : sorted[count / 2 - 1] / 2 + sorted[count / 2] / 2;
}

static double mean_of(const double *values, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum / (double)count;
}

/* How the two vary together, divided by count - 1; of a sample with itself its variance. 0 for one value. */
static double covariance(const double *one, const double *other, size_t count)
{
    double mean_one = mean_of(one, count);
    double mean_other = mean_of(other, count);
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += (one[i] - mean_one) * (other[i] - mean_other);
    return count > 1 ? sum / (double)(count - 1) : 0;
}

static size_t count_outliers(const double *sorted, size_t count, double median)
{
    /* 1 / (the upper quartile of the normal distribution): Iglewicz and Hoaglin, 1993. */
    static const double deviations = 10 * 1.482602218505602;
    SCOPED(memory_free_at) double *distances = memory_new(count, sizeof(double));
    size_t outliers = 0;
    double limit = 0;

    for (size_t i = 0; i < count; i++)
        distances[i] = fabs(sorted[i] - median);
    qsort(distances, count, sizeof(double), compare_doubles);
    limit = deviations * median_of_sorted(distances, count);
    while (limit > 0 && outliers < count && distances[count - 1 - outliers] > limit)
        outliers++;
    return outliers;
}

void sample_summarize(const double *values, size_t count, struct sample_summary *out)
{
    SCOPED(memory_free_at) double *sorted = memory_new(count, sizeof(double));

    memcpy(sorted, values, count * sizeof(double));
    qsort(sorted, count, sizeof(double), compare_doubles);
    *out = (struct sample_summary){
        .count = count,
        .mean = mean_of(values, count),
        .deviation = sqrt(covariance(values, values, count)),
        .median = median_of_sorted(sorted, count),
        .least = sorted[0],
        .most = sorted[count - 1],
    };
    out->outlier_count = count_outliers(sorted, count, out->median);
}

/* --- Student's distribution ------------------------------------------------------------ */

/* What a step of the continued fraction multiplies it by is kept clear of 0. */
static double not_zero(double value)
{
    return fabs(value) < DBL_MIN ? DBL_MIN : value;
}

/*
 * The continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's method. It converges
 * quickly for x < (a + 1) / (a + b + 2).
 */
static double beta_fraction(double a, double b, double x)
{
    enum { MOST_STEPS = 10000 };
    double c = 1;
    double d = 1 / not_zero(1 - (a + b) * x / (a + 1));
    double fraction = d;

    for (int m = 1; m < MOST_STEPS; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double change = 0;

        d = 1 / not_zero(1 + even * d);
        c = not_zero(1 + even / c);
        fraction *= d * c;
        d = 1 / not_zero(1 + odd * d);
        c = not_zero(1 + odd / c);
        change = d * c;
        fraction *= change;
        if (fabs(change - 1) < DBL_EPSILON)
            break;
    }
    return fraction;
}

static double log_gamma(double x)
{
    int sign = 0;

    return lgamma_r(x, &sign);
}

/* The regularized incomplete beta function I_x(a, b) (DLMF 8.17.2); `y` is 1 - x, exact where x is near 1. */
static double incomplete_beta(double a, double b, double x, double y)
{
    double front = 0;

    if (x <= 0 || y <= 0)
        return x <= 0 ? 0 : 1;
    front = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) + b * log(y));
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, y) / b;
}

/* The probability that Student's t lies above `value`, which is 0 or more. */
static double student_tail(double value, double degrees)
{
    double square = value * value;

    return incomplete_beta(degrees / 2, 0.5, degrees / (degrees + square), square / (degrees + square)) / 2;
}

double student_quantile(double probability, double degrees)
{
    double tail = 1 - probability;
    double low = 0;
    double high = 1;

    while (student_tail(high, degrees) > tail && high < DBL_MAX / 2)
        high *= 2;
    for (;;) {
        double middle = low + (high - low) / 2;

        if (middle <= low || middle >= high || high - low <= high * 1e-13)
            return middle;
        if (student_tail(middle, degrees) > tail)
            low = middle;
        else
            high = middle;
    }
}

/* --- Two samples ----------------------------------------------------------------------- */

/* Two means, and how those vary from sample to sample. */
struct means {
    double before;
    double after;
    double before_variance;
    double after_variance;
    double covariance;
};

/*
 * Where the mean below may be 0 the ratio may be anything above what it is for the largest that it may be:
 * the function falls, and is not above 0 from its positive root on. The negative one is no ratio of times.
 */
static void find_low(double a, double b, double c, struct ratio *out)
{
    double low = c / (b + sqrt(fmax(0, b * b - a * c)));

    if (c > 0 && isfinite(low) && low > 0) {
        out->low = low;
        out->has_low = true;
    }
}

/*
 * All ratios r for which (after - r * before) is not further from 0 than chance brings it, that is than
 * `quantile` of its standard errors: where a quadratic function of r is not above 0.
 */
static struct ratio fieller(const struct means *means, double quantile)
{
    double square = quantile * quantile;
    double a = means->before * means->before - square * means->before_variance;
    double b = means->before * means->after - square * means->covariance;
    double c = means->after * means->after - square * means->after_variance;
    struct ratio ratio = {.estimate = means->after / means->before};
    double root = 0;

    if (!(a > 0)) {
        find_low(a, b, c, &ratio);
        return ratio;
    }
    root = sqrt(fmax(0, b * b - a * c));
    ratio.low = fmax(0, (b - root) / a);
    ratio.high = (b + root) / a;
    ratio.is_bounded = true;
    ratio.has_low = true;
    return ratio;
}

struct ratio ratio_of_pairs(const double *before, const double *after, size_t count, double confidence)
{
    double pairs = (double)count;
    struct means means = {
        .before = mean_of(before, count),
        .after = mean_of(after, count),
        .before_variance = covariance(before, before, count) / pairs,
        .after_variance = covariance(after, after, count) / pairs,
        .covariance = covariance(before, after, count) / pairs,
    };

    if (count < 2)
        return (struct ratio){.estimate = means.after / means.before};
    return fieller(&means, student_quantile(0.5 + confidence / 2, pairs - 1));
}

/* Of (after - estimate * before). */
static double welch_degrees(const struct means *means, double before_count, double after_count)
{
    double estimate = means->after / means->before;
    double before = estimate * estimate * means->before_variance;
    double after = means->after_variance;
    double degrees = (before + after) * (before + after) /
                     (before * before / (before_count - 1) + after * after / (after_count - 1));

    return isfinite(degrees) ? degrees : before_count + after_count - 2;
}

struct ratio ratio_of_samples(const double *before, size_t before_count, const double *after,
                              size_t after_count, double confidence)
{
    struct means means = {
        .before = mean_of(before, before_count),
        .after = mean_of(after, after_count),
        .before_variance = covariance(before, before, before_count) / (double)before_count,
        .after_variance = covariance(after, after, after_count) / (double)after_count,
    };

    if (before_count < 2 || after_count < 2)
        return (struct ratio){.estimate = means.after / means.before};
    return fieller(&means, student_quantile(0.5 + confidence / 2, welch_degrees(&means, (double)before_count,
                                                                                (double)after_count)));
}

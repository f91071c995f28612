/* What samples of running times tell: how large, how scattered, and how much larger one is than the other. */
#ifndef DELTA_STATISTICS_H
#define DELTA_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

/* Of one sample; all in its unit. */
struct sample_summary {
    size_t count;
    double mean;
    double deviation; /* of the population it was drawn from (divided by count - 1); 0 for a single value */
    double median;
    double least;
    double most;
    size_t outlier_count; /* values further from the median than 10 standard deviations, as the median
                             absolute deviation estimates those; 0 where half of the values are the same */
};

/* `count` is at least 1 and all values are finite. */
void sample_summarize(const double *values, size_t count, struct sample_summary *out);

/*
 * How many times as large the mean of one sample is as that of another, and the values that the ratio of the
 * populations' means has at the wanted confidence: Fieller's interval (E. C. Fieller, "Some problems in
 * interval estimation", 1954), which is exact for normal samples.
 */
struct ratio {
    double estimate;
    double low;
    double high;
    bool is_bounded; /* false: the mean below may as well be 0, or there are too few values to tell; high
                        then says nothing, */
    bool has_low;    /* and low does only with this: 0 is then no value that the mean above may as well be */
};

/*
 * Of samples that were drawn in pairs, `before[i]` beside `after[i]`: what made both slow at that moment
 * counts for neither. `confidence` is between 0 and 1. All values are finite and 0 or more.
 */
struct ratio ratio_of_pairs(const double *before, const double *after, size_t count, double confidence);

/*
 * Of samples that have nothing to do with each other, and different deviations: the degrees of freedom are
 * those of Welch and Satterthwaite at the estimate.
 */
struct ratio ratio_of_samples(const double *before, size_t before_count, const double *after,
                              size_t after_count, double confidence);

/*
 * The value that Student's t stays below with this probability, which is at least 0.5 and less than 1, to 9
 * digits. `degrees` of freedom are more than 0 and need not be whole.
 */
double student_quantile(double probability, double degrees);

#endif

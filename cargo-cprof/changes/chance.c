#include "changes/chance.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { EXACT_MOST = 1000000 };

static double log_binomial(double n, double k)
{
    int sign = 0;

    return lgamma_r(n + 1, &sign) - lgamma_r(k + 1, &sign) - lgamma_r(n - k + 1, &sign);
}

/*
 * The probability of `count` or, away from the mean, more extreme numbers out of n: the terms fall at least
 * as fast as a geometric series, so their sum is done when one no longer counts.
 */
static double tail(double n, double count, double share, bool is_upper)
{
    double term = exp(log_binomial(n, count) + count * log(share) + (n - count) * log1p(-share));
    double odds = share / (1 - share);
    double sum = 0;

    while (count >= 0 && count <= n && term > sum * 1e-17) {
        sum += term;
        if (is_upper)
            term *= (n - count) / (count + 1) * odds;
        else
            term *= count / (n - count + 1) / odds;
        count += is_upper ? 1 : -1;
    }
    return sum;
}

double chance_of_counts(uint64_t before, uint64_t after, double share_after)
{
    double n = (double)before + (double)after;
    double mean = n * share_after;
    double both = 0;

    if (n == 0)
        return 1;
    if (n > EXACT_MOST)
        return erfc(fabs((double)after - mean) / sqrt(2 * mean * (1 - share_after)));
    both = 2 * tail(n, (double)after, share_after, (double)after > mean);
    return both < 1 ? both : 1;
}

double chance_least(uint64_t count, double share_after)
{
    double rarer = share_after < 0.5 ? share_after : 1 - share_after;
    double both = 2 * exp((double)count * log(rarer));

    return both < 1 ? both : 1;
}

static int compare_numbers(const void *left, const void *right)
{
    const double *a = left;
    const double *b = right;

    return (*a > *b) - (*a < *b);
}

double chance_limit(double *least, size_t count, double level)
{
    size_t can_pass = count;
    size_t looked_at = 0;

    if (count > 1)
        qsort(least, count, sizeof(*least), compare_numbers);
    /* The smallest number such that no more than so many can pass when it is the one divided by. */
    do {
        looked_at++;
        while (can_pass > 0 && least[can_pass - 1] > level / (double)looked_at)
            can_pass--;
    } while (can_pass > looked_at);
    return level / (double)looked_at;
}

double chance_deviations(double chance)
{
    double low = 0;
    double high = 40;

    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;

        if (erfc(middle / sqrt(2)) > chance)
            low = middle;
        else
            high = middle;
    }
    return high;
}

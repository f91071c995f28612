/*
 * Whether two counts of samples differ by more than chance makes them. Samples are counted, and of a function
 * that did not change some more or fewer are taken each time: were it the same, each of the samples of both
 * sides together would be of the second one with a known probability, so that those follow the binomial
 * distribution.
 */
#ifndef CHANGES_CHANCE_H
#define CHANGES_CHANCE_H

#include <stddef.h>
#include <stdint.h>

/*
 * How likely it is, from 0 to 1, that counts as far apart as these or further come from what is the same:
 * twice the smaller tail, exact up to a million samples and by the normal distribution beyond. `share_after`,
 * above 0 and below 1, is how much of the samples would be on the second side.
 */
double chance_of_counts(uint64_t before, uint64_t after, double share_after);

/* The least that chance_of_counts gives for so many samples, however they are split. */
double chance_least(uint64_t count, double share_after);

/*
 * Below which chance a difference is told as one when many are looked at: such that among `count` that
 * are all chance one or more is told with a probability of `level` at most (Bonferroni's bound, of those that
 * could fall below it at all: Tarone, Biometrics 46, 1990). `least` is that of each, as of chance_least; it
 * is put in order.
 */
double chance_limit(double *least, size_t count, double level);

/* How many standard deviations, either way, are passed with this chance; between 0 and 1, not included. */
double chance_deviations(double chance);

#endif

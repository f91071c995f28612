/* What one sample is of folded stacks, whose numbers may be no samples. */
#ifndef FACTS_FOLDED_SAMPLE_H
#define FACTS_FOLDED_SAMPLE_H

#include "profile/sample_sums.h"

/*
 * How much of the numbers of folded stacks is one sample's: 1 where samples were counted.
 * inferno-collapse-perf adds up what each sample stood for, nanoseconds or cycles, which are large numbers
 * and of a clock multiples of one; of other events most stacks of a recording have a few samples, so that one
 * is told by the smaller ones: rather too much than too little.
 */
uint64_t folded_sample_weight(const struct sample_sums *sums);

#endif

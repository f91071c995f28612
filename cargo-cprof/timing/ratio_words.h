/* How people read a ratio of what two programs take, after to before. */
#ifndef TIMING_RATIO_WORDS_H
#define TIMING_RATIO_WORDS_H

#include "base/text.h"
#include "delta/statistics.h"

/* Appends "+3.9%", "-0.4%", "0.0%": how much larger than 1 the ratio is. */
void ratio_add_change(struct text *text, double ratio);

/* Appends "+2.1% to +5.7%", or "?" when it has no bounds, or before was none. */
void ratio_add_interval(struct text *text, struct ratio ratio);

/* Appends "1.2% less", "0.8% more". */
void ratio_add_more_or_less(struct text *text, double ratio);

/*
 * Appends which of the two takes more of it and by how much, or that it cannot be told: "B takes 3.9% more
 * time than A: between 2.1% and 5.7%, with 95% confidence". `noun` is what it is of, " time", or "" where
 * that is said before; `confidence` is a part of 1. What is infinite is told as "B has some in each run, and
 * A none in any".
 */
void ratio_add_sentence(struct text *text, struct ratio ratio, const char *noun, double confidence,
                        const char *before, const char *after);

#endif

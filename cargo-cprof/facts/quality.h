/* How good a recording is: what was lost, how many stacks are whole, and why others are not. */
#ifndef FACTS_QUALITY_H
#define FACTS_QUALITY_H

#include "base/text.h"
#include "profile/series.h"

/* Whether more than one sample in a hundred was lost, of a part of a recording in all of that. */
bool quality_lost_many(const struct profile_series *series);

/* A line for the top of a report when that is so; else nothing. */
void quality_add_loss(struct text *text, const struct profile_series *series, bool is_of_waits);

/* Appends that so many records could not be read, at least one: a sentence without its end. */
void quality_add_damage(struct text *text, uint64_t damaged_count);

/* Whether it is known: not of folded stacks, nor of a part of the samples. */
bool quality_is_known(const struct profile_series *series);

/* How many stacks end before their thread's start, as far as is known. */
uint64_t quality_cut_count(const struct profile_series *series);

/* Lines with the figures; nothing when nothing was sampled. */
void quality_add(struct text *text, const struct profile_series *series);

/*
 * When fewer than 95 of 100 stacks are whole: how many are, the likeliest cause and what to do about it,
 * without an end of line. Returns false, with nothing appended, when enough are.
 */
bool quality_add_warning(struct text *text, const struct profile_series *series, bool is_of_waits);

#endif

/* What is said after a recording: how much was sampled, how good it is, which functions stand out. */
#ifndef VIEW_SUMMARY_H
#define VIEW_SUMMARY_H

#include "profile/totals.h"
#include "report/render.h"

/* Appends what was sampled, without an end of line: "2,354 samples of cpu-clock at 997 Hz: 2.36 s of CPU
 * time…". */
void summary_add_sampled(struct text *text, const struct profile *profile, uint32_t series);

/*
 * Appends the lines about the recording: samples, CPU seconds, what was lost, how many stacks are complete
 * and why others are not, how much has no name.
 */
void summary_add_facts(struct text *text, const struct profile *profile, uint32_t series);

/*
 * The same, then functions by self and by total: all when `limit` is 0, else so many of each, by total only
 * those of the user's own crates where they are known.
 */
void summary_add(struct text *text, const struct profile *profile, uint32_t series, size_t limit,
                 struct render_look look);

#endif

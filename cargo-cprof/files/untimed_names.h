/* Names and lines of code made at run time that may be those of another time, or are missing. */
#ifndef FILES_UNTIMED_NAMES_H
#define FILES_UNTIMED_NAMES_H

#include "cli/options.h"
#include "symbolize/jit/names.h"

/*
 * Warns of the share of the first series' samples whose names are in doubt for want of times, not of few, and
 * of damaged records of lines.
 */
void untimed_names_warn(const struct options *options, const struct jit_doubts *doubts,
                        const struct profile *profile);

#endif

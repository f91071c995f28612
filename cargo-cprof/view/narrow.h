/* Part of a profile's samples: of some threads, of some time, with some stacks. */
#ifndef VIEW_NARROW_H
#define VIEW_NARROW_H

#include "profile/profile.h"
#include "view/thread_choice.h"

/* Since the recording began; where the profile does not tell when, since the first sample of all series. */
struct time_range {
    uint64_t from_ns;
    uint64_t to_ns; /* not included */
};

/*
 * Reads "1.5..3", "1.5-3", "..3" or "2.." in seconds. Returns 0, or -1 with ERROR_USAGE when it is none or
 * empty.
 */
MUST_CHECK int time_range_read(struct slice text, struct time_range *out, struct error *err);

/*
 * Leaves only the samples of threads that are chosen, or of that time, in all series. Where that
 * leaves any out, how many were lost or cut of the others is not known, and each series tells what it was
 * (series_whole). Returns 0, or -1 with ERROR_MISSING when none would be left in any or none tells
 * its time, ERROR_FORMAT when the file's samples are damaged, and with failures of thread_choice_mark; the
 * profile may then have lost some. What is left of a time is a part of what was recorded (is_part).
 */
MUST_CHECK int narrow_to_threads(struct profile *profile, const struct thread_choice *asked,
                                 struct error *err);
MUST_CHECK int narrow_to_time(struct profile *profile, struct time_range range, struct error *err);

/* The same for samples with the stacks that are set in `stacks`, by stack; there is to be one. */
MUST_CHECK int narrow_to_stacks(struct profile *profile, const bool *stacks, struct error *err);

#endif

/*
 * Which crates are the user's where nobody said so: the source files of their functions tell. A single one
 * may mislead: of a function whose inlined calls are not known the file may be theirs.
 */
#ifndef SYMBOLIZE_CRATE_SOURCES_H
#define SYMBOLIZE_CRATE_SOURCES_H

#include "profile/profile.h"

/* Where the source of a function is. */
enum crate_source {
    CRATE_SOURCE_UNKNOWN,
    CRATE_SOURCE_LOCAL,   /* in no folder that cargo fetches packages into */
    CRATE_SOURCE_FETCHED, /* in one of these */
};

/* Zero-initialised knows nothing; to be released with crate_sources_done. */
struct crate_sources {
    VEC(int64_t) local_surplus; /* by string: how many more functions of that crate were local than fetched */
};

void crate_sources_done(struct crate_sources *sources);

/* Counts a function of the crate, a string of the profile. */
void crate_sources_note(struct crate_sources *sources, uint32_t crate, enum crate_source source);

/* Makes what are dependencies so far the user's own where more of their crate was local than fetched. */
void crate_sources_settle(const struct crate_sources *sources, struct profile *profile);

#endif

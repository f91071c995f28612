/* Why nothing of a profile can be annotated, and what to do about it. */
#ifndef ANNOTATE_NOTHING_SHOWN_H
#define ANNOTATE_NOTHING_SHOWN_H

#include "base/error.h"
#include "profile/profile.h"

/* What is missing of the kernel's code, which is in no file that is read. */
#define NOTHING_OF_KERNEL "the kernel's, of which names alone are known"

/*
 * Returns 0 where the series has samples. Else -1 with ERROR_MISSING, the hint naming another event that has
 * some.
 */
MUST_CHECK int nothing_shown_check(const struct profile *profile, uint32_t series, struct error *err);

/* Sets the hint of `err` for functions, "it" or "them", of which neither lines nor code are known. */
void nothing_shown_hint(const struct profile *profile, uint32_t series, const char *them, struct error *err);

#endif

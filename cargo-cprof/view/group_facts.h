/* Whether a profile tells what its samples are to be grouped by. */
#ifndef VIEW_GROUP_FACTS_H
#define VIEW_GROUP_FACTS_H

#include "profile/profile.h"
#include "view/group_keys.h"

/*
 * Returns 0, or -1 with ERROR_MISSING when what one of the keys asks for was not recorded, or is in no file
 * of this form, so that all samples would be one row that says nothing: numbers of threads in folded stacks,
 * system calls where the kernel was not sampled. A profile without samples has nothing that is missing.
 */
MUST_CHECK int group_facts_check(const struct profile *profile, uint32_t series,
                                 const struct grouping *grouping, struct error *err);

#endif

/* What any profile that was read can be made into. */
#ifndef FUZZ_DRAWN_PROFILE_H
#define FUZZ_DRAWN_PROFILE_H

#include "profile/profile.h"

/* Makes a flame graph, folded stacks and text of each series; aborts where that fails. */
void drawn_profile_make(struct profile *profile);

#endif

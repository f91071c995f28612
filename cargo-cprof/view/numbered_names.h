/* What threads and processes are called where each is told by its number, whatever it was called meanwhile.
 */
#ifndef VIEW_NUMBERED_NAMES_H
#define VIEW_NUMBERED_NAMES_H

#include "profile/profile.h"

/*
 * By entry of profile->threads a string of the profile, the same for all entries of a number: "worker
 * (4242)", or "sh, cc (4242)" of a process that became another program, with the names in their order, the
 * first few of them; without a number, as of folded stacks, the name alone. Never NULL; to be released with
 * free.
 */
uint32_t *numbered_names_of_threads(struct profile *profile);
uint32_t *numbered_names_of_processes(struct profile *profile);

/* One that ended before its name was known has none: "[unknown]". */
uint32_t name_or_unknown(struct profile *profile, uint32_t name);

#endif

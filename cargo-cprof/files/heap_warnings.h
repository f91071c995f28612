/* What is to be told wherever figures of the heap are shown: which memory is not in them. */
#ifndef FILES_HEAP_WARNINGS_H
#define FILES_HEAP_WARNINGS_H

#include "profile/profile.h"
#include "report/warnings.h"

/*
 * Of that series, or of all where it is PROFILE_NONE; nothing where it is of no heap. Of what was recorded
 * before recordings kept it, a program's own allocator alone is told, where the program is still there. `of`
 * is what each begins with: "main: ", or "".
 */
void heap_warn(const struct options *options, const struct profile *profile, uint32_t series, const char *of,
               struct warnings *warnings);

#endif

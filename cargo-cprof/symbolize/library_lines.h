/*
 * Lines and inlined calls of the C library. Every program's stacks begin in it, and its debug information,
 * where that is installed, takes longer to unpack than that of most programs to read: only who asks for lines
 * waits for it.
 */
#ifndef SYMBOLIZE_LIBRARY_LINES_H
#define SYMBOLIZE_LIBRARY_LINES_H

#include "profile/profile.h"

/* Whether the file called so, without its folder, is one of the C library's. */
bool library_lines_are_of(struct slice name);

/*
 * Gives locations in the C library, which have their names, lines and inlined calls, too, where the file is
 * still there that ran, by its build id, and its debug information is installed. Functions that are not
 * inlined keep the names that they have. Does nothing elsewhere, and never fails.
 */
void library_lines_add(struct profile *profile);

#endif

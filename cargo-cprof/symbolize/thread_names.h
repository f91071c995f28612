/* Names of threads that the kernel has cut. */
#ifndef SYMBOLIZE_THREAD_NAMES_H
#define SYMBOLIZE_THREAD_NAMES_H

#include "profile/profile.h"

/*
 * Of a name the kernel keeps 15 bytes (prctl(2), PR_SET_NAME), and libtest names threads after their tests. A
 * thread whose name is so long, and is what the path of a function in its stacks begins with behind the
 * crate, gets the whole of the outermost such path, without closures; a test whose name has 15 bytes keeps
 * it. To be called when locations have their frames.
 */
void thread_names_complete(struct profile *profile);

#endif

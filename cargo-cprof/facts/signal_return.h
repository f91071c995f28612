/*
 * The frame between a signal's handler and what it interrupted, by its name. What stands below has called
 * nothing of what stands above.
 */
#ifndef FACTS_SIGNAL_RETURN_H
#define FACTS_SIGNAL_RETURN_H

#include <stdbool.h>

#include "base/slice.h"

/* What it is called where its code has no symbol, as debuggers call it. */
#define SIGNAL_RETURN_NAME "<signal handler called>"

/* Whether a function of that name is where handlers return to: of C libraries, the vdso, or named as above.
 */
bool signal_return_is(struct slice name);

#endif

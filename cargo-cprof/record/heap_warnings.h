/* What is to be told of a recording of the heap: whether the program told of it, and of all of it. */
#ifndef RECORD_HEAP_WARNINGS_H
#define RECORD_HEAP_WARNINGS_H

#include "cli/options.h"
#include "record/session.h"

/* Nothing where the heap was not recorded. */
void heap_warn(const struct options *options, const struct collection *collection);

#endif

/* What is to be told of a recording of the heap: whether the program told of it, and of all of it. */
#ifndef RECORD_HEAP_WARNINGS_H
#define RECORD_HEAP_WARNINGS_H

#include "record/session.h"
#include "report/warnings.h"

/* Nothing where the heap was not recorded. `of` is what each begins with: "main: ", or "". */
void heap_warn(const struct options *options, const struct collection *collection, const char *of,
               struct warnings *warnings);

#endif

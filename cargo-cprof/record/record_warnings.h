/* What people would be misled by if it were not said. */
#ifndef RECORD_RECORD_WARNINGS_H
#define RECORD_RECORD_WARNINGS_H

#include "record/record.h"

/* Says on standard error what is wrong with what was recorded, and what to do about it. */
void record_warn(const struct record_request *request, const struct collection *collection);

/* Of several programs in turn, before the first: that its standard input may be read by that alone. */
void record_warn_of_input(const struct options *options);

#endif

/* Where there are too few samples to tell much: why, and what has more. */
#ifndef RECORD_FEW_SAMPLES_H
#define RECORD_FEW_SAMPLES_H

#include "record/record.h"

/* Says so on standard error; nothing where there are enough, or where few tell all there is. */
void few_samples_warn(const struct record_request *request, const struct collection *collection);

#endif

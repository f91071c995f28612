/* When it was that perf recorded: by which clock its records are, and how far that is from ours. */
#ifndef IMPORT_RECORDED_TIMES_H
#define IMPORT_RECORDED_TIMES_H

#include "process/past_times.h"
#include "sampler/perf_data/perf_data.h"

/* `file` is the one that was recorded, or a copy of it. */
struct past_times recorded_times(int file, const struct perf_data *data);

#endif

/* A record as it stands in a file of perf's: a header, whose size the record has, and what follows it. */
#ifndef SAMPLER_PERF_DATA_RECORD_H
#define SAMPLER_PERF_DATA_RECORD_H

#include <linux/perf_event.h>
#include <string.h>

#include "base/bytes.h"

static inline struct perf_event_header record_header(struct slice record)
{
    struct perf_event_header header;

    memcpy(&header, record.data, sizeof(header));
    return header;
}

static inline struct bytes record_body(struct slice record)
{
    return bytes_of_ours(slice_range(record, sizeof(struct perf_event_header), record.length));
}

#endif

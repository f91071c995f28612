/*
 * The start and the end of a file of perf's: where its records are, and what it tells about itself
 * (sampler/perf_data/about.h). Of a stream, as `perf record -o -` writes it, nothing but where records begin
 * stands there: the rest comes with them.
 */
#ifndef SAMPLER_PERF_DATA_HEADER_H
#define SAMPLER_PERF_DATA_HEADER_H

#include "base/error.h"
#include "sampler/perf_data/about.h"

/* What such a file begins with: also one that is read on another machine than it was made for. */
bool perf_data_begins(struct slice start);

/* A file that is open. */
struct perf_data_file {
    int descriptor;
    const char *name; /* for messages */
    uint64_t size_bytes;
};

/* Its records, in bytes from its start. */
struct perf_data_range {
    uint64_t start;
    uint64_t end;
    bool is_unfinished; /* the end of the file is missing, or whoever wrote it was ended before that */
};

/*
 * Returns 0, or -1: ERROR_IO when the file cannot be read, ERROR_FORMAT when it is of another form, machine
 * or perf than can be read here, or damaged. `about` is filled as far as it was read either way.
 */
MUST_CHECK int perf_data_read_header(const struct perf_data_file *file, struct perf_data_about *about,
                                     struct perf_data_range *out, struct error *err);

#endif

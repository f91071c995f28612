/*
 * Timings in the forms of hyperfine 1.20 (--export-json, --export-csv, --export-markdown), so that what reads
 * those reads these: seconds, and bytes of memory.
 */
#ifndef TIMING_EXPORT_H
#define TIMING_EXPORT_H

#include "base/text.h"
#include "timing/figures.h"

enum export_unit {
    EXPORT_UNIT_SECOND,
    EXPORT_UNIT_MILLISECOND,
    EXPORT_UNIT_MICROSECOND,
    EXPORT_UNIT_FITTING
};

/* What is exported. All borrowed. */
struct export_request {
    const struct timings *timings;
    const struct figures *figures;
    const char *names[TIMING_SIDES]; /* "command" of each result */
    enum export_unit unit;           /* of Markdown */
};

/* {"results": [...]}, one for each side, with all its times, exit codes and peaks of memory. */
void export_json(struct text *text, const struct export_request *request);

void export_csv(struct text *text, const struct export_request *request);

/* A table whose "Relative" counts from the faster one. */
void export_markdown(struct text *text, const struct export_request *request);

#endif

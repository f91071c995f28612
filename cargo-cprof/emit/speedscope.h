/*
 * A profile for speedscope (speedscope.app): its own file format, a "sampled" profile a thread. Source of the
 * format: file-format-schema.json of the npm package speedscope.
 */
#ifndef EMIT_SPEEDSCOPE_H
#define EMIT_SPEEDSCOPE_H

#include "base/error.h"
#include "base/text.h"
#include "profile/profile.h"

/*
 * Appends the document, on one line. Samples of time weigh as many nanoseconds as they stand for. All
 * locations of the series are symbolized. Returns 0, or -1 with ERROR_FORMAT when the samples were read from
 * a file that is damaged, and when the document, which has all calls of each sample, would be larger than
 * what speedscope opens.
 */
MUST_CHECK int speedscope_add(struct text *text, const struct profile *profile, uint32_t series,
                              struct error *err);

#endif

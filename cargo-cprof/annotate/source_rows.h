/* Functions as they stand in their source files, line by line, with the time in each line. */
#ifndef ANNOTATE_SOURCE_ROWS_H
#define ANNOTATE_SOURCE_ROWS_H

#include "annotate/listing.h"

/*
 * Fills the empty `out`. `chosen` tells by function which are wanted; a line's self is of
 * samples that were taken in such a function there, its total of those that have it in their stacks: all that
 * is called from it, too. Files are pieces: several functions of one are listed together, also the instances
 * of a generic one. A file that is not here, or was written to since, is told in the notes. The profile lives
 * on: rows borrow its strings. Returns 0, or -1 with ERROR_MISSING: no sample is in such a function, or of
 * none a line is known.
 */
MUST_CHECK int source_rows_fill(const struct profile *profile, uint32_t series, const bool *chosen,
                                const struct listing_look *look, struct listing_rows *out, struct error *err);

#endif

/* Functions as they were compiled, instruction by instruction, with the time in each. */
#ifndef ANNOTATE_INSTRUCTION_ROWS_H
#define ANNOTATE_INSTRUCTION_ROWS_H

#include "annotate/hot_code.h"
#include "annotate/listing.h"

/*
 * Fills the empty `out`: compiled functions are pieces. An instruction's self is of samples
 * that were taken at it, the total of a call is of those in what it calls, too. Above instructions stands the
 * line of the source that they are of, where it changes. The profile lives on: rows borrow its strings.
 */
void instruction_rows_fill(const struct profile *profile, uint32_t series, const struct hot_code *code,
                           const struct listing_look *look, struct listing_rows *out);

#endif

/* From counts and code to the sizes of a measurement's groups. */
#ifndef MEASURE_SIZES_H
#define MEASURE_SIZES_H

#include "measure/measure.h"
#include "sizes/code_sizes.h"
#include "sizes/crate_match.h"

/* Sets the sizes; the measurement has kept its units. `match` holds what is known of crates, and is settled.
 */
void measure_sizes_join(struct measurement *measurement, const struct code_sizes *code,
                        struct crate_match *match);

/* The same from a file that was built before. Returns 0, or -1 as of code_sizes_read. */
MUST_CHECK int measure_sizes_of_file(struct measurement *measurement, const char *path, struct error *err);

#endif

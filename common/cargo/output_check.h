/* Whether what is asked for can be written, found before anything is built rather than after it. */
#ifndef CARGO_OUTPUT_CHECK_H
#define CARGO_OUTPUT_CHECK_H

#include "cli/options.h"

/*
 * Returns 0, or -1 with ERROR_IO as of file_check_replaceable. A folder that is not there is no failure when
 * it is cargo's target folder and what the options select is built in it: cargo, which is asked then, makes
 * it.
 */
MUST_CHECK int cargo_check_output(const struct options *options, const char *path, struct error *err);

/* The same of each --output. */
MUST_CHECK int cargo_check_outputs(const struct options *options, struct error *err);

#endif

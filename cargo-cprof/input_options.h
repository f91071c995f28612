/* What every command does that reads a profile: which files, which part of their samples. */
#ifndef CARGO_CPROF_INPUT_OPTIONS_H
#define CARGO_CPROF_INPUT_OPTIONS_H

#include "cli/options.h"
#include "profile/profile.h"

/* -i/--input, --thread, --time. */
extern const struct option_table input_options;

/*
 * Reads the files that were named, standard input where none was and it is no terminal, and leaves the
 * samples that were asked for; says what was left out of files. Returns 0, or -1 with failures of input_read,
 * narrow_to_threads and narrow_to_time, or ERROR_USAGE when nothing was named.
 */
MUST_CHECK int input_open(const struct options *options, struct profile *profile, struct error *err);

/* Whether the one input is standard input. */
bool input_is_standard(const struct options *options);

#endif

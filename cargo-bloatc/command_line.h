/* What `cargo bloatc` takes on its command line, and what follows from it. */
#ifndef CARGO_BLOATC_COMMAND_LINE_H
#define CARGO_BLOATC_COMMAND_LINE_H

#include "cli/options.h"
#include "content/settings.h"

extern const struct command bloatc_command;

/*
 * Returns 0, or -1 with ERROR_USAGE when a value is not what its option takes, options contradict each other,
 * or an output's name does not tell its format.
 */
MUST_CHECK int bloatc_settings_read(const struct options *options, struct bloatc_settings *out,
                                    struct error *err);

#endif

/* What `cargo llvmlines` takes on its command line, and what follows from it. */
#ifndef CARGO_LLVMLINES_COMMAND_LINE_H
#define CARGO_LLVMLINES_COMMAND_LINE_H

#include "cli/options.h"
#include "measure/settings.h"

extern const struct command llvmlines_command;

/*
 * Returns 0, or -1 with ERROR_USAGE when a value is not what its option takes, an output's name does
 * not tell its format, or cargo's options stand beside files. `out` is to be given to llvmlines_settings_done
 * either way.
 */
MUST_CHECK int llvmlines_settings_read(const struct options *options, struct llvmlines_settings *out,
                                       struct error *err);

/*
 * With `options` of one side of a comparison: 0, or -1 with ERROR_USAGE where that is files and options of
 * cargo's are given, which then are of no side.
 */
MUST_CHECK int llvmlines_settings_check_side(const struct llvmlines_settings *settings,
                                             const struct options *options, struct error *err);

void llvmlines_settings_done(struct llvmlines_settings *settings);

#endif

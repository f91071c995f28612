/* `cargo cprof clean`: removes the checkouts of revisions that are kept for --diff and --rev. */
#ifndef CARGO_CPROF_CMD_CLEAN_H
#define CARGO_CPROF_CMD_CLEAN_H

#include "cli/command.h"

extern const struct command cprof_clean_command;

/* Its work, as of command_fn. */
int cmd_clean(const struct options *options, int *exit_code, struct error *err);

#endif

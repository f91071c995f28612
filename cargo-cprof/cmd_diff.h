/* `cargo cprof diff`: what changed from one profile to another. */
#ifndef CARGO_CPROF_CMD_DIFF_H
#define CARGO_CPROF_CMD_DIFF_H

#include "cli/command.h"

extern const struct command cprof_diff_command;

/* command_fn. Exit code 3 where a limit is passed. */
int cmd_diff(const struct options *options, int *exit_code, struct error *err);

#endif

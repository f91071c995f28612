/* `cargo cprof flamegraph`: drawing what was recorded before, by whatever program. */
#ifndef CARGO_CPROF_CMD_FLAMEGRAPH_H
#define CARGO_CPROF_CMD_FLAMEGRAPH_H

#include "cli/command.h"

extern const struct command cprof_flamegraph_command;

/* Its work, as of command_fn. */
int cmd_flamegraph(const struct options *options, int *exit_code, struct error *err);

#endif

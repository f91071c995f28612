/* `cargo cprof exec` and `cargo cprof record`: any program, without cargo. */
#ifndef CARGO_CPROF_CMD_EXEC_H
#define CARGO_CPROF_CMD_EXEC_H

#include "cli/options.h"

extern const struct command cprof_exec_command;
extern const struct command cprof_record_command;

/* The work of both, as of command_fn. */
int cmd_exec(const struct options *options, int *exit_code, struct error *err);

#endif

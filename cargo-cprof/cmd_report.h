/* `cargo cprof report`: tables and trees of what was recorded before. */
#ifndef CARGO_CPROF_CMD_REPORT_H
#define CARGO_CPROF_CMD_REPORT_H

#include "cli/command.h"

extern const struct command cprof_report_command;

/* Its work, as of command_fn. */
int cmd_report(const struct options *options, int *exit_code, struct error *err);

#endif

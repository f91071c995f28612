/* `cargo cprof annotate`: source and machine code of functions, with the time beside each line. */
#ifndef CARGO_CPROF_CMD_ANNOTATE_H
#define CARGO_CPROF_CMD_ANNOTATE_H

#include "cli/command.h"

extern const struct command cprof_annotate_command;

/* Its work, as of command_fn. */
int cmd_annotate(const struct options *options, int *exit_code, struct error *err);

#endif

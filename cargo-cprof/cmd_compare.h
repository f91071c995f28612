/* `cargo cprof compare`: two programs measured in turn, and what the difference comes from. */
#ifndef CARGO_CPROF_CMD_COMPARE_H
#define CARGO_CPROF_CMD_COMPARE_H

#include "cli/options.h"

extern const struct command cprof_compare_command;

/* As of command_fn. */
int cmd_compare(const struct options *options, int *exit_code, struct error *err);

#endif

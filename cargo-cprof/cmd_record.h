/* The commands that record a program and write what they found. */
#ifndef CARGO_CPROF_CMD_RECORD_H
#define CARGO_CPROF_CMD_RECORD_H

#include "cli/command.h"

/* `cargo cprof exec [OPTIONS] -- PROGRAM [ARGS]`: any program, as of command_fn. */
int cmd_exec(const struct options *options, int *exit_code, struct error *err);

/* `cargo cprof [OPTIONS] [WHAT CARGO BUILDS] [-- ARGS]`: what cargo builds, as of command_fn. */
int cmd_record(const struct options *options, int *exit_code, struct error *err);

#endif

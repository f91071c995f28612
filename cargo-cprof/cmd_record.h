/* What cargo builds is run, recorded and written. */
#ifndef CARGO_CPROF_CMD_RECORD_H
#define CARGO_CPROF_CMD_RECORD_H

#include "cli/command.h"

/* `cargo cprof [OPTIONS] [WHAT CARGO BUILDS] [-- ARGS]`: what cargo builds, as of command_fn. */
int cmd_record(const struct options *options, int *exit_code, struct error *err);

#endif

/* What `cargo cprof` takes on its command lines. */
#ifndef CARGO_CPROF_COMMAND_LINE_H
#define CARGO_CPROF_COMMAND_LINE_H

#include "cli/command.h"

/* `cargo cprof …` without a verb. */
extern const struct command cprof_record_command;

/* `cargo cprof exec …`, its verb left out. */
extern const struct command cprof_exec_command;

#endif

/* What `cargo cprof` takes on its command lines. */
#ifndef CARGO_CPROF_COMMAND_LINE_H
#define CARGO_CPROF_COMMAND_LINE_H

#include "cli/command.h"

/* `cargo cprof …`: without a verb, and which verbs there are. */
extern const struct command cprof_command;

/* What every command takes that records. */
extern const struct option_table record_options;

/* Which features to activate, without cargo's letter: F is the frequency's. Of every command that builds. */
extern const struct option_table cprof_feature_options;

#endif

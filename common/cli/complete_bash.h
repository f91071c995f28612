/* Completion of a command, with its verbs, for bash. */
#ifndef CLI_COMPLETE_BASH_H
#define CLI_COMPLETE_BASH_H

#include "base/text.h"
#include "cli/command.h"

/* The script that has bash complete "cargo-NAME" and "cargo NAME". */
void complete_bash_add(struct text *text, const struct command *command);

#endif

/* Completion of a command, with its verbs, for zsh. */
#ifndef CLI_COMPLETE_ZSH_H
#define CLI_COMPLETE_ZSH_H

#include "base/text.h"
#include "cli/command.h"

/* The script that has zsh complete "cargo-NAME" and "cargo NAME": a file in $fpath, or sourced. */
void complete_zsh_add(struct text *text, const struct command *command);

#endif

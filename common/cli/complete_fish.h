/* Completion of a command, with its verbs, for fish. */
#ifndef CLI_COMPLETE_FISH_H
#define CLI_COMPLETE_FISH_H

#include "base/text.h"
#include "cli/command.h"

/*
 * For conf.d, which fish reads at its start: for `cargo NAME` it looks for completions of cargo alone.
 * Hundreds of lines would make each start slower, so that they stand in a function, and are read when they
 * are needed.
 */
void complete_fish_add(struct text *text, const struct command *command);

#endif

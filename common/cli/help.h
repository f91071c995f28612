/* A command's tables as text: help, manual page, completions of the shells. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "base/text.h"
#include "cli/options.h"

/* What --generate can print, in the order of help_generated_names. */
enum help_generated { GENERATE_MAN, GENERATE_BASH, GENERATE_ZSH, GENERATE_FISH };

extern const char *const help_generated_names[]; /* "man", "bash", "zsh", "fish", NULL */

/* The help of --help, wrapped to `columns` (0: 100). */
void help_add(struct text *text, const struct command *command, size_t columns);

/*
 * The manual page cargo-NAME(1) or cargo-NAME-VERB(1) in man(7) macros, or a completion script, which holds
 * the verbs of the command too.
 */
void help_generate(struct text *text, const struct command *command, enum help_generated what);

#endif

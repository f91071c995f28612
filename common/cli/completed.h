/* What the shells' completions have in common: what of a command is proposed, and what for values. */
#ifndef CLI_COMPLETED_H
#define CLI_COMPLETED_H

#include "base/text.h"
#include "cli/command.h"

typedef void completed_visitor(struct text *text, const struct command *command,
                               const struct option_spec *spec);

/* Visits every option that help shows. */
void completed_each(struct text *text, const struct command *command, completed_visitor *visit);

/* "function module": the words of an option that has choices, as they are typed. */
void completed_add_choices(struct text *text, const struct option_spec *spec);

/*
 * Of an option whose values are names of what cargo builds, which kind of targets these are, as an extended
 * regular expression, or "version" for packages: as _cargo_suite_names of cargo.bash takes it. NULL for
 * others.
 */
const char *completed_kind(const struct option_spec *spec);

/* Whether values are what people make up or know, so that there is nothing to propose, not even files. */
bool completed_is_unknown(const struct option_spec *spec);

/* "exec record": the command's verbs, with `between` between them. */
void completed_add_verbs(struct text *text, const struct command *command, const char *between);

/* "cprof", "cprof_exec": what the shells' functions are called after. */
void completed_add_function(struct text *text, const struct command *command);

/*
 * Lines of a shell's function that writes the names of the kind that `argument` holds: for zsh and fish what
 * _cargo_suite_names of cargo.bash does, which stands alone where it is installed.
 */
#define COMPLETED_NAMES(argument)                                                                            \
    "    env RUSTUP_AUTO_INSTALL=0 cargo metadata --no-deps --offline --format-version 1 2>/dev/null |\n"    \
    "        sed 's/{\"\\(kind\\|name\\)\":/\\n&/g' |\n"                                                     \
    "        sed -nE 's/^\\{\"kind\":\\[\"('\"" argument                                                     \
    "\"')\"[^]]*\\],\"crate_types\":\\[[^]]*\\],\"name\":\"([[:alnum:]_.-]+)\".*/\\2/p; "                    \
    "s/^\\{\"name\":\"([[:alnum:]_.-]+)\",\"('\"" argument "\"')\":.*/\\1/p'\n"

#endif

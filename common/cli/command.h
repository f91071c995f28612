/*
 * What every command does around its work: leaves out the word cargo puts first, answers
 * --help, --version and --generate, prints a failure, turns it into an exit code.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "base/error.h"
#include "cli/options.h"
#include "cli/terminal.h"

/* The options every command has: --color, --generate, -h/--help, -V/--version. */
extern const struct option_table command_common_options;

/* The exit codes of every command, and of those that let cargo build and compare. */
#define COMMAND_EXIT_STATUS "0 done; 1 failed; 2 wrong usage"
#define COMMAND_EXIT_STATUS_WITH_BUDGET COMMAND_EXIT_STATUS "; 3 over a budget"
#define COMMAND_EXIT_STATUS_WITH_CARGO COMMAND_EXIT_STATUS_WITH_BUDGET "; cargo's own when cargo failed"

/*
 * Runs `command` on the arguments of main() and returns the exit code of the process. cargo runs
 * "cargo-NAME NAME ...": the word NAME is left out. A first word that is one of the command's verbs
 * runs that one instead, and behind options is refused unless a file has that name; a file of such a name is
 * "./FILE"; "help" and "help VERB" are "--help" and "VERB --help". A failure is printed as "cargo-NAME:
 * error: MESSAGE", its hint on the line below. Where the caller has closed standard output, writing to it is
 * a failure.
 */
int command_main(const struct command *command, command_fn *run, int argc, char **argv);

/* One line on standard error: "cargo-NAME: warning: ...", and the same with "note". */
void command_warn(const struct options *options, const char *format, ...) PRINTF_LIKE(2, 3);
void command_note(const struct options *options, const char *format, ...) PRINTF_LIKE(2, 3);

/*
 * Of several failures, as of files that a full disk takes none of, each is told. That which `err` has, if
 * any, is, with its hint unless `failure` has the same; `failure` takes its place, which whoever called
 * tells.
 */
void command_add_failure(const struct options *options, struct error *err, const struct error *failure);

/*
 * What is being done, on standard error as cargo writes it ("   Analyzing target/release/app"), the verb
 * coloured where --color has it.
 */
void command_status(const struct options *options, const char *verb, const char *what);

/* Whether colour was asked for. */
enum color_choice command_color(const struct options *options);

#endif

/*
 * What cargo starts instead of rustc for builds of our own: this same program, told by an environment
 * variable that the command sets and nothing else. It adds flags to units of the program and becomes rustc,
 * or the user's wrapper in front of it; RUSTFLAGS and configuration keep their meaning. Needs libc alone.
 */
#ifndef CARGO_FLAG_WRAPPER_H
#define CARGO_FLAG_WRAPPER_H

#include <stdbool.h>

#include "base/arena.h"
#include "cli/options.h"

/* Set to one of the two words: this process is the wrapper. */
#define FLAG_WRAPPER_VARIABLE "CARGO_FLAG_WRAPPER"
#define FLAG_WRAPPER_EXACT "exact"   /* names and line tables that tell everything */
#define FLAG_WRAPPER_RELINK "relink" /* what is linked keeps its symbols */
/* The user's own wrapper, to be started in front of rustc; empty or not set for none. */
#define FLAG_WRAPPER_CHAIN_VARIABLE "CARGO_FLAG_WRAPPER_CHAIN"

enum { FLAG_WRAPPER_VARIABLES = 5 };

/* Whether this process was started by cargo on behalf of the command. */
bool flag_wrapper_is_wanted(void);

/*
 * Becomes the compiler that the arguments of main() name, or a wrapper for workspace members and then the
 * compiler. Returns only when that cannot be started: 1, after one line on standard error.
 */
int flag_wrapper_run(int argc, char **argv);

/*
 * Fills `variables` (of FLAG_WRAPPER_VARIABLES, NULL-terminated, in `arena`) with the changes of the
 * environment that make rustc's calls come to us: `mode` is one of the two words. Returns 0, or -1 with
 * ERROR_IO when we do not find ourselves.
 */
MUST_CHECK int flag_wrapper_set_variables(struct arena *arena, const struct options *options,
                                          const char *mode, const char **variables, struct error *err);

#endif

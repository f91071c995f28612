/*
 * The variables that cargo gives to a program that it runs, for one that it only built
 * (https://doc.rust-lang.org/cargo/reference/environment-variables.html, "Environment variables Cargo sets
 * for 3rd party subcommands" and "for crates"; [env] in reference/config.html).
 */
#ifndef CARGO_CPROF_RUN_VARIABLES_H
#define CARGO_CPROF_RUN_VARIABLES_H

#include "cargo/build.h"

/*
 * What follows from the package of what was built, LD_LIBRARY_PATH with the folders that cargo links into,
 * and [env] of the configuration files from the current folder upwards and in $CARGO_HOME, the nearest first.
 * A file that cannot be read or is no TOML counts as empty: cargo has read it before and said what is wrong.
 *
 * Not among them: folders that build scripts name to the linker, and [env] of a --config.
 *
 * As of struct spawn: "NAME=value", ends in NULL; lives in `arena`.
 */
const char *const *run_variables(struct arena *arena, const struct cargo_built *built);

#endif

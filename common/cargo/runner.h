/*
 * The program that the user has set up to start what cargo built (an emulator, a tool around it): "runner" of
 * [target.TRIPLE] or [target.'cfg(…)'] in cargo's configuration, or CARGO_TARGET_TRIPLE_RUNNER.
 */
#ifndef CARGO_RUNNER_H
#define CARGO_RUNNER_H

#include "cargo/platform.h"

struct cargo_runner {
    struct cargo_words words;             /* its program and first arguments; none: there is no runner */
    struct cargo_platform platform;       /* what cargo builds for */
    const struct toml_node *triple_value; /* that of [target.TRIPLE], or NULL: cargo merges a --config of
                                             ours only with one of its kind */
};

/*
 * Strings live in `arena`; `out` is to be released with cargo_runner_done, also on failure. Returns 0, or -1:
 * ERROR_USAGE when several cfg(…) that hold set one, which cargo refuses, too; as of cargo_platform_find and
 * cargo_platform_conditions.
 */
MUST_CHECK int cargo_runner_find(struct arena *arena, const struct options *options, struct cargo_runner *out,
                                 struct error *err);

void cargo_runner_done(struct cargo_runner *runner);

#endif

/* Having cargo build with frame pointers, beside the flags that the user has set up for rustc. */
#ifndef CARGO_FRAME_POINTERS_H
#define CARGO_FRAME_POINTERS_H

#include "base/arena.h"
#include "cli/options.h"

/*
 * cargo takes flags from one place only: CARGO_ENCODED_RUSTFLAGS, RUSTFLAGS, [target.*] of the configuration,
 * [build] (the Cargo book, "build.rustflags"). Where a variable is set this adds to it, in our own
 * environment; else `setting` gets a --config value in `arena` that adds to the configuration's. Returns 0,
 * with `setting` NULL when there is nothing more to be said, or -1 with ERROR_USAGE when the configuration
 * has both [target.*] and [build], of which cargo takes one.
 */
MUST_CHECK int frame_pointers_ask(struct arena *arena, const struct options *options, const char **setting,
                                  struct error *err);

#endif

/*
 * The rustc wrapper that the user has set up (sccache and the like), which ours must start in front of
 * rustc: RUSTC_WRAPPER, then build.rustc-wrapper of cargo's configuration as --config, the
 * environment or a file says (the Cargo book, "Configuration"), or one that it includes.
 */
#ifndef CARGO_USER_WRAPPER_H
#define CARGO_USER_WRAPPER_H

#include "base/arena.h"
#include "cli/options.h"

/*
 * The program, in `arena`: a name to be looked up in PATH, or an absolute path. NULL when there is none.
 * A configuration that cannot be read is let pass: cargo, which reads it too, says what is wrong.
 */
const char *user_wrapper_find(struct arena *arena, const struct options *options);

#endif

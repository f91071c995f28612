/*
 * The cargo profile that programs to be looked at are built with: optimised as for release, with the debug
 * information that names need. It is the user's own when there is one of that name.
 */
#ifndef CARGO_CPROF_BUILD_PROFILE_H
#define CARGO_CPROF_BUILD_PROFILE_H

#include "cli/options.h"

/*
 * Gives the options as they are for cargo: unless --profile names another, --profile=profiling in place of
 * --release, and where cargo does not know such a profile its definition by --config. `out` borrows from
 * `options` and is to be released with options_done. Returns 0, or -1 when cargo cannot be started.
 */
MUST_CHECK int build_profile_choose(const struct options *options, struct options *out, struct error *err);

#endif

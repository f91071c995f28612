/*
 * The cargo profile that programs to be looked at are built with: optimised as for release, with the debug
 * information that names need. It is the user's own when there is one of that name.
 */
#ifndef BUILT_BUILD_PROFILE_H
#define BUILT_BUILD_PROFILE_H

#include "base/arena.h"
#include "cli/options.h"

/*
 * Gives the options as they are for cargo: unless --profile names another, --profile=profiling in place of
 * --release, and where cargo does not know such a profile its definition by --config. With frame pointers it
 * is a profile like that one, "profiling-fp". `out` borrows from `options` and `arena` and is to be released
 * with options_done either way. Returns 0, or -1 as of own_profile_define.
 */
MUST_CHECK int build_profile_choose(struct arena *arena, const struct options *options,
                                    bool has_frame_pointers, struct options *out, struct error *err);

#endif

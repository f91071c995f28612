/*
 * The profiles of ours that cargo cprof builds with and that no workspace need define: `profiling`, optimised
 * as for release, with the debug information that names need; and NAME-fp, like NAME with frame pointers, in
 * a folder of its own. A workspace's own profile of such a name is taken as it is.
 */
#ifndef CARGO_OWN_PROFILE_H
#define CARGO_OWN_PROFILE_H

#include "base/arena.h"
#include "cli/options.h"

#define CARGO_PROFILING "profiling"

/*
 * Adds to `options` by --config what cargo does not know of the profile, if it is one of ours; nothing for
 * others, which cargo is not asked about. What is added lives in `arena`. Returns 0, or -1 when cargo cannot
 * be started, or as of frame_pointers_ask.
 */
MUST_CHECK int own_profile_define(struct arena *arena, const char *profile, struct options *options,
                                  struct error *err);

/* Adds a profile like `base` with the flags for frame pointers, and returns its name in `profile`. Failures
 * as of frame_pointers_ask. */
MUST_CHECK int own_profile_add_frame_pointers(struct arena *arena, const char *base, struct options *options,
                                              const char **profile, struct error *err);

#endif

/*
 * A build whose names tell everything: as the user's, with v0 names and line tables added (flag_wrapper.h),
 * in a folder of the target directory that all commands share, so that what one has built the other finds
 * fresh.
 */
#ifndef CARGO_EXACT_BUILD_H
#define CARGO_EXACT_BUILD_H

#include "cargo/build.h"

/* Where below the target directory. */
#define EXACT_BUILD_DIRECTORY "bloatc"

/*
 * As cargo_build, of which it has all failures, for the request with another folder and environment. And
 * ERROR_IO when we do not find ourselves.
 */
MUST_CHECK int exact_build(const struct cargo_request *request, struct cargo_built *out, struct error *err);

#endif

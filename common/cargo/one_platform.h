/*
 * cargo builds everything once for each of several targets when --target is given more than once, or when
 * build.target of its configuration is a list (the Cargo book, "build.target"). Two programs of one name are
 * then two results, and what they add up to is nobody's size.
 */
#ifndef CARGO_ONE_PLATFORM_H
#define CARGO_ONE_PLATFORM_H

#include "cli/options.h"

/*
 * Returns 0 where cargo, with these options in the current folder, builds for one target; else -1 with
 * ERROR_USAGE naming them, and a hint of how to choose. The failures of cargo_platform_host, where
 * "host-tuple" stands beside another.
 */
MUST_CHECK int cargo_one_platform_check(const struct options *options, struct error *err);

#endif

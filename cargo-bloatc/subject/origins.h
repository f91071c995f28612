/* What tells packages of a build apart that have a crate of one name and version each. */
#ifndef SUBJECT_ORIGINS_H
#define SUBJECT_ORIGINS_H

#include "base/arena.h"
#include "size/build_package.h"

/*
 * Sets the origins of packages that share name and version of a crate, by cargo's package ids: the packages'
 * names, "of zed"; where these are the same the kinds of their sources, "from path", or at last their places.
 * A package may be there more than once. Those without an id stay without an origin. The texts are in the
 * arena.
 */
void origins_find(struct build_package *packages, size_t count, struct arena *arena);

#endif

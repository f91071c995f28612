/* Functions, files and lines of the locations that a profile of pprof names. */
#ifndef IMPORT_PPROF_NAMES_H
#define IMPORT_PPROF_NAMES_H

#include "import/pprof_modules.h"

/*
 * Gives frames to the locations that those of the message have become: `locations` has their numbers by place
 * in the message, PROFILE_NONE where it was not met. What has no name gets one from its file where that is
 * there and has the build id that it is to have; what still has none is called by its place.
 */
void pprof_names_set(struct pprof_modules *modules, const uint32_t *locations);

#endif

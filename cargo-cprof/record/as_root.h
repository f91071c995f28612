/*
 * --root: the recorder alone is root, by sudo(8); what is built and run is as it would be without, its
 * environment too.
 */
#ifndef RECORD_AS_ROOT_H
#define RECORD_AS_ROOT_H

#include "cli/options.h"

/*
 * Sees to it that we act as the caller and, when the options say --root, may be root for what takes it:
 * without that right this starts sudo with our own command line in our place, and comes back only when it
 * cannot. Returns 0, or -1: ERROR_MISSING when there is no sudo, ERROR_DENIED as of owner_become_caller,
 * ERROR_IO for anything else.
 */
MUST_CHECK int as_root_begin(const struct options *options, struct error *err);

#endif

/* Removing files, and folders with all that is in them. */
#ifndef BASE_REMOVE_H
#define BASE_REMOVE_H

#include <stdint.h>

#include "base/error.h"

/*
 * Removes what is at `path` and all below it; symbolic links are removed, never followed. Adds the bytes of
 * the files to `bytes` unless it is NULL. Nothing there is no failure. Returns 0, or -1 with ERROR_IO naming
 * the first that could not be removed; what can be is removed all the same.
 */
MUST_CHECK int remove_all(const char *path, uint64_t *bytes, struct error *err);

#endif

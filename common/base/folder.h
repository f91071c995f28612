/* Folders: making, listing, and removing them with all that is in them. */
#ifndef BASE_FOLDER_H
#define BASE_FOLDER_H

#include <dirent.h>
#include <stdint.h>

#include "base/error.h"

/* closedir of what opendir gave, NULL as well: for SCOPED. */
void folder_close(DIR **folder);

/* Makes the folder and those above it, as far as they are not there. Returns 0, or -1 with ERROR_IO naming
 * it. */
MUST_CHECK int folder_make(const char *path, struct error *err);

/*
 * Removes what is at `path` and all below it; symbolic links are removed, never followed. Adds the bytes of
 * the files to `bytes` unless it is NULL. Nothing there is no failure. Returns 0, or -1 with ERROR_IO naming
 * the first that could not be removed; what can be is removed all the same.
 */
MUST_CHECK int folder_remove(const char *path, uint64_t *bytes, struct error *err);

#endif

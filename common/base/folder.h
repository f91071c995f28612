/* Folders: making and listing them. */
#ifndef BASE_FOLDER_H
#define BASE_FOLDER_H

#include <dirent.h>

#include "base/error.h"

/* closedir of what opendir gave, NULL as well: for SCOPED. */
void folder_close(DIR **folder);

/* Makes the folder and those above it, as far as they are not there. Returns 0, or -1 with ERROR_IO naming
 * it. */
MUST_CHECK int folder_make(const char *path, struct error *err);

#endif

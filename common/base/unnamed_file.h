/* Files for what is too much for memory: without a name, gone when we are, however we end. */
#ifndef BASE_UNNAMED_FILE_H
#define BASE_UNNAMED_FILE_H

#include "base/error.h"

/*
 * Opens one to be read and written in the first of the folders that lets one be made; NULL ends the list, and
 * there is at least one. Returns 0 and a descriptor that is the caller's, or -1 with ERROR_IO naming the last
 * of them.
 */
MUST_CHECK int unnamed_file_open(const char *const *folders, int *out, struct error *err);

/* The same where temporary files go: $TMPDIR, if that is set, /var/tmp or /tmp. */
MUST_CHECK int unnamed_file_open_temporary(int *out, struct error *err);

#endif

/*
 * Files in which processes tell profilers of the code that they make: whether such a file may be read, and is
 * of the process that it is taken for.
 */
#ifndef SYMBOLIZE_JIT_TOLD_FILE_H
#define SYMBOLIZE_JIT_TOLD_FILE_H

#include <stdint.h>

#include "base/error.h"

struct told_file {
    const char *path;  /* for messages */
    const char *place; /* where it is to be opened, a file that is open already ("/proc/self/fd/3"); NULL: at
                          the path */
    uint64_t begun_unix_ns;  /* when the process began that is to tell; 0: not known */
    uint64_t reused_unix_ns; /* when another one began that has its number now; 0: none is known */
};

/*
 * Opens it, and gives how long it is now. Anyone may have put something of that name into /tmp, so it must be
 * a regular file, no link, and belong to us or to root; we being root it may be anyone's. One that was last
 * written before the process began is of an earlier process of that number, and one that was written to since
 * a later one began is of that. Returns 0, or -1: ERROR_MISSING when there is none, ERROR_DENIED for one that
 * is not as it must be, ERROR_IO. The descriptor is the caller's to close.
 */
MUST_CHECK int told_file_open(const struct told_file *file, int *descriptor, uint64_t *length_bytes,
                              struct error *err);

#endif

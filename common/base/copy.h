/* Copies of files and folders, with their times: what build tools compare. */
#ifndef BASE_COPY_H
#define BASE_COPY_H

#include <stdbool.h>

#include "base/error.h"

/* How files come to stand in the other place. */
enum copy_form {
    COPY_SKIP,  /* not at all; of a folder: nor what is in it */
    COPY_BYTES, /* as files of their own */
    COPY_LINK,  /* as the same file under a second name; as of COPY_BYTES where the file system has no such
                   thing */
};

/* Says for each file and folder, by path, what becomes of it. Folders are entered unless skipped. */
typedef enum copy_form copy_choose(const void *context, const char *path, bool is_folder);

/*
 * Copies the folder `from` with all in it to `to`, which is made where needed; files that are there are
 * replaced, others stay. Symbolic links and what is no regular file are left out. `choose` may be NULL: all
 * is COPY_BYTES. Folders nest to 64 levels at most; what lies deeper is left out. Returns 0, or -1 with
 * ERROR_IO.
 */
MUST_CHECK int copy_folder(const char *from, const char *to, copy_choose *choose, const void *context,
                           struct error *err);

/*
 * Copies one file with its time and mode, replacing what is there. Returns 0, or -1 with ERROR_IO; no part of
 * the file is left at `to` then.
 */
MUST_CHECK int copy_file(const char *from, const char *to, struct error *err);

#endif

/* The program that runs, as others are to start it. */
#ifndef PROC_OURSELVES_H
#define PROC_OURSELVES_H

#include "base/arena.h"
#include "base/error.h"

/*
 * Sets `path` to where our own program is, in `arena`, whatever name it was called by (/proc/self/exe,
 * proc(5)). Returns 0, or -1 with ERROR_IO when the system does not tell, or tells more than PATH_MAX bytes.
 */
MUST_CHECK int ourselves_find(struct arena *arena, const char **path, struct error *err);

#endif

/* The library that a program is started with to tell of its memory: preload/, which is part of ours. */
#ifndef TARGET_HEAP_LIBRARY_H
#define TARGET_HEAP_LIBRARY_H

#include "base/arena.h"
#include "base/error.h"

/*
 * Writes it to the folder where caches are (of root, whose programs may go on as other users, one that all
 * may read), unless it is there, and gives the environment that a program
 * takes to be started with it: `changes` (struct launch), which may be NULL, and what tells of `channel`, the
 * path of a heap_channel. The result lives in `arena` and borrows `changes` and `channel`. Returns 0, or -1:
 * ERROR_IO naming the file when it cannot be written, ERROR_MISSING when there is no such folder, or the
 * dynamic loader would not take its path, ERROR_DENIED when nothing that is there may be run (noexec).
 */
MUST_CHECK int heap_library_environment(struct arena *arena, const char *const *changes, const char *channel,
                                        const char *const **out, struct error *err);

#endif

/* Profiles written as text, for tests of what reads them. */
#ifndef TESTS_PROFILE_BUILDER_H
#define TESTS_PROFILE_BUILDER_H

#include "profile/profile.h"

/* Sets up a profile with one module, one thread "app" of process 100 and the series cpu-clock at 1000 Hz. */
void profile_builder_init(struct profile *profile);

/*
 * Adds `count` samples of 1,000,000 ns of thread `thread` in series 0 with the stack that `path` tells: calls
 * from the outermost in, "main > a > b". "a + b" is b inlined into a, at one location. A name may begin with
 * its category and crate: "own app main", "dep regex ...", "std core ...", "kernel [kernel] ...",
 * "c libc.so.6 ...". Before that, "async "
 * makes the call a future's, and "bare " takes its line from it. Code called "[...]" has no name. The empty
 * path is a sample without a stack.
 */
void profile_builder_add(struct profile *profile, uint32_t thread, struct slice path, uint64_t count);

/* All calls of this crate so far are in a library of that name. */
void profile_builder_set_library(struct profile *profile, struct slice name);

/* To be called when samples were added otherwise: as profile_finish, which cannot fail here. */
void profile_builder_finish(struct profile *profile);

/*
 * Adds what lines of the form "COUNT|THREAD NAME|PATH" say; "time|WALL|CPU" is how long it ran and what it
 * took of the processors, in nanoseconds; "disk|BYTES" what its one run read from disks; a line that begins
 * with "#" says nothing. False when a line is not of that form.
 */
bool profile_builder_add_lines(struct profile *profile, struct slice lines);

#endif

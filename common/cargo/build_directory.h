/* How cargo is told where its intermediate files go. */
#ifndef CARGO_BUILD_DIRECTORY_H
#define CARGO_BUILD_DIRECTORY_H

#include "base/arena.h"

/*
 * What build.build-dir is to be set to for `directory`, absolute, where cargo runs in the current folder.
 * Cargo takes braces in it for a variable (the Cargo book, "build.build-dir"), so a path with any is said
 * from the current folder on. Part of `directory`; NULL when it cannot be said, as no ".." may lead there:
 * cargo takes two spellings for two directories, locks each, and waits for itself.
 */
const char *cargo_build_directory_value(const char *directory);

#endif

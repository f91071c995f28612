/*
 * Files that cargo may replace before they are read, as the program that a build is compared with. It removes
 * what it makes anew (rust-lang/cargo#8348), so that a file held open stays what it was.
 */
#ifndef COMPARE_HELD_FILES_H
#define COMPARE_HELD_FILES_H

#include "base/arena.h"
#include "base/vec.h"

/* Zero-initialised is none. To be given to held_files_done. */
struct held_files {
    VEC(int) descriptors; /* -1: could not be opened, as whoever reads the file will say */
};

/* Opens the files at the `count` paths. */
void held_files_open(const char *const *paths, size_t count, struct held_files *out);

/*
 * Puts in the place of each of the paths that were opened, if its file has been replaced, one to what it was,
 * in `arena`; they are good until held_files_done. Returns whether there are such.
 */
bool held_files_find_replaced(struct arena *arena, const struct held_files *held, const char **paths);

void held_files_done(struct held_files *held);

#endif

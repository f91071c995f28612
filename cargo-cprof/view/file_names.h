/* What a profile's source files are called where they are rows of a table: each by a name of its own. */
#ifndef VIEW_FILE_NAMES_H
#define VIEW_FILE_NAMES_H

#include "base/arena.h"
#include "profile/profile.h"

struct file_names {
    struct slice *items; /* owned; by string of the profile; empty for those that are no frame's file */
    struct arena arena;  /* of the items */
};

/*
 * The short paths (short_path_add). Where those of different local files are the same, as of
 * "x/util/src/lib.rs" and "y/util/src/lib.rs", they begin as many folders earlier, all alike, as tells them
 * apart. Spellings that lead to one file ("./", "a/../", without the folder it is relative to) get one name
 * if they have one short path. The names do not need the profile any more. To be released with
 * file_names_done.
 */
struct file_names file_names_make(const struct profile *profile);
void file_names_done(struct file_names *names);

/* The name of the file that is this string of the profile; empty when it is no frame's. Lives as long as the
 * names. */
struct slice file_names_get(const struct file_names *names, uint32_t string);

#endif

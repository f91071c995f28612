/*
 * A git directory of a checkout's own, so that whoever asks git there is told of its revision: build scripts,
 * mostly. As git-clone(1) --shared makes it: HEAD, references and index are its own, the objects are those of
 * the user's repository, and so is the configuration, as far as it does not speak of the working tree.
 * What is done in it stays in it (gitrepository-layout(5)); git gives an object that is written once more,
 * and that the user's repository has, a new time there.
 */
#ifndef GIT_SHARED_CLONE_H
#define GIT_SHARED_CLONE_H

#include "git/repository.h"

/* All borrowed; the folders are absolute and without a "/" at the end. */
struct shared_clone {
    const struct repository *repository; /* the user's */
    const char *folder;                  /* the git directory */
    const char *tree;                    /* the working tree; is there */
    const char *commit;                  /* HEAD, on no branch */
};

/* The index of a clone, and its own objects; both paths in `arena`. */
const char *shared_clone_index(struct arena *arena, const char *folder);
const char *shared_clone_objects(struct arena *arena, const char *folder);

/* Makes the folder, in which a checkout may then keep its index. Returns 0, or -1 with ERROR_IO. */
MUST_CHECK int shared_clone_begin(const char *folder, struct error *err);

/*
 * Writes what is not yet as it is to be, and the file .git that leads from the tree to the folder; the index
 * stays. Returns 0, or -1 with ERROR_IO, or ERROR_CHILD when git does not tell the references.
 */
MUST_CHECK int shared_clone_write(const struct shared_clone *clone, struct error *err);

/* Takes the tree away from its clone. */
void shared_clone_unlink(const char *tree);

#endif

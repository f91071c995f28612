/* The variables that programs are started with: of one, or of all for a while. */
#ifndef PROC_ENVIRONMENT_H
#define PROC_ENVIRONMENT_H

#include "base/arena.h"
#include "base/vec.h"

/*
 * Our environment with `changes` made to it: "NAME=value" sets and "NAME" removes a variable; ends in NULL.
 * NULL for no changes. The result ends in NULL and lives in `arena`; what is not changed is borrowed from
 * ours.
 */
char **environment_changed(struct arena *arena, const char *const *changes);

struct variable_before;

/* What variables of our own were before they were changed. Zero-initialised is none. */
struct environment_before {
    struct arena arena;
    VEC(struct variable_before) items; /* in the order of the changes */
};

/* Makes one such change to our own environment, until environment_restore. */
void environment_change(struct environment_before *before, const char *change);

/* Undoes all changes, also where there were none. */
void environment_restore(struct environment_before *before);

#endif

/* The variables that a program is started with. */
#ifndef PROC_ENVIRONMENT_H
#define PROC_ENVIRONMENT_H

#include "base/arena.h"

/*
 * Our environment with `changes` made to it: "NAME=value" sets and "NAME" removes a variable; ends in NULL.
 * NULL for no changes. The result ends in NULL and lives in `arena`; what is not changed is borrowed from
 * ours.
 */
char **environment_changed(struct arena *arena, const char *const *changes);

#endif

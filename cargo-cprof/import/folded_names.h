/* Whose code the names of folded stacks are, as far as the names alone tell. */
#ifndef IMPORT_FOLDED_NAMES_H
#define IMPORT_FOLDED_NAMES_H

#include "profile/profile.h"

/* Whether it is a function that a thread begins with. */
bool folded_name_is_start(struct slice name);

/* Whether the name, the first of a path, is a function's and not a thread's, as far as it tells by itself. */
bool folded_name_is_code(struct slice name);

/* Gives each location, whose address is the string of a name as written, its function. */
void folded_names_set(struct profile *profile);

#endif

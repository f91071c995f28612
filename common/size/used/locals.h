/*
 * Whose the static functions of C are: names that several libraries of a build have, as all parsers of
 * tree-sitter have a ts_lex, tell nothing alone. Objects of other compilers than rustc are linked as they
 * stand in the build's libraries, so that a function's source file, name and size together do.
 */
#ifndef SIZE_USED_LOCALS_H
#define SIZE_USED_LOCALS_H

#include "size/used/used.h"

/*
 * Gives functions that are USED_UNKNOWN and local to an object to the crate of the only library of the build
 * that holds such a one, as USED_FROM_RLIB; of those that several hold the one that the others of the same
 * object are of. Nothing where the program has more of them than the libraries, as others then have them,
 * too. Libraries are read only where they hold an object of a source file that is asked for; one that cannot
 * be read tells nothing. Of one object, which is in one library, all that is USED_UNKNOWN is of the crate
 * that the rest is USED_FROM_RLIB of, if that is one alone; nothing where LTO has merged crates into it.
 * `out` is by function of the map.
 */
void used_locals_find(const struct used_request *request, struct size_crates *crates, struct used *out);

#endif

/* Where what can be made again is kept for this user: the XDG Base Directory Specification. */
#ifndef BASE_CACHE_FOLDER_H
#define BASE_CACHE_FOLDER_H

#include "base/arena.h"

/* What to do where nothing can be kept there. */
#define CACHE_FOLDER_HINT "set XDG_CACHE_HOME to another folder for this"

/*
 * $XDG_CACHE_HOME/NAME, else $HOME/.cache/NAME, which need not be there; it lives in `arena`. NULL: neither
 * variable is an absolute path.
 */
const char *cache_folder(struct arena *arena, const char *name);

#endif

#include "base/cache_folder.h"

#include <stdlib.h>

const char *cache_folder(struct arena *arena, const char *name)
{
    const char *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");

    /* A relative path is to be ignored. */
    if (cache && cache[0] == '/')
        return arena_format(arena, "%s/%s", cache, name);
    return home && home[0] == '/' ? arena_format(arena, "%s/.cache/%s", home, name) : NULL;
}

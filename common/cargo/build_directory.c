#include "cargo/build_directory.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/path.h"

static bool has_brace(const char *path)
{
    return strpbrk(path, "{}") != NULL;
}

const char *cargo_build_directory_value(const char *directory)
{
    SCOPED(memory_free_at) char *here = NULL;
    const char *below = NULL;

    if (!has_brace(directory))
        return directory;
    here = getcwd(NULL, 0);
    below = here ? path_below(here, directory) : NULL;
    return below && below[0] && !has_brace(below) ? below : NULL;
}

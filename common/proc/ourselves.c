#include "proc/ourselves.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

int ourselves_find(struct arena *arena, const char **path, struct error *err)
{
    char target[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", target, sizeof(target));

    if (length < 0 || (size_t)length == sizeof(target))
        return error_set(err, ERROR_IO, "read /proc/self/exe: %s",
                         strerror(length < 0 ? errno : ENAMETOOLONG));
    *path = arena_copy(arena, (struct slice){target, (size_t)length});
    return 0;
}

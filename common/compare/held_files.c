#include "compare/held_files.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/file.h"

void held_files_open(const char *const *paths, size_t count, struct held_files *out)
{
    for (size_t i = 0; i < count; i++)
        *vec_add(&out->descriptors) = open(paths[i], O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

static bool is_replaced(const char *path, int descriptor)
{
    struct stat is;
    struct stat was;

    if (descriptor < 0 || fstat(descriptor, &was) < 0)
        return false;
    return stat(path, &is) < 0 || is.st_dev != was.st_dev || is.st_ino != was.st_ino;
}

bool held_files_find_replaced(struct arena *arena, const struct held_files *held, const char **paths)
{
    bool found = false;

    for (size_t i = 0; i < held->descriptors.count; i++) {
        if (!is_replaced(paths[i], held->descriptors.items[i]))
            continue;
        paths[i] = arena_format(arena, "/proc/self/fd/%d", held->descriptors.items[i]);
        found = true;
    }
    return found;
}

void held_files_done(struct held_files *held)
{
    for (size_t i = 0; i < held->descriptors.count; i++)
        file_close_descriptor(&held->descriptors.items[i]);
    vec_done(&held->descriptors);
}

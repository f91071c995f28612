#include "base/remove.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

/* One removal in progress; the first failure is kept. */
struct removal {
    struct text path; /* of what is being removed, for messages */
    uint64_t bytes;
    int cause; /* errno of the first failure; 0 for none */
    char failed[256];
};

static void note_failure(struct removal *removal, int cause)
{
    size_t length = removal->path.length;

    if (removal->cause || cause == ENOENT)
        return;
    removal->cause = cause;
    if (length >= sizeof(removal->failed))
        length = sizeof(removal->failed) - 1;
    memcpy(removal->failed, removal->path.data, length);
    removal->failed[length] = '\0';
}

static void remove_at(struct removal *removal, int parent, const char *name);

static void remove_entries(struct removal *removal, int folder)
{
    DIR *entries = fdopendir(folder);
    size_t length = removal->path.length;
    const struct dirent *entry = NULL;

    if (!entries) {
        note_failure(removal, errno);
        close(folder);
        return;
    }
    while ((entry = readdir(entries)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        text_format(&removal->path, "/%s", entry->d_name);
        remove_at(removal, folder, entry->d_name);
        removal->path.length = length;
    }
    closedir(entries);
}

static void remove_at(struct removal *removal, int parent, const char *name)
{
    struct stat about;
    int folder = -1;

    if (fstatat(parent, name, &about, AT_SYMLINK_NOFOLLOW) < 0) {
        note_failure(removal, errno);
        return;
    }
    if (!S_ISDIR(about.st_mode)) {
        if (unlinkat(parent, name, 0) < 0)
            note_failure(removal, errno);
        else
            removal->bytes += (uint64_t)about.st_blocks * 512;
        return;
    }
    folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0)
        note_failure(removal, errno);
    else
        remove_entries(removal, folder);
    if (unlinkat(parent, name, AT_REMOVEDIR) < 0)
        note_failure(removal, errno);
}

int remove_all(const char *path, uint64_t *bytes, struct error *err)
{
    struct removal removal = {0};

    text_add_string(&removal.path, path);
    remove_at(&removal, AT_FDCWD, path);
    text_done(&removal.path);
    if (bytes)
        *bytes += removal.bytes;
    if (removal.cause)
        return error_set(err, ERROR_IO, "remove %s: %s", removal.failed, strerror(removal.cause));
    return 0;
}

#include "target/heap_library.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cache_folder.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/hash.h"
#include "base/replacement.h"
#include "base/slice.h"
#include "profile/heap_events.h"
#include "sampler/heap_record.h"

extern const char heap_library_bytes[];
extern const char heap_library_bytes_end[];

#define CACHE_FOLDER "rust-performance-tools"
#define PRELOAD "LD_PRELOAD"

static struct slice library(void)
{
    return (struct slice){heap_library_bytes, (size_t)(heap_library_bytes_end - heap_library_bytes)};
}

static int write_to(const char *path, struct error *err)
{
    SCOPED(replacement_discard) struct replacement *file = NULL;

    if (replacement_open(path, &file, err) < 0 || replacement_add(file, library(), err) < 0)
        return -1;
    return replacement_commit(file, REPLACEABLE, err);
}

/* --- The file that all may read ----------------------------------------------------------------------- */

#define OF_ROOT "/var/cache/" CACHE_FOLDER

/* Whether nobody but root can have made it, or can make it another one. */
static bool is_roots(const char *path, mode_t kind, struct stat *out)
{
    return lstat(path, out) == 0 && (out->st_mode & S_IFMT) == kind && out->st_uid == 0 &&
           !(out->st_mode & (S_IWGRP | S_IWOTH));
}

static bool open_folder_to_all(const char *path)
{
    const mode_t for_all = S_IRWXU | S_IRGRP | S_IXGRP | S_IROTH | S_IXOTH;
    struct stat status;

    (void)mkdir(path, for_all);
    return is_roots(path, S_IFDIR, &status) &&
           ((status.st_mode & for_all) == for_all || chmod(path, for_all) == 0);
}

/*
 * What root starts may go on as another user, for whom the dynamic loader would say that it cannot read the
 * library: root's home is closed to others. False where it cannot be there.
 */
static bool place_for_all(const char *folder, const char *path)
{
    const mode_t for_all = S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH;
    struct error ignored = {0};
    struct stat status;

    if (!open_folder_to_all(OF_ROOT) || !open_folder_to_all(folder) || file_forbids_code(folder))
        return false;
    if ((!is_roots(path, S_IFREG, &status) || (size_t)status.st_size != library().length) &&
        write_to(path, &ignored) < 0)
        return false;
    return chmod(path, for_all) == 0 && is_roots(path, S_IFREG, &status);
}

/* --- The file in the user's cache ---------------------------------------------------------------------- */

static int find_folder(struct arena *arena, const char **out, struct error *err)
{
    *out = cache_folder(arena, CACHE_FOLDER);
    if (!*out)
        return error_set(err, ERROR_MISSING,
                         "no place for the library that tells of memory: set HOME or XDG_CACHE_HOME");
    /* ld.so(8): both part the libraries of LD_PRELOAD. */
    if (strpbrk(*out, " :") == NULL)
        return 0;
    error_hint(err, CACHE_FOLDER_HINT);
    return error_set(err, ERROR_MISSING,
                     "%s: the dynamic loader takes no library from a path with a blank or ':'", *out);
}

/* Each version has a file of its own, as programs of one recording may go on while another one begins. */
static const char *folder_in(struct arena *arena, const char *folder)
{
    return arena_format(arena, "%s/heap-%016llx", folder, (unsigned long long)hash_fnv1a_64(library()));
}

/* Where libraries cannot be mapped the dynamic loader says so, and runs the program without. */
static int check_code(const char *folder, struct error *err)
{
    if (!file_forbids_code(folder))
        return 0;
    return error_set(err, ERROR_DENIED,
                     "%s: the dynamic loader takes no library from a file system that is mounted noexec",
                     folder);
}

static int place_for_user(struct arena *arena, const char **out, struct error *err)
{
    const char *folder = NULL;
    struct stat status;
    bool is_there = false;

    if (find_folder(arena, &folder, err) < 0)
        return -1;
    folder = folder_in(arena, folder);
    *out = arena_format(arena, "%s/" HEAP_LIBRARY_NAME, folder);
    is_there = stat(*out, &status) == 0 && (size_t)status.st_size == library().length;
    if ((is_there || folder_make(folder, err) == 0) && check_code(folder, err) == 0 &&
        (is_there || write_to(*out, err) == 0))
        return 0;
    error_hint(err, CACHE_FOLDER_HINT);
    return -1;
}

/* A folder that the user has chosen is taken as it is. */
static int place(struct arena *arena, const char **out, struct error *err)
{
    const char *chosen = getenv("XDG_CACHE_HOME");
    const char *folder = folder_in(arena, OF_ROOT);

    *out = arena_format(arena, "%s/" HEAP_LIBRARY_NAME, folder);
    if (geteuid() == 0 && !(chosen && chosen[0] == '/') && place_for_all(folder, *out))
        return 0;
    return place_for_user(arena, out, err);
}

/* What the variable is to be for the program without us; NULL: it has none. */
static const char *preloaded_anyway(const char *const *changes)
{
    const size_t length = strlen(PRELOAD);

    for (; changes && *changes; changes++)
        if (strncmp(*changes, PRELOAD, length) == 0 && (*changes)[length] == '=')
            return *changes + length + 1;
        else if (strcmp(*changes, PRELOAD) == 0)
            return NULL;
    return getenv(PRELOAD);
}

int heap_library_environment(struct arena *arena, const char *const *changes, const char *channel,
                             const char *const **out, struct error *err)
{
    enum { OURS_AND_END = 3 };
    const char *others = preloaded_anyway(changes);
    const char *path = NULL;
    const char **all = NULL;
    size_t count = 0;

    if (place(arena, &path, err) < 0)
        return -1;
    while (changes && changes[count])
        count++;
    all = ARENA_ARRAY(arena, count + OURS_AND_END, const char *);
    for (size_t i = 0; i < count; i++)
        all[i] = changes[i];
    all[count] = others && *others ? arena_format(arena, PRELOAD "=%s:%s", path, others)
                                   : arena_format(arena, PRELOAD "=%s", path);
    all[count + 1] = arena_format(arena, HEAP_VARIABLE "=%s", channel);
    all[count + 2] = NULL;
    *out = all;
    return 0;
}

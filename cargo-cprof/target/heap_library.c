#include "target/heap_library.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cache_folder.h"
#include "base/folder.h"
#include "base/hash.h"
#include "base/replacement.h"
#include "base/slice.h"
#include "sampler/heap_record.h"

extern const char heap_library_bytes[];
extern const char heap_library_bytes_end[];

#define CACHE_FOLDER "rust-performance-tools"
#define PRELOAD "LD_PRELOAD"
#define LIBRARY_NAME "libcargo-cprof-heap.so"

static struct slice library(void)
{
    return (struct slice){heap_library_bytes, (size_t)(heap_library_bytes_end - heap_library_bytes)};
}

static int find_folder(struct arena *arena, const char **out, struct error *err)
{
    *out = cache_folder(arena, CACHE_FOLDER);
    if (!*out)
        return error_set(err, ERROR_MISSING,
                         "no place for the library that tells of memory: set HOME or XDG_CACHE_HOME");
    /* ld.so(8): both part the libraries of LD_PRELOAD. */
    if (strpbrk(*out, " :") == NULL)
        return 0;
    error_hint(err, "set XDG_CACHE_HOME to another folder for this");
    return error_set(err, ERROR_MISSING,
                     "%s: the dynamic loader takes no library from a path with a blank or ':'", *out);
}

static int write_to(const char *path, struct error *err)
{
    SCOPED(replacement_discard) struct replacement *file = NULL;

    if (replacement_open(path, &file, err) < 0 || replacement_add(file, library(), err) < 0)
        return -1;
    return replacement_commit(file, REPLACEABLE, err);
}

/* Each version has a file of its own, as programs of one recording may go on while another one begins. */
static int place(struct arena *arena, const char **out, struct error *err)
{
    const char *folder = NULL;
    struct stat status;

    if (find_folder(arena, &folder, err) < 0)
        return -1;
    folder = arena_format(arena, "%s/heap-%016llx", folder, (unsigned long long)hash_fnv1a_64(library()));
    *out = arena_format(arena, "%s/" LIBRARY_NAME, folder);
    if (stat(*out, &status) == 0 && (size_t)status.st_size == library().length)
        return 0;
    return folder_make(folder, err) < 0 ? -1 : write_to(*out, err);
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

bool heap_library_is(struct slice path)
{
    return slice_is(slice_file_name(path), LIBRARY_NAME);
}

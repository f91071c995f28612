#include "base/copy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/folder.h"

enum { DEEPEST = 64 };

/* Where the kernel does not copy by itself, as between kinds of file systems. 0 or an errno. */
static int copy_through_memory(int from, int to)
{
    char bytes[64 * 1024];

    for (;;) {
        ssize_t count = read(from, bytes, sizeof(bytes));
        int cause = count < 0 ? errno : file_write(to, (struct slice){bytes, (size_t)count});

        if (cause || count == 0)
            return cause;
    }
}

/* 0 or the errno of the step that failed. */
static int copy_bytes(int from, int to)
{
    for (;;) {
        ssize_t done = copy_file_range(from, NULL, to, NULL, 1U << 30, 0);

        if (done < 0 && (errno == EXDEV || errno == EINVAL || errno == EOPNOTSUPP || errno == ENOSYS))
            return copy_through_memory(from, to);
        if (done <= 0)
            return done < 0 ? errno : 0;
    }
}

int copy_file(const char *from, const char *to, struct error *err)
{
    SCOPED(file_close_descriptor) int source = open(from, O_RDONLY | O_CLOEXEC);
    SCOPED(file_close_descriptor) int target = -1;
    struct stat status;
    int cause = 0;

    if (source < 0 || fstat(source, &status) < 0)
        return error_set(err, ERROR_IO, "open %s: %s", from, strerror(errno));
    /* Not written over: it may be another file's second name. */
    unlink(to);
    target = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, status.st_mode & 0777);
    if (target < 0)
        return error_set(err, ERROR_IO, "write %s: %s", to, strerror(errno));
    cause = copy_bytes(source, target);
    if (cause) {
        unlink(to);
        return error_set(err, ERROR_IO, "write %s: %s", to, strerror(cause));
    }
    futimens(target, (const struct timespec[]){status.st_atim, status.st_mtim});
    return 0;
}

static int link_file(const char *from, const char *to, struct error *err)
{
    unlink(to);
    return link(from, to) == 0 ? 0 : copy_file(from, to, err);
}

/* The work on one tree. */
struct copying {
    copy_choose *choose;
    const void *context;
};

static int copy_level(const struct copying *copying, const char *from, const char *to, unsigned depth,
                      struct error *err);

static int copy_entry(const struct copying *copying, const char *from, const char *to, unsigned depth,
                      struct error *err)
{
    struct stat status;
    bool is_folder = false;
    enum copy_form form = COPY_BYTES;

    /* What is gone meanwhile is no failure. */
    if (lstat(from, &status) < 0 || (!S_ISDIR(status.st_mode) && !S_ISREG(status.st_mode)))
        return 0;
    is_folder = S_ISDIR(status.st_mode);
    if (copying->choose)
        form = copying->choose(copying->context, from, is_folder);
    if (form == COPY_SKIP)
        return 0;
    if (is_folder)
        return depth < DEEPEST ? copy_level(copying, from, to, depth + 1, err) : 0;
    return form == COPY_LINK ? link_file(from, to, err) : copy_file(from, to, err);
}

static int copy_level(const struct copying *copying, const char *from, const char *to, unsigned depth,
                      struct error *err)
{
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(folder_close) DIR *folder = opendir(from);
    const struct dirent *entry = NULL;

    if (!folder)
        return error_set(err, ERROR_IO, "open %s: %s", from, strerror(errno));
    if (folder_make(to, err) < 0)
        return -1;
    while ((entry = readdir(folder)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (copy_entry(copying, arena_format(&arena, "%s/%s", from, entry->d_name),
                       arena_format(&arena, "%s/%s", to, entry->d_name), depth, err) < 0)
            return -1;
    }
    return 0;
}

int copy_folder(const char *from, const char *to, copy_choose *choose, const void *context, struct error *err)
{
    struct copying copying = {choose, context};

    return copy_level(&copying, from, to, 0, err);
}

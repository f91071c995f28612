#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void file_close(FILE **file)
{
    if (*file)
        fclose(*file);
    *file = NULL;
}

void file_close_descriptor(int *descriptor)
{
    if (*descriptor >= 0)
        close(*descriptor);
    *descriptor = -1;
}

int file_read_descriptor(int descriptor, const char *name, size_t limit_bytes, struct text *content,
                         struct error *err)
{
    enum { STEP_BYTES = 64 * 1024 };
    const size_t before = content->length;

    for (;;) {
        char *room = text_extend(content, STEP_BYTES);
        ssize_t got = read(descriptor, room, STEP_BYTES);
        int cause = errno;

        content->length -= STEP_BYTES - (got > 0 ? (size_t)got : 0);
        if (got == 0)
            return 0;
        if (got < 0 && cause == EINTR)
            continue;
        if (got > 0 && content->length - before <= limit_bytes)
            continue;
        content->length = before;
        if (got < 0)
            return error_set(err, ERROR_IO, "read %s: %s", name, strerror(cause));
        return error_set(err, ERROR_FORMAT, "%s: larger than %zu bytes", name, limit_bytes);
    }
}

int file_read(const char *path, size_t limit_bytes, struct text *content, struct error *err)
{
    SCOPED(file_close_descriptor) int descriptor = open(path, O_RDONLY | O_CLOEXEC);

    if (descriptor < 0)
        return error_set(err, ERROR_IO, "open %s: %s", path, strerror(errno));
    return file_read_descriptor(descriptor, path, limit_bytes, content, err);
}

/* 0, or the errno of the write that failed. */
static int write_all(int descriptor, struct slice content)
{
    while (content.length > 0) {
        ssize_t written = write(descriptor, content.data, content.length);

        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return errno;
        content = slice_range(content, (size_t)written, content.length);
    }
    return 0;
}

static int write_in_place(const char *path, struct slice content, struct error *err)
{
    SCOPED(file_close_descriptor) int descriptor = open(path, O_WRONLY | O_CLOEXEC);
    int cause = descriptor < 0 ? errno : write_all(descriptor, content);

    if (cause)
        return error_set(err, ERROR_IO, "write %s: %s", path, strerror(cause));
    return 0;
}

/* The mode a new file gets: what open(2) would give it. */
static mode_t default_mode(void)
{
    mode_t mask = umask(0);

    umask(mask);
    return 0666 & ~mask;
}

/* Whether what is written stays when the machine fails right afterwards, for which the disk is waited for. */
enum durability { LASTING, REPLACEABLE };

/* 0, or the errno of the step that failed. */
static int write_and_rename(int descriptor, const char *temporary, const char *path, struct slice content,
                            enum durability durability)
{
    struct stat old;
    mode_t mode = stat(path, &old) == 0 ? old.st_mode & 07777 : default_mode();
    int cause = write_all(descriptor, content);

    if (cause)
        return cause;
    if (fchmod(descriptor, mode) < 0 || (durability == LASTING && fsync(descriptor) < 0) ||
        rename(temporary, path) < 0)
        return errno;
    return 0;
}

/* Those that end programs wait; returns what was blocked before. */
static sigset_t hold_signals(void)
{
    static const int numbers[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
    sigset_t held;
    sigset_t before;

    sigemptyset(&held);
    for (size_t i = 0; i < ARRAY_COUNT(numbers); i++)
        sigaddset(&held, numbers[i]);
    pthread_sigmask(SIG_BLOCK, &held, &before);
    return before;
}

static int replace_by_rename(const char *path, struct slice content, enum durability durability,
                             struct error *err)
{
    SCOPED(file_close_descriptor) int descriptor = -1;
    SCOPED(text_done) struct text temporary = {0};
    int cause = 0;

    text_format(&temporary, "%s.XXXXXX", path);
    text_string(&temporary);
    descriptor = mkostemp(temporary.data, O_CLOEXEC);
    if (descriptor < 0)
        return error_set(err, ERROR_IO, "write %s: %s", path, strerror(errno));
    cause = write_and_rename(descriptor, temporary.data, path, content, durability);
    if (cause) {
        unlink(temporary.data);
        return error_set(err, ERROR_IO, "write %s: %s", path, strerror(cause));
    }
    return 0;
}

/*
 * Puts what `path` leads to in place of it when it is a symbolic link, also one to a file that
 * does not exist yet, which realpath(3) refuses. Returns 0 or the errno of the step that failed.
 */
static int follow_links(struct text *path)
{
    enum { MOST_LINKS = 40 }; /* as the kernel, path_resolution(7) */

    for (int links = 0; links < MOST_LINKS; links++) {
        char target[PATH_MAX];
        ssize_t length = readlink(text_string(path), target, sizeof(target));

        if (length < 0)
            return errno == EINVAL || errno == ENOENT ? 0 : errno;
        if (length == sizeof(target))
            return ENAMETOOLONG;
        /* A relative target starts at the link's folder. */
        if (target[0] == '/' || slice_find_last_byte(text_slice(path), '/') == path->length)
            text_clear(path);
        else
            path->length = slice_find_last_byte(text_slice(path), '/') + 1;
        text_add(path, (struct slice){target, (size_t)length});
    }
    return ELOOP;
}

static int replace(const char *path, struct slice content, enum durability durability, struct error *err)
{
    SCOPED(text_done) struct text resolved = {0};
    struct stat old;
    sigset_t before;
    int cause = 0;
    int result = 0;

    if (stat(path, &old) == 0 && !S_ISREG(old.st_mode))
        return write_in_place(path, content, err);
    text_add_string(&resolved, path);
    cause = follow_links(&resolved);
    if (cause)
        return error_set(err, ERROR_IO, "write %s: %s", path, strerror(cause));
    /* What is half written would stay when a signal ended us in between. */
    before = hold_signals();
    result = replace_by_rename(text_string(&resolved), content, durability, err);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return result;
}

int file_replace(const char *path, struct slice content, struct error *err)
{
    return replace(path, content, LASTING, err);
}

int file_replace_cached(const char *path, struct slice content, struct error *err)
{
    return replace(path, content, REPLACEABLE, err);
}

/* Making a file and renaming it take the right to write the folder, whatever the old file's mode. */
static int cannot_replace(const char *path)
{
    SCOPED(text_done) struct text folder = {0};
    struct stat old;
    size_t slash = 0;
    int cause = 0;

    if (stat(path, &old) == 0 && S_ISDIR(old.st_mode))
        return EISDIR;
    if (stat(path, &old) == 0 && !S_ISREG(old.st_mode))
        return faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) < 0 ? errno : 0;
    text_add_string(&folder, path);
    cause = follow_links(&folder);
    if (cause)
        return cause;
    if (folder.length == 0)
        return ENOENT;
    slash = slice_find_last_byte(text_slice(&folder), '/');
    /* What ends in "/" is a folder, or is to be one. */
    if (slash + 1 == folder.length)
        return EISDIR;
    if (slash < folder.length)
        folder.length = slash + 1;
    else
        text_clear(&folder);
    text_add_byte(&folder, '.');
    return faccessat(AT_FDCWD, text_string(&folder), W_OK | X_OK, AT_EACCESS) < 0 ? errno : 0;
}

int file_check_replaceable(const char *path, struct error *err)
{
    int cause = cannot_replace(path);

    return cause ? error_set(err, ERROR_IO, "write %s: %s", path, strerror(cause)) : 0;
}

static int remove_entry(const char *path, const struct stat *about, int type, struct FTW *place)
{
    (void)about;
    (void)type;
    (void)place;
    return remove(path) == 0 || errno == ENOENT ? 0 : errno;
}

int file_remove(const char *path, struct error *err)
{
    enum { OPEN_FOLDERS_MAX = 16 };
    int cause = 0;

    if (unlink(path) == 0 || errno == ENOENT)
        return 0;
    /* What it says of a folder is EISDIR here and EPERM elsewhere. */
    cause = nftw(path, remove_entry, OPEN_FOLDERS_MAX, FTW_DEPTH | FTW_PHYS);
    if (cause < 0)
        cause = errno;
    return cause ? error_set(err, ERROR_IO, "remove %s: %s", path, strerror(cause)) : 0;
}

int file_write_stdout(struct slice content, struct error *err)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction before;
    int cause = 0;

    /* A write to a closed pipe is to come back, whatever the process does with the signal. */
    sigaction(SIGPIPE, &ignore, &before);
    cause = write_all(STDOUT_FILENO, content);
    sigaction(SIGPIPE, &before, NULL);
    if (cause && cause != EPIPE)
        return error_set(err, ERROR_IO, "write standard output: %s", strerror(cause));
    return 0;
}

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/replacement.h"

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

/* Of others, as what a driver gives, nobody knows that it ever comes. */
static bool can_be_waited_for(int descriptor)
{
    struct stat status;

    return fstat(descriptor, &status) == 0 &&
           (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) || isatty(descriptor));
}

bool file_read_again(int descriptor, int cause)
{
    struct pollfd file = {.fd = descriptor, .events = POLLIN};

    if (cause == EAGAIN && can_be_waited_for(descriptor))
        return poll(&file, 1, -1) >= 0 || errno == EINTR;
    return cause == EINTR;
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
        if (got < 0 && file_read_again(descriptor, cause))
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

int file_read_regular(const char *path, size_t limit_bytes, struct text *content, struct error *err)
{
    /* O_NONBLOCK: opening a pipe that nobody writes to must not wait. */
    SCOPED(file_close_descriptor) int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;

    if (descriptor < 0 || fstat(descriptor, &status) < 0)
        return error_set(err, ERROR_IO, "open %s: %s", path, strerror(errno));
    if (!S_ISREG(status.st_mode))
        return error_set(err, ERROR_IO, "%s: not a regular file", path);
    return file_read_descriptor(descriptor, path, limit_bytes, content, err);
}

int file_read_at(int descriptor, const char *name, uint64_t offset, char *into, size_t length,
                 struct error *err)
{
    size_t done = 0;

    while (done < length) {
        ssize_t got = pread(descriptor, into + done, length - done, (off_t)(offset + done));

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return error_set(err, ERROR_IO, "read %s: %s", name, strerror(errno));
        if (got == 0)
            return error_set(err, ERROR_IO, "read %s: the file became shorter while it was read", name);
        done += (size_t)got;
    }
    return 0;
}

/* Whoever shares an open file, as a terminal or pipe that was inherited, may have it not wait (open(2)). */
static void wait_for_room(int descriptor)
{
    struct pollfd file = {.fd = descriptor, .events = POLLOUT};

    (void)poll(&file, 1, -1);
}

int file_write(int descriptor, struct slice content)
{
    while (content.length > 0) {
        ssize_t written = write(descriptor, content.data, content.length);

        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0 && errno == EAGAIN) {
            wait_for_room(descriptor);
            continue;
        }
        if (written < 0)
            return errno;
        content = slice_range(content, (size_t)written, content.length);
    }
    return 0;
}

static int replace(const char *path, struct slice content, enum durability durability, struct error *err)
{
    SCOPED(replacement_discard) struct replacement *replacement = NULL;

    if (replacement_open(path, &replacement, err) < 0 || replacement_add(replacement, content, err) < 0)
        return -1;
    return replacement_commit(replacement, durability, err);
}

int file_replace(const char *path, struct slice content, struct error *err)
{
    return replace(path, content, LASTING, err);
}

int file_replace_cached(const char *path, struct slice content, struct error *err)
{
    return replace(path, content, REPLACEABLE, err);
}

/* The folder of what `path` leads to. 0 or an errno. */
static int add_folder(struct text *folder, const char *path)
{
    size_t slash = 0;
    int cause = 0;

    text_add_string(folder, path);
    cause = replacement_follow_links(folder);
    if (cause)
        return cause;
    if (folder->length == 0)
        return ENOENT;
    slash = slice_find_last_byte(text_slice(folder), '/');
    /* What ends in "/" is a folder, or is to be one. */
    if (slash + 1 == folder->length)
        return EISDIR;
    if (slash > 0 && slash < folder->length) {
        folder->length = slash;
        return 0;
    }
    text_clear(folder);
    text_add_byte(folder, slash == 0 ? '/' : '.');
    return 0;
}

/* Whether nobody else may rename or remove the old file of a folder that all may write: sticky, inode(7). */
static bool is_anothers(const struct stat *folder, const struct statx *old)
{
    return (folder->st_mode & S_ISVTX) && geteuid() != 0 && old->stx_uid != geteuid() &&
           folder->st_uid != geteuid();
}

/*
 * Why the old file stays where it is although its folder may be written: the errno of rename(2), and what to
 * do. 0: nothing keeps it.
 */
static int keeps_its_place(const char *path, const char *folder, struct error *err)
{
    SCOPED(text_done) struct text target = {0};
    struct stat about_folder;
    struct statx old;

    text_add_string(&target, path);
    if (replacement_follow_links(&target) || stat(folder, &about_folder) < 0 ||
        statx(AT_FDCWD, text_string(&target), AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, &old) < 0)
        return 0;
    if (old.stx_attributes & STATX_ATTR_MOUNT_ROOT) {
        error_hint(err,
                   "it is mounted by itself, and so cannot be replaced: name a file of a folder that is");
        return EBUSY;
    }
    if (old.stx_attributes & (STATX_ATTR_IMMUTABLE | STATX_ATTR_APPEND)) {
        error_hint(err, "its attributes keep it from being replaced: lsattr shows them");
        return EPERM;
    }
    if (is_anothers(&about_folder, &old)) {
        error_hint(err, "it is another user's, and in %s nobody replaces files of others", folder);
        return EPERM;
    }
    return 0;
}

/* Making a file and renaming it take the right to write the folder, whatever the old file's mode. */
static int cannot_replace(const char *path, struct error *err)
{
    SCOPED(text_done) struct text folder = {0};
    SCOPED(text_done) struct text inside = {0};
    struct stat old;
    int cause = 0;

    if (stat(path, &old) == 0 && S_ISDIR(old.st_mode))
        return EISDIR;
    if (stat(path, &old) == 0 && !S_ISREG(old.st_mode))
        return faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) < 0 ? errno : 0;
    cause = add_folder(&folder, path);
    if (cause)
        return cause;
    text_format(&inside, "%s/.", text_string(&folder));
    if (faccessat(AT_FDCWD, text_string(&inside), W_OK | X_OK, AT_EACCESS) == 0)
        return keeps_its_place(path, text_string(&folder), err);
    cause = errno;
    if (cause == ENOENT)
        error_hint(err, "there is no folder %s", text_string(&folder));
    else if (cause == EACCES)
        error_hint(err, "files are replaced by new ones, and the folder %s may not be written",
                   text_string(&folder));
    return cause;
}

int file_check_replaceable(const char *path, struct error *err)
{
    int cause = cannot_replace(path, err);

    return cause ? error_set(err, ERROR_IO, "write %s: %s", path, strerror(cause)) : 0;
}

uint64_t file_changed_unix_ns(const char *path)
{
    enum { NS_PER_S = 1000000000 };
    struct stat file;

    return stat(path, &file) < 0 ? 0
                                 : (uint64_t)file.st_mtim.tv_sec * NS_PER_S + (uint64_t)file.st_mtim.tv_nsec;
}

bool file_lacks_folder(const char *path, struct text *folder)
{
    SCOPED(text_done) struct text wanted = {0};
    struct stat about;

    if (add_folder(&wanted, path) != 0 || stat(text_string(&wanted), &about) == 0 || errno != ENOENT)
        return false;
    text_add(folder, text_slice(&wanted));
    return true;
}

const char *file_from_here(const char *path)
{
    SCOPED(memory_free_at) char *here = getcwd(NULL, 0);
    size_t length = here ? strlen(here) : 0;
    bool is_below = length > 1 && strncmp(path, here, length) == 0 && path[length] == '/';

    /* What begins with "-" would be an option. */
    return is_below && path[length + 1] != '-' && path[length + 1] != '\0' ? path + length + 1 : path;
}

bool file_is_regular(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

bool file_is_one(const char *path, const char *other)
{
    struct stat one;
    struct stat two;

    return stat(path, &one) == 0 && stat(other, &two) == 0 && S_ISREG(one.st_mode) &&
           one.st_dev == two.st_dev && one.st_ino == two.st_ino;
}

bool file_is_older(const char *path, const char *other)
{
    struct stat one;
    struct stat two;

    if (stat(path, &one) < 0 || stat(other, &two) < 0)
        return false;
    return one.st_mtim.tv_sec != two.st_mtim.tv_sec ? one.st_mtim.tv_sec < two.st_mtim.tv_sec
                                                    : one.st_mtim.tv_nsec < two.st_mtim.tv_nsec;
}

bool file_is_unknown_name(const char *name)
{
    return !strchr(name, '/') && strcmp(name, "-") != 0 && access(name, F_OK) < 0 && errno == ENOENT;
}

bool file_forbids_code(const char *path)
{
    struct statvfs system;

    return statvfs(path, &system) == 0 && (system.f_flag & ST_NOEXEC);
}

int file_write_stdout(struct slice content, struct error *err)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction before;
    int cause = 0;

    /* A write to a closed pipe is to come back, whatever the process does with the signal. */
    sigaction(SIGPIPE, &ignore, &before);
    cause = file_write(STDOUT_FILENO, content);
    sigaction(SIGPIPE, &before, NULL);
    if (cause && cause != EPIPE)
        return error_set(err, ERROR_IO, "write standard output: %s", strerror(cause));
    return 0;
}

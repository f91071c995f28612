#include "symbolize/jit/told_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"

/* The kernel's time of files stands still from one tick to the next (current_time in its fs/inode.c). */
static const uint64_t file_time_step_ns = 20000000;

static int open_file(const struct told_file *file, struct error *err)
{
    /* A pipe that nobody writes to must not hold us up. */
    int flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | (file->place ? 0 : O_NOFOLLOW);
    int descriptor = open(file->place ? file->place : file->path, flags);

    if (descriptor >= 0)
        return descriptor;
    if (errno == ELOOP)
        return error_set(err, ERROR_DENIED, "%s is a symbolic link", file->path);
    return error_set(err, errno == ENOENT ? ERROR_MISSING : ERROR_IO, "open %s: %s", file->path,
                     strerror(errno));
}

static int check_file(const struct told_file *file, const struct stat *about, struct error *err)
{
    if (!S_ISREG(about->st_mode))
        return error_set(err, ERROR_DENIED, "%s is not a regular file", file->path);
    if (geteuid() != 0 && about->st_uid != 0 && about->st_uid != geteuid())
        return error_set(err, ERROR_DENIED, "%s belongs to another user", file->path);
    if (clock_ns_of(about->st_mtim) + file_time_step_ns < file->begun_unix_ns)
        return error_set(err, ERROR_DENIED, "%s is older than its process", file->path);
    if (file->reused_unix_ns > 0 && clock_ns_of(about->st_mtim) >= file->reused_unix_ns)
        return error_set(err, ERROR_DENIED, "%s is of another process, which has that number now",
                         file->path);
    return 0;
}

/* Whether the open file may be taken, and how long it is. */
static int take_file(const struct told_file *file, int descriptor, uint64_t *length_bytes, struct error *err)
{
    struct stat about;

    if (fstat(descriptor, &about) < 0)
        return error_set(err, ERROR_IO, "%s: %s", file->path, strerror(errno));
    if (check_file(file, &about, err) < 0)
        return -1;
    *length_bytes = (uint64_t)about.st_size;
    return 0;
}

int told_file_open(const struct told_file *file, int *descriptor, uint64_t *length_bytes, struct error *err)
{
    int opened = open_file(file, err);

    if (opened < 0)
        return -1;
    if (take_file(file, opened, length_bytes, err) < 0) {
        close(opened);
        return -1;
    }
    *descriptor = opened;
    return 0;
}

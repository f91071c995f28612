#include "symbolize/perf_map_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"

/* The kernel's time of files stands still from one tick to the next (current_time in its fs/inode.c). */
static const uint64_t file_time_step_ns = 20000000;

static int open_file(const struct perf_map_file *file, struct error *err)
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

static int check_file(const struct perf_map_file *file, const struct stat *about, struct error *err)
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

/*
 * The lines that end at `*end`, as many as are whole in a step, and moves that to where they begin. Of a line
 * that is longer there are none until its start comes. `bytes` has room for a step.
 */
static int read_lines(const struct perf_map_file *file, int descriptor, uint64_t *end, char *bytes,
                      struct slice *lines, struct error *err)
{
    size_t length = *end < PERF_MAP_STEP_BYTES ? (size_t)*end : PERF_MAP_STEP_BYTES;
    size_t start = 0;

    if (file_read_at(descriptor, file->path, *end - length, bytes, length, err) < 0)
        return -1;
    /* What it begins with is the rest of a line; that the last line ends tells nothing of where one starts.
     */
    if (length < *end)
        start = slice_find_byte((struct slice){bytes, length - 1}, '\n') + 1;
    *lines = slice_range((struct slice){bytes, length}, start, length);
    *end -= lines->length > 0 ? lines->length : length;
    return 0;
}

int perf_map_read(const struct perf_map_file *file, struct perf_map *map, struct error *err)
{
    SCOPED(file_close_descriptor) int descriptor = open_file(file, err);
    char bytes[PERF_MAP_STEP_BYTES];
    struct slice lines = {0};
    struct stat about;
    uint64_t end = 0;
    uint64_t least = 0;

    if (descriptor < 0)
        return -1;
    if (fstat(descriptor, &about) < 0)
        return error_set(err, ERROR_IO, "%s: %s", file->path, strerror(errno));
    if (check_file(file, &about, err) < 0)
        return -1;
    end = (uint64_t)about.st_size;
    least = end < PERF_MAP_MOST_BYTES ? 0 : end - PERF_MAP_MOST_BYTES;
    while (end > least && map->named_count < map->count) {
        if (read_lines(file, descriptor, &end, bytes, &lines, err) < 0)
            return -1;
        perf_map_take(map, lines);
    }
    if (end > 0 && map->named_count < map->count)
        return error_set(err, ERROR_FORMAT, "the last %d MiB of %s do not tell of it",
                         PERF_MAP_MOST_BYTES >> 20, file->path);
    return 0;
}

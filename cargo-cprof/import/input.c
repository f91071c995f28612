#include "import/input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "import/folded.h"

enum { PART_BYTES = 1 << 18 };

/* A file as it is read. */
struct reading {
    const char *name;
    int descriptor;
    char *part; /* PART_BYTES of room */
    struct folded_import *folded;
};

static const struct {
    struct slice start;
    const char *what;
    const char *hint;
} foreign[] = {
    {{"\177ELF", 4}, "a program", "cargo cprof exec -- PROGRAM records one"},
    {{"PERFILE2", 8},
     "perf's own data",
     "perf script -i FILE | inferno-collapse-perf | cargo cprof flamegraph"},
    {{"\x1f\x8b", 2}, "compressed with gzip", "zcat FILE | cargo cprof flamegraph"},
    {{"\x28\xb5\x2f\xfd", 4}, "compressed with zstd", "zstdcat FILE | cargo cprof flamegraph"},
    {{"<?xml", 5}, "a picture already", "open it in a browser; pictures are drawn from folded stacks"},
    {{"<svg", 4}, "a picture already", "open it in a browser; pictures are drawn from folded stacks"},
};

/* Whether a file that begins so may hold folded stacks. */
static int check_start(const char *name, struct slice start, struct error *err)
{
    for (size_t i = 0; i < ARRAY_COUNT(foreign); i++)
        if (slice_starts_with(start, foreign[i].start)) {
            error_hint(err, "%s", foreign[i].hint);
            return error_set(err, ERROR_FORMAT, "%s is %s, not folded stacks", name, foreign[i].what);
        }
    if (slice_find_byte(start, '\0') < start.length)
        return error_set(err, ERROR_FORMAT, "%s holds no folded stacks: it is no text", name);
    return 0;
}

/* The next bytes of the file; none at its end. */
static int read_part(const struct reading *reading, struct slice *out, struct error *err)
{
    ssize_t got = 0;

    do
        got = read(reading->descriptor, reading->part, PART_BYTES);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return error_set(err, ERROR_IO, "read %s: %s", reading->name, strerror(errno));
    *out = (struct slice){reading->part, (size_t)got};
    return 0;
}

static int read_folded(struct reading *reading, struct error *err)
{
    struct slice part = {0};
    bool is_first = true;

    do {
        if (read_part(reading, &part, err) < 0)
            return -1;
        if (is_first && check_start(reading->name, part, err) < 0)
            return -1;
        is_first = false;
        folded_import_add(reading->folded, part);
    } while (part.length > 0);
    folded_import_end_file(reading->folded);
    return 0;
}

static int read_file(const char *path, struct folded_import *folded, struct error *err)
{
    SCOPED(file_close_descriptor) int opened = -1;
    SCOPED(memory_free_at) char *part = memory_new(PART_BYTES, 1);
    struct reading reading = {path, STDIN_FILENO, part, folded};

    if (strcmp(path, "-") == 0) {
        reading.name = "standard input";
    } else {
        opened = open(path, O_RDONLY | O_CLOEXEC);
        if (opened < 0)
            return error_set(err, ERROR_IO, "open %s: %s", path, strerror(errno));
        reading.descriptor = opened;
    }
    return read_folded(&reading, err);
}

int input_read(const char *const *paths, size_t count, struct profile *profile, struct input_losses *losses,
               struct error *err)
{
    SCOPED(folded_import_done) struct folded_import folded = {0};

    for (size_t i = 0; i < count; i++)
        if (read_file(paths[i], &folded, err) < 0)
            return -1;
    profile_init(profile);
    if (folded_import_finish(&folded, profile, err) < 0) {
        profile_done(profile);
        return error_wrap(err, "%s",
                          count > 1                    ? "these files"
                          : strcmp(paths[0], "-") == 0 ? "standard input"
                                                       : paths[0]);
    }
    *losses = (struct input_losses){folded.line_count, folded.bad_count, folded.first_bad_number,
                                    folded.fraction_count};
    return 0;
}

#include "import/input_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/unnamed_file.h"

enum { PART_BYTES = 1 << 18 };

/*
 * What is packed may hold so much, and so many times what it takes beside what any may. Recordings of idle
 * threads shrink to a thousandth: the same stacks again and again.
 */
#define MOST_BYTES (UINT64_C(1) << 33)
#define MOST_TIMES UINT64_C(10000)
#define ANY_BYTES (UINT64_C(1) << 26)

void input_file_done(struct input_file *file)
{
    unpacker_close(file->unpacker);
    free(file->part);
    free(file->stored);
}

struct slice input_file_plain_name(const char *name)
{
    static const struct slice ends[] = {SLICE(".gz"), SLICE(".zst"), SLICE(".xz")};
    struct slice plain = slice_of(name);

    for (size_t i = 0; i < ARRAY_COUNT(ends); i++)
        if (slice_ends_with(plain, ends[i]))
            return slice_range(plain, 0, plain.length - ends[i].length);
    return plain;
}

/* Fills `room` with what comes next of the file as it is stored; what is short is its end. */
static int read_stored(struct input_file *file, char *room, struct slice *out, struct error *err)
{
    size_t length = 0;

    while (length < PART_BYTES) {
        ssize_t got = read(file->descriptor, room + length, PART_BYTES - length);

        if (got < 0 && file_read_again(file->descriptor, errno))
            continue;
        if (got < 0)
            return error_set(err, ERROR_IO, "read %s: %s", file->name, strerror(errno));
        if (got == 0)
            break;
        length += (size_t)got;
    }
    file->has_ended = length < PART_BYTES;
    file->stored_bytes += length;
    *out = (struct slice){room, length};
    return 0;
}

/* --- What is packed ------------------------------------------------------------------------------- */

static int refuse(const struct input_file *file, struct error *err)
{
    if (!err->hint[0])
        error_hint(err, "copy it again from where it was written, or record again");
    return error_wrap(err, "%s", file->name);
}

static int check_size(const struct input_file *file, struct error *err)
{
    if (file->content_bytes > MOST_BYTES)
        return error_set(err, ERROR_FORMAT, "%s: it holds more than %" PRIu64 " bytes", file->name,
                         MOST_BYTES);
    if (file->content_bytes <= ANY_BYTES || file->content_bytes / MOST_TIMES <= file->stored_bytes)
        return 0;
    return error_set(err, ERROR_FORMAT,
                     "%s: it holds more than %" PRIu64 " times what it takes, as no "
                     "profile does",
                     file->name, MOST_TIMES);
}

static int read_unpacked(struct input_file *file, struct slice *out, struct error *err)
{
    size_t length = 0;
    size_t got = 0;
    bool is_end = false;

    do {
        if (file->packed.length == 0 && !file->has_ended &&
            read_stored(file, file->stored, &file->packed, err) < 0)
            return -1;
        is_end = file->packed.length == 0;
        if (unpacker_step(file->unpacker, &file->packed, file->part + length, PART_BYTES - length, &got,
                          err) < 0)
            return refuse(file, err);
        length += got;
        file->content_bytes += got;
        if (check_size(file, err) < 0)
            return -1;
    } while (length < PART_BYTES && (got > 0 || !is_end));
    if (length < PART_BYTES && !unpacker_is_at_end(file->unpacker)) {
        (void)error_set(err, ERROR_FORMAT, "what was packed with %s is cut short",
                        unpacker_name(file->unpacker));
        return refuse(file, err);
    }
    *out = (struct slice){file->part, length};
    return 0;
}

static int begin_unpacking(struct input_file *file, struct slice *part, struct error *err)
{
    if (unpacker_open(*part, &file->unpacker, err) < 0)
        return error_wrap(err, "%s", file->name);
    file->stored = file->part;
    file->packed = *part;
    file->part = memory_new_unset(PART_BYTES);
    return read_unpacked(file, part, err);
}

/* --- Both ----------------------------------------------------------------------------------------- */

int input_file_next(struct input_file *file, struct slice *out, struct error *err)
{
    bool is_first = file->part == NULL;

    if (file->unpacker)
        return read_unpacked(file, out, err);
    if (is_first)
        file->part = memory_new_unset(PART_BYTES);
    if (read_stored(file, file->part, out, err) < 0)
        return -1;
    return is_first && unpacker_kind(*out) ? begin_unpacking(file, out, err) : 0;
}

int input_file_rest(struct input_file *file, struct slice part, size_t limit_bytes, struct text *out,
                    struct error *err)
{
    const size_t before = out->length;

    while (part.length > 0) {
        if (part.length > limit_bytes - (out->length - before))
            return error_set(err, ERROR_FORMAT, "%s: larger than %zu bytes", file->name, limit_bytes);
        text_add(out, part);
        if (input_file_next(file, &part, err) < 0)
            return -1;
    }
    return 0;
}

int input_file_keep(struct input_file *file, struct slice part, int *out, struct error *err)
{
    SCOPED(file_close_descriptor) int kept = -1;
    struct stat about;

    if (unnamed_file_open_temporary(&kept, err) < 0)
        return -1;
    while (part.length > 0) {
        int cause = file_write(kept, part);

        if (cause)
            return error_set(err, ERROR_IO, "keep %s: %s", file->name, strerror(cause));
        if (input_file_next(file, &part, err) < 0)
            return -1;
    }
    if (fstat(file->descriptor, &about) == 0 && S_ISREG(about.st_mode))
        (void)futimens(kept, (const struct timespec[]){about.st_mtim, about.st_mtim});
    *out = kept;
    kept = -1;
    return 0;
}

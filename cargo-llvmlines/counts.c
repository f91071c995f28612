#include "counts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/scan.h"

static const char header[] = "cargo-llvmlines counts 1\n";

enum { PENDING_BYTES = 64 * 1024, HASH_BYTES = 8, SIZE_BYTES_MAX = 1 << 30 };

/* FNV-1a, 64 bits (RFC 9923). */
#define HASH_START 0xcbf29ce484222325U
#define HASH_PRIME 0x100000001b3U

static uint64_t hash_more(uint64_t hash, struct slice bytes)
{
    for (size_t i = 0; i < bytes.length; i++)
        hash = (hash ^ (unsigned char)bytes.data[i]) * HASH_PRIME;
    return hash;
}

/* --- Writing ------------------------------------------------------------------------- */

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

static void flush(struct counts_writer *writer)
{
    writer->hash = hash_more(writer->hash, text_slice(&writer->pending));
    if (!writer->cause)
        writer->cause = write_all(writer->descriptor, text_slice(&writer->pending));
    text_clear(&writer->pending);
}

static void add_number(struct text *text, uint64_t number)
{
    for (; number >= 0x80; number >>= 7)
        text_add_byte(text, (char)(number | 0x80));
    text_add_byte(text, (char)number);
}

static void add_name(struct text *text, struct slice name)
{
    add_number(text, name.length);
    text_add(text, name);
}

static int fail(const struct counts_writer *writer, int cause, struct error *err)
{
    return error_set(err, ERROR_IO, "write %.*s: %s", SLICE_ARGUMENTS(text_slice(&writer->path)),
                     strerror(cause));
}

int counts_writer_open(struct counts_writer *writer, const char *path, struct slice crate_name,
                       struct error *err)
{
    *writer = (struct counts_writer){.hash = HASH_START};
    text_add_string(&writer->path, path);
    text_format(&writer->temporary, "%s.XXXXXX", path);
    text_string(&writer->temporary);
    writer->descriptor = mkostemp(writer->temporary.data, O_CLOEXEC);
    if (writer->descriptor < 0) {
        int cause = errno;

        text_clear(&writer->temporary);
        return fail(writer, cause, err);
    }
    text_add_string(&writer->pending, header);
    add_name(&writer->pending, crate_name);
    return 0;
}

void counts_writer_add(void *context, struct slice symbol, uint64_t lines)
{
    struct counts_writer *writer = context;

    add_name(&writer->pending, symbol);
    add_number(&writer->pending, lines);
    writer->function_count++;
    if (writer->pending.length >= PENDING_BYTES)
        flush(writer);
}

static void add_end(struct counts_writer *writer)
{
    add_name(&writer->pending, (struct slice){0});
    add_number(&writer->pending, writer->function_count);
    flush(writer);
    for (int i = 0; i < HASH_BYTES; i++)
        text_add_byte(&writer->pending, (char)(writer->hash >> (8 * i)));
    flush(writer);
}

int counts_writer_commit(struct counts_writer *writer, struct error *err)
{
    int cause = 0;

    add_end(writer);
    cause = writer->cause;
    /* No fsync: after a crash of the machine the hash tells, and the unit is compiled again. */
    if (!cause && (fchmod(writer->descriptor, 0644) < 0 ||
                   rename(text_string(&writer->temporary), text_string(&writer->path)) < 0))
        cause = errno;
    if (cause)
        return fail(writer, cause, err);
    close(writer->descriptor);
    text_clear(&writer->temporary);
    return 0;
}

void counts_writer_done(struct counts_writer *writer)
{
    if (writer->temporary.length > 0) {
        close(writer->descriptor);
        unlink(text_string(&writer->temporary));
    }
    text_done(&writer->path);
    text_done(&writer->temporary);
    text_done(&writer->pending);
}

/* --- Reading ------------------------------------------------------------------------- */

static bool scan_number(struct scan *scan, uint64_t *number)
{
    uint64_t value = 0;
    struct slice byte;

    for (unsigned shift = 0; shift < 63 && scan_bytes(scan, 1, &byte); shift += 7) {
        value |= (uint64_t)((unsigned char)byte.data[0] & 0x7f) << shift;
        if (!((unsigned char)byte.data[0] & 0x80)) {
            *number = value;
            return true;
        }
    }
    return false;
}

static bool scan_name(struct scan *scan, struct slice *name)
{
    uint64_t length = 0;

    return scan_number(scan, &length) && scan_bytes(scan, length, name);
}

/* Whether what follows is functions and their end, and nothing after it. */
static bool functions_are_whole(struct scan scan)
{
    uint64_t count = 0;
    uint64_t number = 0;
    struct slice symbol;

    while (scan_name(&scan, &symbol) && scan_number(&scan, &number)) {
        if (symbol.length == 0)
            return number == count && scan_at_end(&scan);
        count++;
    }
    return false;
}

static bool hash_is_right(struct slice content, struct slice *hashed)
{
    size_t length = content.length < HASH_BYTES ? 0 : content.length - HASH_BYTES;
    uint64_t hash = hash_more(HASH_START, slice_range(content, 0, length));

    for (size_t i = 0; i < HASH_BYTES && length > 0; i++)
        if ((unsigned char)content.data[length + i] != (unsigned char)(hash >> (8 * i)))
            return false;
    *hashed = slice_range(content, 0, length);
    return length > 0;
}

int counts_parse(struct slice content, const char *name, struct slice crate_name, ir_function_fn *each,
                 void *context, struct error *err)
{
    struct scan scan = scan_of(content);
    struct slice written_for;
    struct slice symbol;
    uint64_t lines = 0;

    if (!scan_text(&scan, header))
        return error_set(err, ERROR_FORMAT, "%s: not counts, or of another version", name);
    if (!hash_is_right(content, &content))
        return error_set(err, ERROR_FORMAT, "%s: damaged", name);
    scan = scan_of(content);
    if (!scan_text(&scan, header) || !scan_name(&scan, &written_for) || !functions_are_whole(scan))
        return error_set(err, ERROR_FORMAT, "%s: damaged", name);
    if (!slice_equal(written_for, crate_name))
        return error_set(err, ERROR_FORMAT, "%s: counts of another crate", name);
    while (scan_name(&scan, &symbol) && symbol.length > 0 && scan_number(&scan, &lines))
        each(context, symbol, lines);
    return 0;
}

int counts_read(const char *path, struct slice crate_name, ir_function_fn *each, void *context,
                struct error *err)
{
    SCOPED(text_done) struct text content = {0};
    struct stat about = {0};

    if (stat(path, &about) < 0 && errno == ENOENT)
        return error_set(err, ERROR_MISSING, "%s: not there", path);
    if (S_ISDIR(about.st_mode))
        return error_set(err, ERROR_FORMAT, "%s: a folder, not counts", path);
    if (file_read(path, SIZE_BYTES_MAX, &content, err) < 0)
        return -1;
    return counts_parse(text_slice(&content), path, crate_name, each, context, err);
}

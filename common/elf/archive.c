#include "elf/archive.h"

#include <ar.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/file.h"
#include "base/scan.h"
#include "base/search.h"

/* What a header says, before names in tables are looked up. */
struct header {
    struct slice name; /* without the blanks behind it */
    uint64_t size_bytes;
};

static int read_at(const struct archive *archive, uint64_t offset, char *into, uint64_t length,
                   struct error *err)
{
    if (archive->descriptor < 0) {
        if (length > 0)
            memcpy(into, archive->bytes.data + offset, length);
        return 0;
    }
    return file_read_at(archive->descriptor, archive->name, offset, into, length, err);
}

static int refuse(const struct archive *archive, uint64_t offset, const char *what, struct error *err)
{
    return error_set(err, ERROR_FORMAT, "%s: damaged archive: the member at offset %" PRIu64 " %s",
                     archive->name, offset, what);
}

static int read_header(const struct archive *archive, uint64_t offset, struct ar_hdr *raw, struct header *out,
                       struct error *err)
{
    struct scan size = {0};

    if (archive->size_bytes - offset < sizeof(*raw))
        return refuse(archive, offset, "is cut short", err);
    if (read_at(archive, offset, (char *)raw, sizeof(*raw), err) < 0)
        return -1;
    size = scan_of(slice_trim((struct slice){raw->ar_size, sizeof(raw->ar_size)}));
    if (memcmp(raw->ar_fmag, ARFMAG, sizeof(raw->ar_fmag)) != 0 || !scan_decimal(&size, &out->size_bytes) ||
        !scan_at_end(&size))
        return refuse(archive, offset, "has no header", err);
    if (out->size_bytes > archive->size_bytes - offset - sizeof(*raw))
        return refuse(archive, offset, "goes past the end of the file", err);
    out->name = slice_trim((struct slice){raw->ar_name, sizeof(raw->ar_name)});
    return 0;
}

/* The data of a member that serves the archive itself, in its arena. */
static int read_table(struct archive *archive, uint64_t offset, uint64_t length, struct slice *out,
                      struct error *err)
{
    char *data = arena_array(&archive->arena, length + 1, 1);

    if (read_at(archive, offset, data, length, err) < 0)
        return -1;
    *out = (struct slice){data, length};
    return 0;
}

/* GNU: "/123" is an offset in the table of names, where "/" and a line end close each. */
static struct slice long_name(struct slice names, struct slice reference)
{
    struct scan scan = scan_of(reference);
    uint64_t at = 0;
    struct slice rest;

    if (!scan_byte(&scan, '/') || !scan_decimal(&scan, &at) || !scan_at_end(&scan) || at >= names.length)
        return (struct slice){0};
    rest = slice_range(names, (size_t)at, names.length);
    rest = slice_range(rest, 0, slice_find_byte(rest, '\n'));
    return slice_ends_with(rest, SLICE("/")) ? slice_range(rest, 0, rest.length - 1) : rest;
}

/* BSD: "#1/20" says that the name is the first 20 bytes of the data. */
static int take_bsd_name(struct archive *archive, struct archive_member *member, struct slice written,
                         struct error *err)
{
    struct scan scan = scan_of(written);
    uint64_t length = 0;
    struct slice name;

    if (!scan_text(&scan, "#1/") || !scan_decimal(&scan, &length) || length > member->size_bytes)
        return refuse(archive, member->offset, "has a name longer than itself", err);
    if (read_table(archive, member->data_offset, length, &name, err) < 0)
        return -1;
    member->name = slice_range(name, 0, slice_find_byte(name, '\0'));
    member->data_offset += length;
    member->size_bytes -= length;
    return 0;
}

static int add_member(struct archive *archive, struct archive_member member, struct slice written,
                      struct slice names, struct error *err)
{
    struct slice name = written;

    if (slice_starts_with(written, SLICE("#1/"))) {
        if (take_bsd_name(archive, &member, written, err) < 0)
            return -1;
    } else {
        if (slice_starts_with(written, SLICE("/")))
            name = long_name(names, written);
        else if (slice_ends_with(written, SLICE("/")))
            name = slice_range(written, 0, written.length - 1);
        member.name = arena_slice(&archive->arena, name);
    }
    *vec_add(&archive->members) = member;
    return 0;
}

/* The tables that stand before the members. */
struct tables {
    struct slice names;
    struct slice index;
    unsigned index_width; /* bytes of an offset in it: 4 or 8 */
};

/* Takes one member, or the table that it is. */
static int take_member(struct archive *archive, struct archive_member member, struct slice written,
                       struct tables *tables, struct error *err)
{
    if (slice_is(written, "//"))
        return read_table(archive, member.data_offset, member.size_bytes, &tables->names, err);
    if (slice_is(written, "/") || slice_is(written, "/SYM64/")) {
        tables->index_width = slice_is(written, "/") ? 4 : 8;
        return read_table(archive, member.data_offset, member.size_bytes, &tables->index, err);
    }
    return add_member(archive, member, written, tables->names, err);
}

static int read_members(struct archive *archive, struct tables *tables, struct error *err)
{
    uint64_t at = SARMAG;

    while (at < archive->size_bytes) {
        struct ar_hdr raw;
        struct header header = {0};
        struct archive_member member = {.offset = at, .data_offset = at + sizeof(raw)};

        if (read_header(archive, at, &raw, &header, err) < 0)
            return -1;
        member.size_bytes = header.size_bytes;
        at = member.data_offset + member.size_bytes;
        /* Members begin at even places; the last byte of an odd one may be missing at the end. */
        at += at & 1;
        if (take_member(archive, member, header.name, tables, err) < 0)
            return -1;
    }
    return 0;
}

/* The member whose header stands at `offset`, or UINT32_MAX. */
static uint32_t member_at(const struct archive *archive, uint64_t offset)
{
    size_t low = SEARCH_FROM(archive->members.items, archive->members.count, offset, offset);

    return low < archive->members.count && archive->members.items[low].offset == offset ? (uint32_t)low
                                                                                        : UINT32_MAX;
}

/* System V: a count, that many offsets of members, that many names, all big-endian. */
static void read_index(struct archive *archive, const struct tables *tables)
{
    struct bytes offsets = bytes_of(tables->index, true);
    struct bytes names = offsets;
    uint64_t count = bytes_unsigned(&offsets, tables->index_width);

    if (offsets.failed || count > tables->index.length / tables->index_width) {
        archive->damaged_count++;
        return;
    }
    bytes_seek(&names, (count + 1) * tables->index_width);
    for (uint64_t i = 0; i < count; i++) {
        uint32_t member = member_at(archive, bytes_unsigned(&offsets, tables->index_width));
        struct slice name = bytes_string(&names);

        if (names.failed || member == UINT32_MAX)
            archive->damaged_count++;
        else
            *vec_add(&archive->symbols) = (struct archive_symbol){name, member};
        if (names.failed)
            return;
    }
}

static bool is_archive(struct slice start)
{
    return slice_starts_with(start, SLICE(ARMAG));
}

bool archive_is_at(const char *path)
{
    SCOPED(file_close_descriptor) int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    char magic[SARMAG];
    struct stat status;

    return descriptor >= 0 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
           pread(descriptor, magic, sizeof(magic), 0) == sizeof(magic) &&
           is_archive((struct slice){magic, sizeof(magic)});
}

static int read_all(struct archive *archive, struct error *err)
{
    char magic[SARMAG] = {0};
    uint64_t length = archive->size_bytes < SARMAG ? archive->size_bytes : SARMAG;
    struct tables tables = {.index_width = 4};

    if (read_at(archive, 0, magic, length, err) < 0)
        return -1;
    if (!is_archive((struct slice){magic, length}))
        return error_set(err, ERROR_FORMAT, "%s: not an archive", archive->name);
    if (read_members(archive, &tables, err) < 0)
        return -1;
    if (tables.index.length > 0)
        read_index(archive, &tables);
    return 0;
}

static int finish_open(struct archive *archive, struct archive *out, struct error *err)
{
    if (read_all(archive, err) < 0) {
        archive_close(archive);
        return -1;
    }
    *out = *archive;
    return 0;
}

int archive_open(const char *path, struct archive *out, struct error *err)
{
    struct archive archive = {.descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    struct stat status;

    if (archive.descriptor < 0 || fstat(archive.descriptor, &status) < 0) {
        error_record(err, ERROR_IO, "open %s: %s", path, strerror(errno));
        archive_close(&archive);
        return -1;
    }
    if (!S_ISREG(status.st_mode)) {
        archive_close(&archive);
        return error_set(err, ERROR_IO, "%s: not a regular file", path);
    }
    archive.name = arena_copy(&archive.arena, slice_of(path));
    archive.size_bytes = (uint64_t)status.st_size;
    return finish_open(&archive, out, err);
}

int archive_open_bytes(struct slice bytes, const char *name, struct archive *out, struct error *err)
{
    struct archive archive = {.descriptor = -1, .bytes = bytes, .size_bytes = bytes.length};

    archive.name = arena_copy(&archive.arena, slice_of(name));
    return finish_open(&archive, out, err);
}

void archive_close(struct archive *archive)
{
    file_close_descriptor(&archive->descriptor);
    vec_done(&archive->members);
    vec_done(&archive->symbols);
    arena_done(&archive->arena);
    *archive = (struct archive){.descriptor = -1};
}

int archive_read_member(const struct archive *archive, const struct archive_member *member,
                        struct arena *arena, struct slice *out, struct error *err)
{
    char *data = arena_array(arena, member->size_bytes + 1, 1);

    if (read_at(archive, member->data_offset, data, member->size_bytes, err) < 0)
        return -1;
    *out = (struct slice){data, member->size_bytes};
    return 0;
}

int archive_read_part(const struct archive *archive, const struct archive_member *member, uint64_t offset,
                      char *into, size_t length, struct error *err)
{
    return read_at(archive, member->data_offset + offset, into, length, err);
}

#include "sampler/perf_data/header.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/file.h"
#include "base/memory.h"

/* struct perf_file_section */
struct section {
    uint64_t offset;
    uint64_t size_bytes;
};

/* struct perf_file_header of tools/perf/util/header.h. */
struct file_header {
    char magic[8];
    uint64_t size_bytes; /* of this; less of a stream */
    uint64_t attributes_bytes;
    struct section attributes;
    struct section data;
    struct section event_types;
    uint64_t features[PERF_DATA_FEATURE_COUNT / 64];
};

enum { STREAM_HEADER_BYTES = 16 };

#define MAGIC "PERFILE2"
#define MAGIC_SWAPPED "2ELIFREP"
#define MAGIC_OLD "PERFFILE"

bool perf_data_begins(struct slice start)
{
    return slice_starts_with(start, SLICE(MAGIC)) || slice_starts_with(start, SLICE(MAGIC_SWAPPED)) ||
           slice_starts_with(start, SLICE(MAGIC_OLD));
}

static int damaged(const struct perf_data_file *file, struct error *err)
{
    error_hint(err, "copy it again from where it was written, or record again");
    return error_set(err, ERROR_FORMAT, "%s is damaged: what its header tells does not lie in the file",
                     file->name);
}

static bool lies_within(const struct perf_data_file *file, struct section section)
{
    return section.offset <= file->size_bytes && section.size_bytes <= file->size_bytes - section.offset;
}

/* `content` is to be freed. */
static int read_section(const struct perf_data_file *file, struct section section, char **content,
                        struct error *err)
{
    static const uint64_t most_bytes = 256 << 20;

    if (!lies_within(file, section) || section.size_bytes > most_bytes)
        return damaged(file, err);
    *content = memory_new(section.size_bytes + 1, 1);
    return file_read_at(file->descriptor, file->name, section.offset, *content, section.size_bytes, err);
}

/* Each entry has the attributes and where the event's numbers stand. */
static int read_attributes(const struct perf_data_file *file, const struct file_header *header,
                           struct perf_data_about *about, struct error *err)
{
    SCOPED(memory_free_at) char *content = NULL;
    uint64_t entry_bytes = header->attributes_bytes;
    uint64_t left_bytes = file->size_bytes; /* that may be of numbers: no two events have the same */
    uint64_t count = 0;

    if (entry_bytes < PERF_ATTR_SIZE_VER0 + sizeof(struct section))
        return damaged(file, err);
    if (read_section(file, header->attributes, &content, err) < 0)
        return -1;
    count = header->attributes.size_bytes / entry_bytes;
    for (uint64_t i = 0; i < count; i++) {
        const char *entry = content + i * entry_bytes;
        size_t attributes_bytes = entry_bytes - sizeof(struct section);
        SCOPED(memory_free_at) char *ids = NULL;
        struct section where;

        memcpy(&where, entry + attributes_bytes, sizeof(where));
        if (where.size_bytes > left_bytes)
            return damaged(file, err);
        left_bytes -= where.size_bytes;
        if (read_section(file, where, &ids, err) < 0)
            return -1;
        (void)about_add_event(about, (struct slice){entry, attributes_bytes},
                              (struct slice){ids, where.size_bytes});
    }
    return count > 0 ? 0 : damaged(file, err);
}

static bool has_feature(const struct file_header *header, unsigned feature)
{
    return header->features[feature / 64] >> feature % 64 & 1;
}

/* Behind the records there is a section for each feature, by rising number. */
static int read_features(const struct perf_data_file *file, const struct file_header *header,
                         struct perf_data_about *about, bool *is_cut, struct error *err)
{
    uint64_t at = header->data.offset + header->data.size_bytes;

    for (unsigned i = 0; i < PERF_DATA_FEATURE_COUNT; i++) {
        SCOPED(memory_free_at) char *content = NULL;
        struct section where;

        if (!has_feature(header, i))
            continue;
        if (!lies_within(file, (struct section){at, sizeof(where)})) {
            *is_cut = true;
            return 0;
        }
        if (file_read_at(file->descriptor, file->name, at, (char *)&where, sizeof(where), err) < 0)
            return -1;
        at += sizeof(where);
        *is_cut = *is_cut || !lies_within(file, where);
        if (!about_wants_feature(i) || !lies_within(file, where))
            continue;
        if (read_section(file, where, &content, err) < 0)
            return -1;
        about_add_feature(about, i, (struct slice){content, where.size_bytes});
    }
    return 0;
}

static int check_magic(const struct perf_data_file *file, const struct file_header *header, struct error *err)
{
    struct slice magic = {header->magic, sizeof(header->magic)};

    if (slice_is(magic, MAGIC))
        return 0;
    if (slice_is(magic, MAGIC_SWAPPED))
        return error_set(err, ERROR_FORMAT,
                         "%s is of a machine with another order of bytes: read it on such a one", file->name);
    return error_set(err, ERROR_FORMAT, "%s is of a perf from before Linux 3.9, whose files are not read",
                     file->name);
}

/* The whole of a file's header; of a stream its first bytes alone are set. */
static int read_start(const struct perf_data_file *file, struct file_header *out, struct error *err)
{
    if (file->size_bytes < STREAM_HEADER_BYTES)
        return damaged(file, err);
    if (file_read_at(file->descriptor, file->name, 0, (char *)out, STREAM_HEADER_BYTES, err) < 0 ||
        check_magic(file, out, err) < 0)
        return -1;
    if (out->size_bytes == STREAM_HEADER_BYTES)
        return 0;
    if (out->size_bytes < sizeof(*out) || file->size_bytes < sizeof(*out))
        return damaged(file, err);
    return file_read_at(file->descriptor, file->name, 0, (char *)out, sizeof(*out), err);
}

int perf_data_read_header(const struct perf_data_file *file, struct perf_data_about *about,
                          struct perf_data_range *out, struct error *err)
{
    struct file_header header = {0};

    if (read_start(file, &header, err) < 0)
        return -1;
    if (header.size_bytes == STREAM_HEADER_BYTES) {
        *out = (struct perf_data_range){STREAM_HEADER_BYTES, file->size_bytes, false};
        return 0;
    }
    if (header.data.offset > file->size_bytes || read_attributes(file, &header, about, err) < 0)
        return header.data.offset > file->size_bytes ? damaged(file, err) : -1;
    /* Until it ends perf leaves the length 0, and writes no features. Of a file that was cut they are gone.
     */
    if (header.data.size_bytes == 0 || !lies_within(file, header.data)) {
        *out = (struct perf_data_range){header.data.offset, file->size_bytes, true};
        return 0;
    }
    *out = (struct perf_data_range){header.data.offset, header.data.offset + header.data.size_bytes, false};
    return read_features(file, &header, about, &out->is_unfinished, err);
}

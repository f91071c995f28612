#include "sampler/perf_data/records.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/unnamed_file.h"
#include "base/zstd_stream.h"
#include "sampler/perf/call_chain.h"
#include "sampler/perf_data/record.h"

enum {
    LENGTH_BITS = 16,
    OFFSET_BITS = 47,
    RECORD_ROOM = 1 << LENGTH_BITS,
    BLOCK_BYTES = 1 << 20,
};

#define OF_UNPACKED (UINT64_C(1) << (LENGTH_BITS + OFFSET_BITS))

/* One look over all records. */
struct pass {
    struct perf_data_records *records;
    struct perf_data_about *about;
    struct zstd_stream *packed; /* owned; NULL until something is */
    struct text content;        /* of what is being unpacked */
    uint64_t unpacked_bytes;
    bool is_of_unpacked;
};

static void pass_done(struct pass *pass)
{
    zstd_stream_close(pass->packed);
    text_done(&pass->content);
}

/* --- What perf has put there ---------------------------------------------------------------------- */

/* PERF_RECORD_HEADER_ATTR: attributes as long as they say, then the event's numbers. */
static bool add_event(struct pass *pass, struct slice record)
{
    enum { LENGTH_AT = 4 };
    struct slice body = record_body(record).all;
    struct bytes bytes = record_body(record);
    uint32_t length = 0;

    bytes_seek(&bytes, LENGTH_AT);
    length = bytes_u32(&bytes);
    if (length == 0)
        length = PERF_ATTR_SIZE_VER0;
    return length <= body.length &&
           about_add_event(pass->about, slice_range(body, 0, length), slice_range(body, length, body.length));
}

/* PERF_RECORD_HEADER_FEATURE: which, then what it holds. */
static void add_feature(struct pass *pass, struct slice record)
{
    struct bytes bytes = record_body(record);
    uint64_t feature = bytes_u64(&bytes);

    about_add_feature(pass->about, feature, bytes_take(&bytes, bytes_left(&bytes)));
}

static int open_unpacked(struct pass *pass, struct error *err)
{
    return zstd_stream_open(&pass->packed, err) < 0 ||
                   unnamed_file_open_temporary(&pass->records->unpacked, err) < 0
               ? -1
               : 0;
}

/* PERF_RECORD_COMPRESSED and COMPRESSED2, which has its length in front: a part of a stream of records. */
static int unpack(struct pass *pass, struct slice record, struct error *err)
{
    enum { MOST_BYTES = 64 << 20 };
    struct slice part = record_body(record).all;
    struct bytes bytes = record_body(record);
    int cause = 0;

    if (record_header(record).type == PERF_DATA_RECORD_COMPRESSED2) {
        uint64_t length = bytes_u64(&bytes);

        part = bytes_take(&bytes, length);
    }
    if (!pass->packed && open_unpacked(pass, err) < 0)
        return -1;
    text_clear(&pass->content);
    if (zstd_stream_add(pass->packed, part, MOST_BYTES, &pass->content, err) < 0)
        return error_wrap(err, "%s", pass->records->file->name);
    pass->unpacked_bytes += pass->content.length;
    cause = file_write(pass->records->unpacked, text_slice(&pass->content));
    return cause ? error_set(err, ERROR_IO, "unpack %s: %s", pass->records->file->name, strerror(cause)) : 0;
}

/* How much follows some records without being one. */
static uint64_t bytes_behind(struct slice record)
{
    struct bytes bytes = record_body(record);

    switch (record_header(record).type) {
    case PERF_DATA_RECORD_TRACING:
        return bytes_u32(&bytes);
    case PERF_DATA_RECORD_AUXTRACE:
        return bytes_u64(&bytes);
    default:
        return 0;
    }
}

static int take_perfs(struct pass *pass, struct slice record, struct error *err)
{
    switch (record_header(record).type) {
    case PERF_DATA_RECORD_ATTRIBUTES:
        if (!add_event(pass, record))
            pass->records->damaged_count++;
        return 0;
    case PERF_DATA_RECORD_UPDATE:
        about_add_update(pass->about, record);
        return 0;
    case PERF_DATA_RECORD_FEATURE:
        add_feature(pass, record);
        return 0;
    case PERF_DATA_RECORD_BUILD_ID:
        about_add_build_id(pass->about, record);
        return 0;
    case PERF_DATA_RECORD_COMPRESSED:
    case PERF_DATA_RECORD_COMPRESSED2:
        return pass->is_of_unpacked ? 0 : unpack(pass, record, err);
    default:
        return 0;
    }
}

/* --- What the kernel has told --------------------------------------------------------------------- */

/* Which event it is of, and when it was made: by the form of that event. */
static bool stamp_of(const struct perf_data_about *about, struct slice record, struct decode_stamp *out,
                     uint32_t *event)
{
    uint64_t id = 0;

    if (about->events.count == 0 || !decode_event_id(record, &about->events.items[0].form, &id))
        return false;
    *event = about_event_of(about, id);
    return decode_stamp(record, &about->events.items[*event].form, out);
}

/* Files that are mapped without a build id have what perf tells of their paths when it ends. */
static void note_mapping(struct perf_data_about *about, struct slice record, uint32_t event)
{
    struct sampler_event mapped = {0};

    if (decode_record(record, &about->events.items[event].form, &mapped) && mapped.kind == SAMPLER_MAPPING)
        about_note_mapping(about, &mapped.mapping);
}

static void count_sample(struct perf_data_about *about, struct slice record, const struct decode_stamp *stamp,
                         uint32_t index)
{
    struct perf_data_event *event = &about->events.items[index];
    struct perf_event_header header = record_header(record);

    event->sample_count++;
    event->idle_count += about_is_idle(&header, event, stamp->pid, stamp->tid);
    if (event->form.sample_type & PERF_SAMPLE_TID && stamp->pid == 0 &&
        (header.misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER)
        about->has_outside = true;
}

/* Calls are told once for each event that tells of other things, too: the same ones. */
static void note_calls(struct perf_data_records *records, struct slice record, uint32_t thread,
                       uint64_t where)
{
    struct bytes bytes = record_body(record);
    uint32_t id = pair_index_add(&records->calls, thread, bytes_u64(&bytes));

    if (id == records->calls_places.count)
        *vec_add(&records->calls_places) = where;
}

static void take_kernels(struct pass *pass, struct slice record, uint64_t offset)
{
    uint64_t where = (pass->is_of_unpacked ? OF_UNPACKED : 0) | offset << LENGTH_BITS | record.length;
    struct perf_data_records *records = pass->records;
    struct perf_event_header header = record_header(record);
    struct decode_stamp stamp = {0};
    uint32_t event = 0;

    if (!stamp_of(pass->about, record, &stamp, &event) || offset >> OFFSET_BITS) {
        records->damaged_count++;
        return;
    }
    if (header.type == PERF_RECORD_SAMPLE)
        count_sample(pass->about, record, &stamp, event);
    if (header.type == PERF_RECORD_MMAP2)
        note_mapping(pass->about, record, event);
    records->has_lost = records->has_lost || about_is_of_lost(&header);
    if (stamp.time_ns > 0 && (records->first_ns == 0 || stamp.time_ns < records->first_ns))
        records->first_ns = stamp.time_ns;
    if (stamp.time_ns > records->last_ns)
        records->last_ns = stamp.time_ns;
    if (header.type == CALL_CHAIN_RECORD)
        note_calls(records, record, stamp.tid, where);
    else
        *vec_add(&records->places) = (struct perf_data_place){stamp.time_ns, where};
}

/* --- Both ----------------------------------------------------------------------------------------- */

/* A stretch of a file, a block of which is in memory. */
struct stretch {
    int descriptor;
    const char *name;
    uint64_t at; /* of the first byte in the block, */
    uint64_t end;
    char *block;
    size_t length; /* which has so many */
};

/* The bytes at `at`: as many as are asked for, fewer only at the end. */
static int stretch_read(struct stretch *stretch, uint64_t at, size_t wanted, struct slice *out,
                        struct error *err)
{
    bool has_all = at >= stretch->at && at - stretch->at <= stretch->length &&
                   stretch->length - (at - stretch->at) >= wanted;

    if (!has_all) {
        uint64_t left = stretch->end - at;
        size_t length = left < BLOCK_BYTES ? (size_t)left : BLOCK_BYTES;

        if (file_read_at(stretch->descriptor, stretch->name, at, stretch->block, length, err) < 0)
            return -1;
        stretch->at = at;
        stretch->length = length;
    }
    *out = slice_range((struct slice){stretch->block, stretch->length}, (size_t)(at - stretch->at),
                       (size_t)(at - stretch->at) + wanted);
    return 0;
}

/* The record at `at`; an empty one where none can be: the rest is then of no use. */
static int read_record(struct pass *pass, struct stretch *stretch, uint64_t at, struct slice *out,
                       struct error *err)
{
    struct perf_event_header header;

    if (stretch_read(stretch, at, sizeof(header), out, err) < 0)
        return -1;
    if (out->length == sizeof(header)) {
        header = record_header(*out);
        if (header.size < sizeof(header)) {
            pass->records->damaged_count++;
            *out = (struct slice){0};
            return 0;
        }
        if (stretch_read(stretch, at, header.size, out, err) < 0)
            return -1;
        if (out->length == header.size)
            return 0;
    }
    pass->records->is_cut = true;
    *out = (struct slice){0};
    return 0;
}

static int go_over(struct pass *pass, int descriptor, struct perf_data_range range, struct error *err)
{
    SCOPED(memory_free_at) char *block = memory_new(BLOCK_BYTES, 1);
    struct stretch stretch = {descriptor, pass->records->file->name, range.start, range.end, block, 0};
    uint64_t at = range.start;

    while (at < range.end) {
        struct slice record = {0};
        uint64_t behind = 0;

        if (read_record(pass, &stretch, at, &record, err) < 0)
            return -1;
        if (record.length == 0)
            return 0;
        behind = bytes_behind(record);
        if (record_header(record).type < PERF_DATA_RECORD_FIRST)
            take_kernels(pass, record, at);
        else if (take_perfs(pass, record, err) < 0)
            return -1;
        at += record.length;
        if (behind > range.end - at)
            return 0;
        at += behind;
    }
    return 0;
}

static int compare_places(const void *left, const void *right)
{
    const struct perf_data_place *a = left;
    const struct perf_data_place *b = right;

    if (a->time_ns != b->time_ns)
        return a->time_ns < b->time_ns ? -1 : 1;
    return a->where < b->where ? -1 : a->where > b->where;
}

int records_find(const struct perf_data_file *file, struct perf_data_range range,
                 struct perf_data_about *about, struct perf_data_records *out, struct error *err)
{
    SCOPED(pass_done) struct pass pass = {.records = out, .about = about};

    *out = (struct perf_data_records){.file = file, .unpacked = -1, .room = memory_new(RECORD_ROOM, 1)};
    if (go_over(&pass, file->descriptor, range, err) < 0)
        return -1;
    pass.is_of_unpacked = true;
    if (pass.packed &&
        go_over(&pass, out->unpacked, (struct perf_data_range){0, pass.unpacked_bytes, false}, err) < 0)
        return -1;
    vec_sort(&out->places, compare_places);
    return 0;
}

/* What is there, in `room`. */
static bool read_place(struct perf_data_records *records, uint64_t where, char *room, struct slice *record)
{
    struct error unread = {0};
    size_t length = where & (RECORD_ROOM - 1);
    uint64_t offset = (where & ~OF_UNPACKED) >> LENGTH_BITS;

    if (file_read_at(where & OF_UNPACKED ? records->unpacked : records->file->descriptor, records->file->name,
                     offset, room, length, &unread) < 0) {
        records->is_cut = true;
        return false;
    }
    *record = (struct slice){room, length};
    return true;
}

bool records_next(struct perf_data_records *records, struct slice *record, uint64_t *time_ns)
{
    struct perf_data_place place;

    if (records->next == records->places.count)
        return false;
    place = records->places.items[records->next++];
    *time_ns = place.time_ns;
    return read_place(records, place.where, records->room, record);
}

bool records_calls(struct perf_data_records *records, uint32_t thread, uint64_t number, struct slice *record)
{
    uint32_t id = pair_index_find(&records->calls, thread, number);

    if (id == UINT32_MAX)
        return false;
    if (!records->calls_room)
        records->calls_room = memory_new(RECORD_ROOM, 1);
    return read_place(records, records->calls_places.items[id], records->calls_room, record);
}

void records_done(struct perf_data_records *records)
{
    vec_done(&records->places);
    pair_index_done(&records->calls);
    vec_done(&records->calls_places);
    file_close_descriptor(&records->unpacked);
    free(records->room);
    free(records->calls_room);
}

#include "sampler/perf_data/about.h"

#include <string.h>

#include "base/text.h"
#include "sampler/perf_data/record.h"

enum { HALF_BITS = 32 };

void about_done(struct perf_data_about *about)
{
    vec_done(&about->events);
    vec_done(&about->event_of_id);
    vec_done(&about->build_ids);
    intern_done(&about->paths);
    intern_done(&about->mapped_paths);
    vec_done(&about->mapped);
    pair_index_done(&about->ids);
    arena_done(&about->arena);
}

/* --- Events --------------------------------------------------------------------------------------- */

static void add_id(struct perf_data_about *about, uint64_t id, uint32_t event)
{
    uint32_t index = pair_index_add(&about->ids, id >> HALF_BITS, id & UINT32_MAX);

    if (index == about->event_of_id.count)
        *vec_add(&about->event_of_id) = event;
}

/* The number at hand that an event of the file may have, known or not. */
static uint32_t find_event(const struct perf_data_about *about, uint64_t id)
{
    uint32_t index = pair_index_find(&about->ids, id >> HALF_BITS, id & UINT32_MAX);

    return index == UINT32_MAX ? UINT32_MAX : about->event_of_id.items[index];
}

uint32_t about_event_of(const struct perf_data_about *about, uint64_t id)
{
    uint32_t event = about->events.count > 1 ? find_event(about, id) : 0;

    return event == UINT32_MAX ? 0 : event;
}

bool about_add_event(struct perf_data_about *about, struct slice attributes, struct slice ids)
{
    struct perf_data_event event = {0};
    struct bytes numbers = bytes_of_ours(ids);

    if (attributes.length < PERF_ATTR_SIZE_VER0)
        return false;
    memcpy(&event.attributes, attributes.data,
           attributes.length < sizeof(event.attributes) ? attributes.length : sizeof(event.attributes));
    event.form = decode_form_of(&event.attributes);
    *vec_add(&about->events) = event;
    while (bytes_left(&numbers) >= sizeof(uint64_t))
        add_id(about, bytes_u64(&numbers), (uint32_t)about->events.count - 1);
    return true;
}

bool about_is_idle(const struct perf_event_header *header, const struct perf_data_event *event, uint32_t pid,
                   uint32_t tid)
{
    const struct perf_event_attr *attributes = &event->attributes;
    bool is_clock =
        attributes->type == PERF_TYPE_SOFTWARE &&
        (attributes->config == PERF_COUNT_SW_CPU_CLOCK || attributes->config == PERF_COUNT_SW_TASK_CLOCK);

    return is_clock && attributes->sample_type & PERF_SAMPLE_TID && pid == 0 && tid == 0 &&
           (header->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
}

/* struct perf_record_event_update: of a name alone. */
void about_add_update(struct perf_data_about *about, struct slice record)
{
    enum { UPDATE_OF_NAME = 2 };
    struct bytes bytes = record_body(record);
    uint64_t kind = bytes_u64(&bytes);
    uint32_t event = find_event(about, bytes_u64(&bytes));
    struct slice name = bytes_string(&bytes);

    if (kind == UPDATE_OF_NAME && event != UINT32_MAX && !bytes.failed)
        about->events.items[event].name = arena_slice(&about->arena, name);
}

/* --- Features ------------------------------------------------------------------------------------- */

/* struct perf_header_string: its length with what fills it up, then the text, which ends in a NUL. */
static struct slice read_string(struct bytes *bytes)
{
    uint32_t length = bytes_u32(bytes);
    struct slice text = bytes_take(bytes, length);

    return slice_range(text, 0, slice_find_byte(text, '\0'));
}

/* HEADER_EVENT_DESC: of each event its attributes, name and numbers. */
static void read_events(struct perf_data_about *about, struct slice section)
{
    struct bytes bytes = bytes_of_ours(section);
    uint32_t count = bytes_u32(&bytes);
    uint32_t attributes_bytes = bytes_u32(&bytes);

    for (uint32_t i = 0; i < count && i < about->events.count && !bytes.failed; i++) {
        uint32_t id_count = 0;
        struct slice name = {0};

        bytes_skip(&bytes, attributes_bytes);
        id_count = bytes_u32(&bytes);
        name = read_string(&bytes);
        bytes_skip(&bytes, (uint64_t)id_count * sizeof(uint64_t));
        if (!bytes.failed && about->events.items[i].name.length == 0)
            about->events.items[i].name = arena_slice(&about->arena, name);
    }
}

/* HEADER_CMDLINE. What was run is behind "--", if anywhere; else all is told. */
static void read_command(struct perf_data_about *about, struct slice section)
{
    struct bytes bytes = bytes_of_ours(section);
    SCOPED(text_done) struct text command = {0};
    uint32_t count = bytes_u32(&bytes);

    for (uint32_t i = 0; i < count; i++) {
        struct slice word = read_string(&bytes);

        if (bytes.failed)
            return;
        if (slice_is(word, "--") && i + 1 < count) {
            text_clear(&command);
            continue;
        }
        if (command.length > 0)
            text_add_byte(&command, ' ');
        text_add(&command, word);
    }
    about->command = arena_slice(&about->arena, text_slice(&command));
}

/* HEADER_CLOCK_DATA: its version, the clock, and both times. */
static void read_clock(struct perf_data_about *about, struct slice section)
{
    struct bytes bytes = bytes_of_ours(section);
    uint64_t unix_ns = 0;
    uint64_t own_ns = 0;

    bytes_skip(&bytes, 2 * sizeof(uint32_t));
    unix_ns = bytes_u64(&bytes);
    own_ns = bytes_u64(&bytes);
    if (bytes.failed)
        return;
    about->clock_unix_ns = unix_ns;
    about->clock_ns = own_ns;
}

/* Of two that one path has nobody tells which file had which. */
static void add_build_id(struct perf_data_about *about, struct slice path, struct slice build_id)
{
    uint32_t id = intern_add(&about->paths, path);

    if (id == about->build_ids.count)
        *vec_add(&about->build_ids) = arena_slice(&about->arena, build_id);
    else if (!slice_equal(about->build_ids.items[id], build_id))
        about->build_ids.items[id] = (struct slice){0};
}

/* struct perf_record_header_build_id: the process, the build id in so many bytes, the path. */
void about_add_build_id(struct perf_data_about *about, struct slice record)
{
    enum {
        ROOM_BYTES = 24,
        USUAL_BYTES = 20,
        SIZE_AT = 20,
        HAS_SIZE = 1 << 15, /* PERF_RECORD_MISC_BUILD_ID_SIZE */
    };
    struct bytes bytes = record_body(record);
    struct slice room = {0};
    struct slice path = {0};
    size_t length = USUAL_BYTES;

    bytes_u32(&bytes);
    room = bytes_take(&bytes, ROOM_BYTES);
    path = bytes_string(&bytes);
    if (bytes.failed)
        return;
    if (record_header(record).misc & HAS_SIZE)
        length = (uint8_t)room.data[SIZE_AT] < USUAL_BYTES ? (uint8_t)room.data[SIZE_AT] : USUAL_BYTES;
    room = slice_range(room, 0, length);
    if (!slice_is_zero(room))
        add_build_id(about, path, room);
}

static void read_build_ids(struct perf_data_about *about, struct slice section)
{
    while (section.length >= sizeof(struct perf_event_header)) {
        struct perf_event_header header = record_header(section);

        if (header.size < sizeof(header) || header.size > section.length)
            return;
        about_add_build_id(about, slice_range(section, 0, header.size));
        section = slice_range(section, header.size, section.length);
    }
}

static void read_release(struct perf_data_about *about, struct slice section)
{
    struct bytes bytes = bytes_of_ours(section);

    about->release = arena_slice(&about->arena, read_string(&bytes));
}

static void read_machine(struct perf_data_about *about, struct slice section)
{
    struct bytes bytes = bytes_of_ours(section);

    about->machine = arena_slice(&about->arena, read_string(&bytes));
}

static void note_folders(struct perf_data_about *about, struct slice section)
{
    (void)section;
    about->has_folders = true;
}

typedef void (*feature_fn)(struct perf_data_about *about, struct slice section);

static feature_fn reader_of(uint64_t feature)
{
    static const struct {
        enum perf_data_feature feature;
        feature_fn read;
    } readers[] = {
        {PERF_DATA_BUILD_IDS, read_build_ids}, {PERF_DATA_RELEASE, read_release},
        {PERF_DATA_MACHINE, read_machine},     {PERF_DATA_COMMAND, read_command},
        {PERF_DATA_EVENTS, read_events},       {PERF_DATA_FOLDERS, note_folders},
        {PERF_DATA_CLOCK, read_clock},
    };

    for (size_t i = 0; i < ARRAY_COUNT(readers); i++)
        if (readers[i].feature == feature)
            return readers[i].read;
    return NULL;
}

bool about_wants_feature(uint64_t feature)
{
    return reader_of(feature) != NULL;
}

void about_add_feature(struct perf_data_about *about, uint64_t feature, struct slice section)
{
    feature_fn read = reader_of(feature);

    if (read)
        read(about, section);
}

struct slice about_build_id(const struct perf_data_about *about, struct slice path)
{
    uint32_t id = intern_find(&about->paths, path);

    return id == INTERN_NONE ? (struct slice){0} : about->build_ids.items[id];
}

bool about_is_of_lost(const struct perf_event_header *header)
{
    enum { KEPT_OUT = 1 << 15 }; /* PERF_RECORD_MISC_LOST_SAMPLES_BPF */

    return header->type == PERF_RECORD_LOST ||
           (header->type == PERF_RECORD_LOST_SAMPLES && !(header->misc & KEPT_OUT));
}

static bool is_another(const struct perf_data_mapped *file, const struct sample_mapping *mapping)
{
    return file->device != mapping->device || file->inode != mapping->inode ||
           (file->generation > 0 && mapping->generation > 0 && file->generation != mapping->generation);
}

void about_note_mapping(struct perf_data_about *about, const struct sample_mapping *mapping)
{
    struct perf_data_mapped *file = NULL;
    uint32_t id = 0;

    if (mapping->inode == 0)
        return;
    id = intern_add(&about->mapped_paths, mapping->path);
    if (id == about->mapped.count)
        *vec_add(&about->mapped) =
            (struct perf_data_mapped){mapping->device, mapping->inode, mapping->generation, false};
    file = &about->mapped.items[id];
    file->is_several = file->is_several || is_another(file, mapping);
    if (file->generation == 0)
        file->generation = mapping->generation;
}

struct slice about_build_id_of_mapped(const struct perf_data_about *about, struct slice path)
{
    uint32_t id = intern_find(&about->mapped_paths, path);

    return id != INTERN_NONE && about->mapped.items[id].is_several ? (struct slice){0}
                                                                   : about_build_id(about, path);
}

#include "sampler/perf/decode.h"

#include <string.h>

#include "base/bytes.h"
#include "sampler/heap_channel.h"
#include "sampler/perf/attributes.h"
#include "sampler/perf/call_chain.h"
#include "sampler/perf/raw_wait.h"

/* Where a register stands among those that the kernel can give, by DWARF number. */
#if defined(__aarch64__)
static uint8_t perf_register(unsigned number)
{
    return (uint8_t)number;
}

const uint64_t decode_register_mask = (UINT64_C(1) << REGISTERS_COUNT) - 1;
#else
/* asm/perf_regs.h: ax bx cx dx si di bp sp ip flags cs ss ds es fs gs r8 ... r15. */
static uint8_t perf_register(unsigned number)
{
    static const uint8_t places[REGISTERS_COUNT] = {0,  3,  2,  1,  4,  5,  6,  7, 16,
                                                    17, 18, 19, 20, 21, 22, 23, 8};

    return places[number];
}

const uint64_t decode_register_mask = 0xff01ff;
#endif

enum {
    AT_SAMPLE_TIME = sizeof(struct perf_event_header) + 16, /* after the address, pid and tid */
    TRAILER_BYTES = 32,                                     /* pid, tid, time, id, cpu: of all but samples */
    MOST_BUILD_ID = 20,
};

struct decode_form decode_form_of(const struct perf_event_attr *attributes)
{
    return (struct decode_form){
        .sample_type = attributes->sample_type,
        .read_format = attributes->read_format,
        .branch_sample_type = attributes->branch_sample_type,
        .registers = attributes->sample_regs_user,
        .fixed_period = attributes->sample_type & PERF_SAMPLE_PERIOD ? 0 : attributes->sample_period,
        .has_trailer = attributes->sample_id_all,
    };
}

static uint64_t number_at(struct slice record, size_t offset)
{
    uint64_t number = 0;

    memcpy(&number, record.data + offset, sizeof(number));
    return number;
}

uint64_t decode_time(struct slice record)
{
    struct perf_event_header header;
    size_t at = 0;

    if (record.length < sizeof(header))
        return 0;
    memcpy(&header, record.data, sizeof(header));
    if (header.type == PERF_RECORD_SAMPLE || heap_channel_has(record))
        at = AT_SAMPLE_TIME;
    else if (record.length >= sizeof(header) + TRAILER_BYTES)
        at = record.length - TRAILER_BYTES + 8;
    return at && at + sizeof(uint64_t) <= record.length ? number_at(record, at) : 0;
}

/* Those of the kernel's mask, by DWARF number. */
static uint64_t known_of(uint64_t mask)
{
    uint64_t known = 0;

    if ((mask & decode_register_mask) == decode_register_mask)
        return (UINT64_C(1) << REGISTERS_COUNT) - 1;
    for (unsigned number = 0; number < REGISTERS_COUNT; number++)
        known |= (mask >> perf_register(number) & 1) << number;
    return known;
}

/* The registers as the kernel puts them: those of the mask, by rising bit. */
static void read_registers(struct bytes *bytes, uint64_t mask, struct sample_raw *sample)
{
    uint64_t values[64] = {0};
    uint64_t abi = bytes_u64(bytes);
    struct registers *registers = &sample->registers;

    if (abi == PERF_SAMPLE_REGS_ABI_NONE)
        return;
    for (unsigned bit = 0; bit < 64; bit++)
        if (mask >> bit & 1)
            values[bit] = bytes_u64(bytes);
    if (abi != PERF_SAMPLE_REGS_ABI_64)
        return;
    for (unsigned number = 0; number < REGISTERS_COUNT; number++)
        registers->values[number] = values[perf_register(number)];
    registers->known = known_of(mask);
    sample->has_registers = (registers->known >> REGISTERS_IP & registers->known >> REGISTERS_SP & 1) != 0;
}

static void read_stack(struct bytes *bytes, struct sample_raw *sample)
{
    uint64_t room_bytes = bytes_u64(bytes);
    struct slice room = bytes_take(bytes, room_bytes);
    uint64_t copied_bytes = 0;

    if (room_bytes == 0)
        return;
    copied_bytes = bytes_u64(bytes);
    if (copied_bytes > room.length)
        bytes->failed = true;
    sample->stack = slice_range(room, 0, copied_bytes);
    sample->stack_is_cut = copied_bytes == room_bytes;
}

/* What counters had, which is of no use here: "struct read_format" of the manual page. */
static void skip_counts(struct bytes *bytes, uint64_t format)
{
    uint64_t per_value = 1 + !!(format & PERF_FORMAT_ID) + !!(format & READ_FORMAT_LOST);
    uint64_t times =
        !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) + !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
    uint64_t count = format & PERF_FORMAT_GROUP ? bytes_u64(bytes) : 1;

    if (count > bytes_left(bytes) / sizeof(uint64_t))
        bytes->failed = true;
    else
        bytes_skip(bytes, (times + count * per_value) * sizeof(uint64_t));
}

/* Branches that were taken: struct perf_branch_entry each. */
static void skip_branches(struct bytes *bytes, uint64_t type)
{
    enum { ENTRY_BYTES = 24 };
    const uint64_t has_counters = UINT64_C(1) << 19; /* PERF_SAMPLE_BRANCH_COUNTERS, since Linux 6.8 */
    uint64_t count = bytes_u64(bytes);

    if (type & PERF_SAMPLE_BRANCH_HW_INDEX)
        bytes_u64(bytes);
    if (count > bytes_left(bytes) / ENTRY_BYTES) {
        bytes->failed = true;
        return;
    }
    bytes_skip(bytes, count * ENTRY_BYTES);
    if (type & has_counters)
        bytes_skip(bytes, count * sizeof(uint64_t));
}

/* Up to what it counts; of what the form has not the value is 0. */
static uint64_t number_if(struct bytes *bytes, bool is_there)
{
    return is_there ? bytes_u64(bytes) : 0;
}

static void read_sample_head(struct bytes *bytes, const struct decode_form *form, struct sampler_event *out)
{
    uint64_t type = form->sample_type;
    uint64_t id = 0;

    out->event_id = number_if(bytes, type & PERF_SAMPLE_IDENTIFIER);
    out->sample.address = number_if(bytes, type & PERF_SAMPLE_IP);
    if (type & PERF_SAMPLE_TID) {
        out->pid = bytes_u32(bytes);
        out->tid = bytes_u32(bytes);
    }
    out->time_ns = number_if(bytes, type & PERF_SAMPLE_TIME);
    number_if(bytes, type & PERF_SAMPLE_ADDR);
    id = number_if(bytes, type & PERF_SAMPLE_ID);
    if (!(type & PERF_SAMPLE_IDENTIFIER))
        out->event_id = id;
    number_if(bytes, type & PERF_SAMPLE_STREAM_ID);
    if (type & PERF_SAMPLE_CPU) {
        out->sample.cpu = bytes_u32(bytes);
        bytes_u32(bytes);
    }
    out->sample.period = number_if(bytes, type & PERF_SAMPLE_PERIOD);
    if (!(type & PERF_SAMPLE_PERIOD))
        out->sample.period = form->fixed_period;
}

/* How many bytes, then these, up to a multiple of 8. */
static struct slice read_raw(struct bytes *bytes)
{
    enum { ALIGN = 8 };
    uint32_t length = bytes_u32(bytes);
    struct slice raw = bytes_take(bytes, length);

    bytes_skip(bytes, (ALIGN - (sizeof(length) + length) % ALIGN) % ALIGN);
    return raw;
}

/* What stands between the head and what we walk. Returns the raw part. */
static struct slice read_calls_and_skip(struct bytes *bytes, const struct decode_form *form,
                                        struct sample_raw *sample)
{
    struct slice raw = {0};

    if (form->sample_type & PERF_SAMPLE_READ)
        skip_counts(bytes, form->read_format);
    if (form->sample_type & PERF_SAMPLE_CALLCHAIN)
        call_chain_read(bytes, sample);
    if (form->sample_type & PERF_SAMPLE_RAW)
        raw = read_raw(bytes);
    if (form->sample_type & PERF_SAMPLE_BRANCH_STACK)
        skip_branches(bytes, form->branch_sample_type);
    return raw;
}

static void read_sample(struct bytes *bytes, uint16_t misc, const struct decode_form *form,
                        struct sampler_event *out)
{
    struct sample_raw *sample = &out->sample;
    struct slice raw = {0};

    *sample = (struct sample_raw){0};
    read_sample_head(bytes, form, out);
    sample->in_kernel = (misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
    raw = read_calls_and_skip(bytes, form, sample);
    if (form->sample_type & PERF_SAMPLE_REGS_USER)
        read_registers(bytes, form->registers, sample);
    if (form->sample_type & PERF_SAMPLE_STACK_USER)
        read_stack(bytes, sample);
    if (form->has_raw_waits && !raw_wait_read(raw, out))
        bytes->failed = true;
}

/* The file of a mapping is told by its build id, if it has one, or by device and inode. */
static void read_file_identity(struct bytes *bytes, uint16_t misc, struct sample_mapping *mapping)
{
    uint8_t build_id_bytes = 0;
    struct slice build_id = {0};

    if (!(misc & PERF_RECORD_MISC_MMAP_BUILD_ID)) {
        mapping->device = (uint64_t)bytes_u32(bytes) << 32; /* the major number */
        mapping->device |= bytes_u32(bytes);
        mapping->inode = bytes_u64(bytes);
        mapping->generation = bytes_u64(bytes);
        return;
    }
    build_id_bytes = bytes_u8(bytes);
    bytes_skip(bytes, 3);
    build_id = bytes_take(bytes, MOST_BUILD_ID);
    mapping->build_id = slice_range(build_id, 0, build_id_bytes);
}

/* PERF_RECORD_MMAP2, and PERF_RECORD_MMAP, which does not tell the file's identity. */
static void read_mapping(struct bytes *bytes, struct perf_event_header header, struct sampler_event *out)
{
    struct sample_mapping *mapping = &out->mapping;

    *mapping = (struct sample_mapping){0};
    out->pid = bytes_u32(bytes);
    out->tid = bytes_u32(bytes);
    mapping->start_avma = bytes_u64(bytes);
    mapping->size_bytes = bytes_u64(bytes);
    mapping->file_offset = bytes_u64(bytes);
    if (header.type == PERF_RECORD_MMAP2) {
        read_file_identity(bytes, header.misc, mapping);
        bytes_skip(bytes, 8); /* protection and flags */
    }
    mapping->path = bytes_string(bytes);
    if (mapping->size_bytes > UINT64_MAX - mapping->start_avma)
        bytes->failed = true;
}

static void read_fork(struct bytes *bytes, struct sampler_event *out)
{
    out->fork = (struct sample_fork){0};
    out->pid = bytes_u32(bytes);
    out->fork.parent_pid = bytes_u32(bytes);
    out->tid = bytes_u32(bytes);
    out->fork.parent_tid = bytes_u32(bytes);
}

static void read_name(struct bytes *bytes, uint16_t misc, struct sampler_event *out)
{
    out->pid = bytes_u32(bytes);
    out->tid = bytes_u32(bytes);
    out->name = (struct sample_name){bytes_string(bytes), (misc & PERF_RECORD_MISC_COMM_EXEC) != 0};
}

/* PERF_RECORD_SWITCH, and of what is watched by processor PERF_RECORD_SWITCH_CPU_WIDE. */
static void read_switch(uint16_t misc, struct sampler_event *out)
{
    out->switched = (struct sample_switch){(misc & PERF_RECORD_MISC_SWITCH_OUT) != 0,
                                           (misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0};
}

/* The kind of a record that stands for no more than its header says. */
static enum sampler_kind read_other(struct bytes *bytes, uint32_t type, struct sampler_event *out)
{
    switch (type) {
    case PERF_RECORD_LOST:
        bytes_u64(bytes); /* the event's id */
        out->lost_count = bytes_u64(bytes);
        return SAMPLER_LOST;
    case PERF_RECORD_LOST_SAMPLES:
        out->lost_count = bytes_u64(bytes);
        return SAMPLER_LOST;
    case PERF_RECORD_THROTTLE:
        return SAMPLER_THROTTLED;
    default:
        return SAMPLER_OTHER;
    }
}

/* The thread is that of the trailer, unless the body tells another. */
static enum sampler_kind read_body(struct bytes *bytes, struct perf_event_header header,
                                   const struct decode_form *form, struct sampler_event *out)
{
    switch (header.type) {
    case PERF_RECORD_SAMPLE:
        read_sample(bytes, header.misc, form, out);
        return SAMPLER_SAMPLE;
    case PERF_RECORD_MMAP:
    case PERF_RECORD_MMAP2:
        if (header.misc & PERF_RECORD_MISC_MMAP_DATA) /* it may not be executed */
            return SAMPLER_OTHER;
        read_mapping(bytes, header, out);
        return SAMPLER_MAPPING;
    case PERF_RECORD_COMM:
        read_name(bytes, header.misc, out);
        return SAMPLER_NAME;
    case PERF_RECORD_FORK:
        read_fork(bytes, out);
        return SAMPLER_FORK;
    case PERF_RECORD_EXIT:
        read_fork(bytes, out);
        return SAMPLER_EXIT;
    case PERF_RECORD_SWITCH:
    case PERF_RECORD_SWITCH_CPU_WIDE:
        read_switch(header.misc, out);
        return SAMPLER_SWITCH;
    case CALL_CHAIN_RECORD:
        call_chain_read_later(bytes, &out->calls);
        return SAMPLER_CALLS;
    default:
        return read_other(bytes, header.type, out);
    }
}

static size_t trailer_bytes(const struct decode_form *form)
{
    const uint64_t told = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |
                          PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;

    return form->has_trailer ? (size_t)__builtin_popcountll(form->sample_type & told) * sizeof(uint64_t) : 0;
}

/* "struct sample_id" of the manual page. */
static struct decode_stamp read_trailer(struct slice trailer, uint64_t type)
{
    struct bytes bytes = bytes_of_ours(trailer);
    struct decode_stamp stamp = {0};

    if (type & PERF_SAMPLE_TID) {
        stamp.pid = bytes_u32(&bytes);
        stamp.tid = bytes_u32(&bytes);
    }
    stamp.time_ns = number_if(&bytes, type & PERF_SAMPLE_TIME);
    stamp.event_id = number_if(&bytes, type & PERF_SAMPLE_ID);
    number_if(&bytes, type & PERF_SAMPLE_STREAM_ID);
    number_if(&bytes, type & PERF_SAMPLE_CPU);
    if (type & PERF_SAMPLE_IDENTIFIER)
        stamp.event_id = bytes_u64(&bytes);
    return stamp;
}

bool decode_stamp(struct slice record, const struct decode_form *form, struct decode_stamp *out)
{
    struct perf_event_header header;
    struct sampler_event sample = {0};
    struct bytes bytes;
    size_t trailer = trailer_bytes(form);

    if (record.length < sizeof(header))
        return false;
    memcpy(&header, record.data, sizeof(header));
    if (header.type == PERF_RECORD_SAMPLE) {
        bytes = bytes_of_ours(slice_range(record, sizeof(header), record.length));
        read_sample_head(&bytes, form, &sample);
        *out = (struct decode_stamp){sample.time_ns, sample.event_id, sample.pid, sample.tid};
        return !bytes.failed;
    }
    if (record.length - sizeof(header) < trailer)
        return false;
    *out = form->has_trailer
               ? read_trailer(slice_range(record, record.length - trailer, record.length), form->sample_type)
               : (struct decode_stamp){0};
    return true;
}

bool decode_event_id(struct slice record, const struct decode_form *form, uint64_t *out)
{
    struct perf_event_header header;
    struct decode_stamp stamp = {0};
    bool is_told = false;

    if (form->sample_type & PERF_SAMPLE_IDENTIFIER && record.length >= sizeof(header) + sizeof(*out)) {
        memcpy(&header, record.data, sizeof(header));
        if (header.type == PERF_RECORD_SAMPLE)
            *out = number_at(record, sizeof(header));
        else
            *out = form->has_trailer ? number_at(record, record.length - sizeof(*out)) : 0;
        return true;
    }
    is_told = decode_stamp(record, form, &stamp);
    *out = stamp.event_id;
    return is_told;
}

bool decode_record(struct slice record, const struct decode_form *form, struct sampler_event *out)
{
    struct perf_event_header header;
    struct decode_stamp stamp = {0};
    size_t trailer = 0;
    struct bytes bytes;

    if (record.length < sizeof(header))
        return false;
    memcpy(&header, record.data, sizeof(header));
    out->pid = 0;
    out->tid = 0;
    if (header.type != PERF_RECORD_SAMPLE) {
        if (!decode_stamp(record, form, &stamp))
            return false;
        trailer = trailer_bytes(form);
        out->time_ns = stamp.time_ns;
        out->event_id = stamp.event_id;
        out->pid = stamp.pid;
        out->tid = stamp.tid;
    }
    bytes = bytes_of_ours(slice_range(record, sizeof(header), record.length - trailer));
    out->kind = read_body(&bytes, header, form, out);
    return !bytes.failed;
}

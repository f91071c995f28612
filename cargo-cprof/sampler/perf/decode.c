#include "sampler/perf/decode.h"

#include <string.h>

#include "base/bytes.h"
#include "sampler/heap_channel.h"

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
    ID_FROM_END = 16,
    MOST_BUILD_ID = 20,
};

static bool is_big_endian(void)
{
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
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

/* The registers as the kernel puts them: those of the mask, by rising bit. */
static void read_registers(struct bytes *bytes, struct sample_raw *sample)
{
    uint64_t values[64] = {0};
    uint64_t abi = bytes_u64(bytes);

    if (abi == PERF_SAMPLE_REGS_ABI_NONE)
        return;
    for (unsigned bit = 0; bit < 64; bit++)
        if (decode_register_mask >> bit & 1)
            values[bit] = bytes_u64(bytes);
    if (abi != PERF_SAMPLE_REGS_ABI_64)
        return;
    sample->has_registers = true;
    for (unsigned number = 0; number < REGISTERS_COUNT; number++)
        sample->registers.values[number] = values[perf_register(number)];
    sample->registers.known = (UINT64_C(1) << REGISTERS_COUNT) - 1;
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

static uint64_t number_of(struct slice numbers, size_t index)
{
    return number_at(numbers, index * sizeof(uint64_t));
}

/* The numbers behind a mark; marks above PERF_CONTEXT_MAX stand before the calls that they are about. */
static struct slice calls_behind(struct slice all, uint64_t mark)
{
    size_t count = all.length / sizeof(uint64_t);
    size_t start = 0;
    size_t end = 0;

    while (start < count && number_of(all, start) != mark)
        start++;
    if (start == count)
        return (struct slice){0};
    start++;
    for (end = start; end < count && number_of(all, end) < (uint64_t)PERF_CONTEXT_MAX;)
        end++;
    return slice_range(all, start * sizeof(uint64_t), end * sizeof(uint64_t));
}

static void read_calls(struct bytes *bytes, struct sample_raw *sample)
{
    uint64_t count = bytes_u64(bytes);
    struct slice all = {0};

    if (count > bytes_left(bytes) / sizeof(uint64_t)) {
        bytes->failed = true;
        return;
    }
    all = bytes_take(bytes, count * sizeof(uint64_t));
    sample->kernel_calls = calls_behind(all, (uint64_t)PERF_CONTEXT_KERNEL);
    sample->user_calls = calls_behind(all, (uint64_t)PERF_CONTEXT_USER);
}

size_t sample_kernel_call_count(const struct sample_raw *sample)
{
    return sample->kernel_calls.length / sizeof(uint64_t);
}

uint64_t sample_kernel_call(const struct sample_raw *sample, size_t index)
{
    return number_of(sample->kernel_calls, index) - (index > 0);
}

size_t sample_user_call_count(const struct sample_raw *sample)
{
    return sample->user_calls.length / sizeof(uint64_t);
}

uint64_t sample_user_call(const struct sample_raw *sample, size_t index)
{
    return number_of(sample->user_calls, index) - (index > 0);
}

static void read_sample(struct bytes *bytes, uint16_t misc, uint64_t fixed_period, struct sampler_event *out)
{
    struct sample_raw *sample = &out->sample;

    *sample = (struct sample_raw){0};
    sample->address = bytes_u64(bytes);
    out->pid = bytes_u32(bytes);
    out->tid = bytes_u32(bytes);
    out->time_ns = bytes_u64(bytes);
    out->event_id = bytes_u64(bytes);
    sample->cpu = bytes_u32(bytes);
    bytes_u32(bytes);
    sample->period = fixed_period ? fixed_period : bytes_u64(bytes);
    sample->in_kernel = (misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
    read_calls(bytes, sample);
    read_registers(bytes, sample);
    read_stack(bytes, sample);
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
        bytes_skip(bytes, 8); /* the inode's generation */
        return;
    }
    build_id_bytes = bytes_u8(bytes);
    bytes_skip(bytes, 3);
    build_id = bytes_take(bytes, MOST_BUILD_ID);
    mapping->build_id = slice_range(build_id, 0, build_id_bytes);
}

/* PERF_RECORD_MMAP2 */
static void read_mapping(struct bytes *bytes, uint16_t misc, struct sampler_event *out)
{
    struct sample_mapping *mapping = &out->mapping;

    *mapping = (struct sample_mapping){0};
    out->pid = bytes_u32(bytes);
    out->tid = bytes_u32(bytes);
    mapping->start_avma = bytes_u64(bytes);
    mapping->size_bytes = bytes_u64(bytes);
    mapping->file_offset = bytes_u64(bytes);
    read_file_identity(bytes, misc, mapping);
    bytes_skip(bytes, 8); /* protection and flags: only what may be executed is reported */
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

/* PERF_RECORD_SWITCH, and of what is watched by processor PERF_RECORD_SWITCH_CPU_WIDE. The thread is that of
 * the trailer. */
static void read_switch(struct slice trailer, uint16_t misc, struct sampler_event *out)
{
    struct bytes bytes = bytes_of(trailer, is_big_endian());

    out->pid = bytes_u32(&bytes);
    out->tid = bytes_u32(&bytes);
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

static enum sampler_kind read_body(struct bytes *bytes, struct perf_event_header header,
                                   uint64_t fixed_period, struct sampler_event *out)
{
    switch (header.type) {
    case PERF_RECORD_SAMPLE:
        read_sample(bytes, header.misc, fixed_period, out);
        return SAMPLER_SAMPLE;
    case PERF_RECORD_MMAP2:
        read_mapping(bytes, header.misc, out);
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
    default:
        return read_other(bytes, header.type, out);
    }
}

bool decode_record(struct slice record, uint64_t fixed_period, struct sampler_event *out)
{
    struct perf_event_header header;
    struct slice body = {0};
    struct bytes bytes;

    if (record.length < sizeof(header))
        return false;
    memcpy(&header, record.data, sizeof(header));
    body = slice_range(record, sizeof(header), record.length);
    if (header.type != PERF_RECORD_SAMPLE) {
        if (body.length < TRAILER_BYTES)
            return false;
        body.length -= TRAILER_BYTES;
        out->event_id = number_at(record, record.length - ID_FROM_END);
    }
    bytes = bytes_of(body, is_big_endian());
    out->pid = 0;
    out->tid = 0;
    out->time_ns = decode_time(record);
    if (header.type == PERF_RECORD_SWITCH || header.type == PERF_RECORD_SWITCH_CPU_WIDE) {
        out->kind = SAMPLER_SWITCH;
        read_switch(slice_range(record, record.length - TRAILER_BYTES, record.length), header.misc, out);
        return true;
    }
    out->kind = read_body(&bytes, header, fixed_period, out);
    return !bytes.failed;
}

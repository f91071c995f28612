#include "symbolize/jit/record.h"

#include "base/bytes.h"

static const uint32_t magic = 0x4A695444; /* "JiTD" by a machine that has the highest byte first */

enum { NEWEST_VERSION = 1, HAS_OWN_CLOCK = 1 };

/* Of records. */
enum { ID_LOAD = 0, ID_MOVE = 1, ID_LINES = 2 };

/*
 * V8 gives a line the address that its code will have behind the header of the ELF file that perf makes of it
 * (kElfHeaderSize in its src/diagnostics/perf-jit.cc), and Dart does as V8. Both have this number in the word
 * that is of no meaning.
 */
static const uint32_t mark_of_v8 = 0xDEADBEEF;

static uint32_t elf_header_bytes(uint32_t machine)
{
    enum { EM_386 = 3, EM_ARM = 40, BYTES_OF_32_BIT = 0x34, BYTES_OF_64_BIT = 0x40 };

    return machine == EM_386 || machine == EM_ARM ? BYTES_OF_32_BIT : BYTES_OF_64_BIT;
}

int jit_header_read(struct slice bytes, struct jit_header *out, struct error *err)
{
    struct bytes from = bytes_of(bytes, true);
    uint32_t version = 0;
    uint32_t machine = 0;

    out->is_big_endian = bytes_u32(&from) == magic;
    from = bytes_of(bytes, out->is_big_endian);
    if (bytes_u32(&from) != magic)
        return error_set(err, ERROR_FORMAT, "no jitdump file");
    version = bytes_u32(&from);
    out->length_bytes = bytes_u32(&from);
    machine = bytes_u32(&from);
    out->is_of_v8 = bytes_u32(&from) == mark_of_v8;
    out->lines_bytes = out->is_of_v8 ? elf_header_bytes(machine) : 0;
    out->pid = bytes_u32(&from);
    bytes_skip(&from, sizeof(uint64_t)); /* when the file was begun */
    out->has_own_clock = (bytes_u64(&from) & HAS_OWN_CLOCK) != 0;
    if (from.failed || out->length_bytes < JIT_HEADER_BYTES)
        return error_set(err, ERROR_FORMAT, "its header is cut");
    if (version > NEWEST_VERSION)
        return error_set(err, ERROR_FORMAT, "version %u, of which nothing is known", version);
    return 0;
}

/* Up to the NUL, which stands before the code; of a name that is too long as much as counts. */
static struct slice take_name(struct bytes *from)
{
    struct slice rest = bytes_take(from, bytes_left(from));
    size_t end = slice_find_byte(rest, '\0');

    if (end == rest.length && rest.length < JIT_NAME_MOST_BYTES)
        return (struct slice){0};
    return slice_range(rest, 0, end < JIT_NAME_MOST_BYTES ? end : JIT_NAME_MOST_BYTES);
}

static void read_code(struct bytes *from, bool is_move, struct jit_record *out)
{
    uint64_t size_bytes = 0;

    out->pid = bytes_u32(from);
    bytes_skip(from, sizeof(uint32_t) + sizeof(uint64_t)); /* thread; where it is meant to be */
    if (is_move)
        bytes_skip(from, sizeof(uint64_t)); /* where it was */
    out->start_avma = bytes_u64(from);
    size_bytes = bytes_u64(from);
    out->code_index = bytes_u64(from);
    if (!is_move)
        out->name = take_name(from);
    if (from->failed || size_bytes == 0 || size_bytes > UINT64_MAX - out->start_avma ||
        (!is_move && out->name.length == 0))
        return;
    out->end_avma = out->start_avma + size_bytes;
    out->kind = is_move ? JIT_MOVE : JIT_LOAD;
}

static void read_lines(struct bytes *from, struct jit_record *out)
{
    out->start_avma = bytes_u64(from);
    bytes_skip(from, sizeof(uint64_t)); /* how many there are */
    out->kind = from->failed ? JIT_OTHER : JIT_LINES;
}

bool jit_record_is_code(const struct jit_record *record)
{
    return record->kind == JIT_LOAD || record->kind == JIT_MOVE;
}

bool jit_record_read(const struct jit_header *header, struct slice bytes, struct jit_record *out)
{
    struct bytes from = bytes_of(bytes, header->is_big_endian);
    uint32_t id = bytes_u32(&from);

    *out = (struct jit_record){.length_bytes = bytes_u32(&from)};
    out->time_ns = bytes_u64(&from);
    if (from.failed || out->length_bytes < JIT_RECORD_BYTES)
        return false;
    from.all = slice_range(bytes, 0, out->length_bytes);
    if (id == ID_LOAD || id == ID_MOVE)
        read_code(&from, id == ID_MOVE, out);
    else if (id == ID_LINES)
        read_lines(&from, out);
    return true;
}

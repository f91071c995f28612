#include "symbolize/jit/lines.h"

#include "base/bytes.h"
#include "base/search.h"
#include "base/text.h"
#include "symbolize/jit/v8_name.h"

enum {
    ENTRY_BYTES = 16,       /* before the name */
    MOST_PADDING = 7,       /* records end where the next number of 8 bytes may begin */
    MOST_NAME_BYTES = 4096, /* PATH_MAX of Linux */
};

void jit_lines_done(struct jit_lines *lines)
{
    vec_done(&lines->items);
}

/* One record on its way. */
struct reading {
    const struct jit_header *header;
    const struct jit_record *code;
    struct bytes from;
    struct slice script; /* the file of all lines, whatever they name; empty: they tell it */
    struct jit_lines *out;
};

/* --- The file ----------------------------------------------------------------------------------------- */

static bool is_file_name(struct slice name)
{
    enum { DELETE = 0x7f };

    if (name.length > MOST_NAME_BYTES || !text_is_utf8(name))
        return false;
    for (size_t i = 0; i < name.length; i++)
        if ((unsigned char)name.data[i] < ' ' || name.data[i] == DELETE)
            return false;
    return true;
}

/* What stands for the name of the line before. */
static bool is_repeated(struct slice name)
{
    return slice_is(name, "\xff");
}

/* The name, up to its NUL. */
static struct slice take_name(struct bytes *from)
{
    struct slice rest = slice_range(from->all, from->at, from->all.length);
    struct slice name = bytes_take(from, slice_find_byte(rest, '\0'));

    bytes_skip(from, 1);
    return name;
}

static bool take_file(struct reading *reading, struct slice *file)
{
    const struct jit_lines *out = reading->out;
    struct slice name = {0};

    if (reading->script.length > 0) {
        bytes_skip(&reading->from, reading->script.length);
        *file = reading->script;
        return bytes_u8(&reading->from) == 0;
    }
    name = take_name(&reading->from);
    if (!is_repeated(name)) {
        *file = name;
        return is_file_name(name);
    }
    if (out->items.count > 0)
        *file = out->items.items[out->items.count - 1].file;
    return out->items.count > 0;
}

/* --- Lines -------------------------------------------------------------------------------------------- */

static bool take_line(struct reading *reading)
{
    const struct jit_record *code = reading->code;
    uint64_t avma = bytes_u64(&reading->from) - reading->header->lines_bytes;
    uint32_t line = bytes_u32(&reading->from);
    uint32_t column = bytes_u32(&reading->from);
    struct slice file = {0};

    if (!take_file(reading, &file) || reading->from.failed || avma < code->start_avma ||
        avma > code->end_avma || line > INT32_MAX)
        return false;
    *vec_add(&reading->out->items) = (struct jit_line){
        .offset = avma - code->start_avma,
        .order = reading->out->items.count,
        .line = line,
        .column = column,
        .file = file,
    };
    return true;
}

static int compare_by_offset(const void *left, const void *right)
{
    const struct jit_line *a = left;
    const struct jit_line *b = right;

    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

static bool take_all(struct reading *reading)
{
    uint64_t count = 0;

    reading->out->items.count = 0;
    bytes_seek(&reading->from, JIT_LINES_BYTES - sizeof(count));
    count = bytes_u64(&reading->from);
    if (count > bytes_left(&reading->from) / (ENTRY_BYTES + 1))
        return false;
    for (uint64_t i = 0; i < count; i++)
        if (!take_line(reading))
            return false;
    return !reading->from.failed && bytes_left(&reading->from) <= MOST_PADDING;
}

/* --- Where V8's names are damaged --------------------------------------------------------------------- */

/* The script that the code's name tells, where all lines have names of just its length; else empty. */
static struct slice script_of(const struct reading *reading)
{
    struct bytes from = reading->from;
    struct slice name = v8_name_of(reading->code->name).script;
    uint64_t count = 0;
    uint64_t length = 0;
    struct slice script = {0};

    bytes_seek(&from, JIT_LINES_BYTES - sizeof(count));
    count = bytes_u64(&from);
    if (count == 0 || bytes_left(&from) / count < ENTRY_BYTES + 1)
        return (struct slice){0};
    length = bytes_left(&from) / count - ENTRY_BYTES - 1;
    /* What is left over pads the record; of few lines it may be as much as one byte more of each. */
    for (; length > 0 && bytes_left(&from) - count * (length + ENTRY_BYTES + 1) <= MOST_PADDING; length--) {
        if (length >= name.length)
            continue;
        script = slice_range(name, name.length - (size_t)length, name.length);
        if (name.data[name.length - length - 1] == ' ' && is_file_name(script))
            return script;
    }
    return (struct slice){0};
}

bool jit_lines_read(const struct jit_header *header, struct slice record, const struct jit_record *code,
                    struct jit_lines *out)
{
    struct reading reading = {
        .header = header, .code = code, .from = bytes_of(record, header->is_big_endian), .out = out};
    bool is_whole = take_all(&reading);

    if (!is_whole && header->is_of_v8) {
        reading.from = bytes_of(record, header->is_big_endian);
        reading.script = script_of(&reading);
        is_whole = reading.script.length > 0 && take_all(&reading);
    }
    if (!is_whole)
        out->items.count = 0;
    vec_sort(&out->items, compare_by_offset);
    return is_whole;
}

const struct jit_line *jit_lines_at(const struct jit_lines *lines, uint64_t offset)
{
    size_t past = SEARCH_AFTER(lines->items.items, lines->items.count, offset, offset);

    return past > 0 ? &lines->items.items[past - 1] : NULL;
}

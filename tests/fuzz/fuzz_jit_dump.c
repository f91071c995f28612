/*
 * What a process tells of code that it made, in records with times: whatever they say, each address is at
 * each time in the code that was put there last, and code that was moved has the name of a record before.
 * Lines that are kept are all in the code, and each counts up to the next; so they do as V8's.
 */
#include <stdint.h>
#include <stdlib.h>

#include "base/text.h"
#include "symbolize/jit/lines.h"
#include "symbolize/jit/timeline.h"
#include "symbolize/jit/v8_positions.h"

enum { COUNT = 32, STEP = 8, MOST_RECORDS = 256 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct told {
    struct jit_header header;
    struct jit_record records[MOST_RECORDS];
    uint64_t at[MOST_RECORDS];
    size_t count;
};

static void read_all(struct slice bytes, struct told *out)
{
    size_t at = out->header.length_bytes;

    while (out->count < MOST_RECORDS && at < bytes.length) {
        struct jit_record *record = &out->records[out->count];

        if (!jit_record_read(&out->header, slice_range(bytes, at, bytes.length), record))
            return;
        if (record->kind == JIT_LOAD &&
            (record->name.length == 0 || record->name.length > JIT_NAME_MOST_BYTES))
            abort();
        if (jit_record_is_code(record) && record->start_avma >= record->end_avma)
            abort();
        out->at[out->count++] = at;
        at += record->length_bytes;
    }
}

/* The name's record, found by looking at all. */
static uint64_t named_by(const struct told *told, size_t record)
{
    if (told->records[record].kind == JIT_LOAD)
        return told->at[record];
    for (size_t i = record; i > 0; i--)
        if (told->records[i - 1].kind == JIT_LOAD &&
            told->records[i - 1].code_index == told->records[record].code_index)
            return told->at[i - 1];
    return 0;
}

static uint64_t expected(const struct told *told, uint64_t avma, uint64_t time_ns)
{
    size_t last = MOST_RECORDS;

    for (size_t i = 0; i < told->count; i++) {
        const struct jit_record *record = &told->records[i];

        if (jit_record_is_code(record) && record->start_avma <= avma && avma < record->end_avma &&
            record->time_ns <= time_ns &&
            (last == MOST_RECORDS || record->time_ns >= told->records[last].time_ns))
            last = i;
    }
    return last == MOST_RECORDS ? 0 : named_by(told, last);
}

static void compare(struct jit_timeline *timeline, const struct told *told, uint64_t time_ns)
{
    (void)jit_timeline_advance(timeline, time_ns);
    for (size_t i = 0; i < COUNT; i++) {
        uint32_t code = jit_timeline_at(timeline, i);
        uint64_t found = code == JIT_CODE_NONE ? 0 : timeline->codes.items[code].record_at;

        if (found != expected(told, timeline->avmas[i], time_ns))
            abort();
    }
}

static void check_lines(const struct jit_lines *lines, uint64_t code_bytes)
{
    const struct jit_line *last = NULL;

    for (size_t i = 0; i < lines->items.count; i++) {
        const struct jit_line *line = &lines->items.items[i];

        if (line->offset > code_bytes || !text_is_utf8(line->file) || (last && line->offset < last->offset))
            abort();
        if (last && line->offset > last->offset && jit_lines_at(lines, line->offset - 1) != last)
            abort();
        last = line;
    }
    if (jit_lines_at(lines, UINT64_MAX) != last)
        abort();
}

/* What was told of one code is put right by what is told of it and of all before. */
static void check_mended(struct v8_positions *positions, const struct jit_record *code,
                         struct jit_lines *lines)
{
    const struct v8_name name = v8_name_of(code->name);

    v8_positions_add(positions, &name, lines);
    v8_positions_mend(positions, &name, lines);
    check_lines(lines, code->end_avma - code->start_avma);
    if (name.compiler == V8_BASELINE && lines->items.count > 0 &&
        (lines->items.count > 1 || lines->items.items[0].line > 0))
        abort();
}

/* Of each record of lines, taken for those of the next code. */
static void read_lines(struct slice bytes, const struct told *told)
{
    SCOPED(jit_lines_done) struct jit_lines lines = {0};
    SCOPED(v8_positions_done) struct v8_positions positions = {0};

    for (size_t i = 0; i + 1 < told->count; i++) {
        const struct jit_record *code = &told->records[i + 1];
        struct slice record = slice_range(bytes, told->at[i], told->at[i] + told->records[i].length_bytes);

        if (told->records[i].kind != JIT_LINES || code->kind != JIT_LOAD)
            continue;
        if (!jit_lines_read(&told->header, record, code, &lines) && lines.items.count > 0)
            abort();
        check_lines(&lines, code->end_avma - code->start_avma);
        check_mended(&positions, code, &lines);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct told told;
    struct slice bytes = {(const char *)data, size};
    struct error err = {0};
    struct jit_timeline timeline;
    uint64_t avmas[COUNT];

    told = (struct told){0};
    if (jit_header_read(bytes, &told.header, &err) < 0)
        return 0;
    read_all(bytes, &told);
    read_lines(bytes, &told);
    for (uint64_t i = 0; i < COUNT; i++)
        avmas[i] = 0x1000 + i * STEP;
    jit_timeline_init(&timeline, avmas, COUNT);
    jit_timeline_begin_file(&timeline);
    for (size_t i = 0; i < told.count; i++)
        if (!jit_timeline_take(&timeline, &told.records[i], 0, told.at[i]))
            abort();
    for (size_t i = 0; i < told.count; i++)
        jit_timeline_take_again(&timeline, &told.records[i], told.at[i]);
    jit_timeline_begin(&timeline);
    for (uint64_t time_ns = 0; time_ns < COUNT; time_ns++)
        compare(&timeline, &told, time_ns);
    compare(&timeline, &told, UINT64_MAX);
    jit_timeline_done(&timeline);
    return 0;
}

#include "symbolize/jit/dump_file.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/memory.h"

static const uint64_t most_bytes = (uint64_t)JIT_DUMP_MOST_GIB << 30;

void jit_dump_close(struct jit_dump_file *dump)
{
    if (!dump->window)
        return;
    file_close_descriptor(&dump->descriptor);
    free(dump->window);
    *dump = (struct jit_dump_file){0};
}

/* As many bytes from there on as a record's start may need; fewer before the end. */
static bool look_at(struct jit_dump_file *dump, uint64_t offset, struct slice *out)
{
    enum { NEEDED_BYTES = JIT_LOAD_BYTES + JIT_NAME_MOST_BYTES };
    uint64_t left = offset < dump->end ? dump->end - offset : 0;
    size_t length = left < NEEDED_BYTES ? (size_t)left : NEEDED_BYTES;

    if (offset < dump->window_at || offset - dump->window_at + length > dump->window_length) {
        size_t read = left < JIT_DUMP_WINDOW_BYTES ? (size_t)left : JIT_DUMP_WINDOW_BYTES;

        dump->window_length = 0;
        if (file_read_at(dump->descriptor, dump->path, offset, dump->window, read, &dump->problem) < 0)
            return false;
        dump->window_at = offset;
        dump->window_length = read;
    }
    *out = (struct slice){dump->window + (offset - dump->window_at), length};
    return true;
}

static int read_header(struct jit_dump_file *dump, struct error *err)
{
    struct slice start = {0};

    if (!look_at(dump, 0, &start)) {
        *err = dump->problem;
        return -1;
    }
    if (jit_header_read(start, &dump->header, err) < 0)
        return error_wrap(err, "%s", dump->path);
    jit_dump_rewind(dump);
    return 0;
}

int jit_dump_open(const struct told_file *file, struct jit_dump_file *out, struct error *err)
{
    struct jit_dump_file dump = {.path = file->path, .descriptor = -1};

    if (told_file_open(file, &dump.descriptor, &dump.end, err) < 0)
        return -1;
    dump.window = memory_new(JIT_DUMP_WINDOW_BYTES, 1);
    if (read_header(&dump, err) < 0) {
        jit_dump_close(&dump);
        return -1;
    }
    *out = dump;
    return 0;
}

void jit_dump_rewind(struct jit_dump_file *dump)
{
    dump->next = dump->header.length_bytes;
    dump->lines_at = 0;
}

bool jit_dump_at(struct jit_dump_file *dump, uint64_t offset, struct jit_record *out)
{
    struct slice start = {0};

    if (!look_at(dump, offset, &start) || !jit_record_read(&dump->header, start, out))
        return false;
    dump->record_at = offset;
    dump->next = offset + out->length_bytes;
    return true;
}

bool jit_dump_whole_at(struct jit_dump_file *dump, uint64_t offset, struct text *out)
{
    struct jit_record record;
    char start[JIT_RECORD_BYTES];
    struct error unread = {0};

    text_clear(out);
    if (offset > dump->end || dump->end - offset < sizeof(start) ||
        file_read_at(dump->descriptor, dump->path, offset, start, sizeof(start), &unread) < 0 ||
        !jit_record_read(&dump->header, (struct slice){start, sizeof(start)}, &record) ||
        record.length_bytes > JIT_RECORD_MOST_BYTES || record.length_bytes > dump->end - offset)
        return false;
    return file_read_at(dump->descriptor, dump->path, offset, text_extend(out, record.length_bytes),
                        record.length_bytes, &unread) == 0;
}

/* Lines are told before the code that they are of, and of no other. */
static void join_lines(struct jit_dump_file *dump, struct jit_record *record)
{
    if (record->kind == JIT_LINES) {
        dump->lines_at = dump->record_at;
        dump->lines_avma = record->start_avma;
    } else if (record->kind == JIT_LOAD) {
        if (dump->lines_avma >= record->start_avma && dump->lines_avma < record->end_avma)
            record->lines_at = dump->lines_at;
        dump->lines_at = 0;
    }
}

bool jit_dump_next(struct jit_dump_file *dump, struct jit_record *out)
{
    if (dump->next >= dump->end)
        return false;
    if (dump->next < most_bytes) {
        if (!jit_dump_at(dump, dump->next, out))
            return false;
        join_lines(dump, out);
        return true;
    }
    (void)error_set(&dump->problem, ERROR_FORMAT, "%s goes on after its first %d GiB, which alone were read",
                    dump->path, JIT_DUMP_MOST_GIB);
    return false;
}

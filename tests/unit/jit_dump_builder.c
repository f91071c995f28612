#include "jit_dump_builder.h"

#include <string.h>

void jit_dump_add_number(struct jit_dump_builder *builder, uint64_t number, unsigned width)
{
    for (unsigned i = 0; i < width; i++) {
        unsigned byte = builder->is_big_endian ? width - 1 - i : i;

        text_add_byte(&builder->bytes, (char)(number >> (8 * byte)));
    }
}

void jit_dump_builder_init(struct jit_dump_builder *builder, bool is_big_endian, uint64_t flags)
{
    enum { HEADER_BYTES = 40, EM_X86_64 = 62 };

    *builder = (struct jit_dump_builder){.is_big_endian = is_big_endian, .pid = BUILT_PID, .column = 1};
    jit_dump_add_number(builder, 0x4A695444, 4);
    jit_dump_add_number(builder, 1, 4);
    jit_dump_add_number(builder, HEADER_BYTES, 4);
    jit_dump_add_number(builder, EM_X86_64, 4);
    jit_dump_add_number(builder, 0, 4);
    jit_dump_add_number(builder, BUILT_PID, 4);
    jit_dump_add_number(builder, 5, 8);
    jit_dump_add_number(builder, flags, 8);
}

void jit_dump_builder_done(struct jit_dump_builder *builder)
{
    text_done(&builder->bytes);
}

void jit_dump_add_record(struct jit_dump_builder *builder, uint32_t id, uint64_t time_ns, uint32_t length)
{
    enum { PREFIX_BYTES = 16 };

    jit_dump_add_number(builder, id, 4);
    jit_dump_add_number(builder, PREFIX_BYTES + length, 4);
    jit_dump_add_number(builder, time_ns, 8);
}

void jit_dump_add_load(struct jit_dump_builder *builder, uint64_t time_ns, uint64_t avma, uint64_t size_bytes,
                       const char *name)
{
    enum { BEFORE_NAME = 40 };

    jit_dump_add_record(builder, 0, time_ns, (uint32_t)(BEFORE_NAME + strlen(name) + 1 + size_bytes));
    jit_dump_add_number(builder, builder->pid, 4);
    jit_dump_add_number(builder, builder->pid, 4);
    jit_dump_add_number(builder, avma, 8);
    jit_dump_add_number(builder, avma, 8);
    jit_dump_add_number(builder, size_bytes, 8);
    jit_dump_add_number(builder, avma, 8);
    text_add(&builder->bytes, (struct slice){name, strlen(name) + 1});
    text_add_repeated(&builder->bytes, (char)0xc3, size_bytes);
}

void jit_dump_add_move(struct jit_dump_builder *builder, uint64_t time_ns, uint64_t index, uint64_t avma,
                       uint64_t size_bytes)
{
    enum { MOVE_BYTES = 48 };

    jit_dump_add_record(builder, 1, time_ns, MOVE_BYTES);
    jit_dump_add_number(builder, builder->pid, 4);
    jit_dump_add_number(builder, builder->pid, 4);
    jit_dump_add_number(builder, avma, 8);
    jit_dump_add_number(builder, index, 8);
    jit_dump_add_number(builder, avma, 8);
    jit_dump_add_number(builder, size_bytes, 8);
    jit_dump_add_number(builder, index, 8);
}

void jit_dump_add_lines(struct jit_dump_builder *builder, uint64_t avma, const struct jit_line_built *lines,
                        size_t count)
{
    enum { BEFORE_LINES = 16, BEFORE_NAME = 16 };
    size_t length = BEFORE_LINES;
    size_t padding = 0;

    for (size_t i = 0; i < count; i++)
        length += BEFORE_NAME + strlen(lines[i].file) + 1;
    padding = -length % 8;
    jit_dump_add_record(builder, 2, 0, (uint32_t)(length + padding));
    jit_dump_add_number(builder, avma, 8);
    jit_dump_add_number(builder, count, 8);
    for (size_t i = 0; i < count; i++) {
        jit_dump_add_number(builder, lines[i].avma, 8);
        jit_dump_add_number(builder, lines[i].line, 4);
        jit_dump_add_number(builder, builder->column, 4);
        text_add(&builder->bytes, (struct slice){lines[i].file, strlen(lines[i].file) + 1});
    }
    text_add_repeated(&builder->bytes, 0, padding);
}

void jit_dump_mark_v8(struct jit_dump_builder *builder)
{
    static const char mark[] = {'\xef', '\xbe', '\xad', '\xde'};
    enum { MARK_AT = 16 };

    memcpy(builder->bytes.data + MARK_AT, mark, sizeof(mark));
}

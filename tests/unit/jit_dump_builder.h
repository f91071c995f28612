/* Makes the bytes of jitdump files, for tests of what reads them. */
#ifndef TESTS_JIT_DUMP_BUILDER_H
#define TESTS_JIT_DUMP_BUILDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

enum { BUILT_PID = 1234 };

struct jit_dump_builder {
    struct text bytes; /* owned */
    bool is_big_endian;
    uint32_t pid;    /* of the records that follow, */
    uint32_t column; /* and of lines in these; 1 at first */
};

/* With a header. To be released with jit_dump_builder_done. */
void jit_dump_builder_init(struct jit_dump_builder *builder, bool is_big_endian, uint64_t flags);
void jit_dump_builder_done(struct jit_dump_builder *builder);

void jit_dump_add_number(struct jit_dump_builder *builder, uint64_t number, unsigned width);

/* A record's start; `length` bytes are to follow. */
void jit_dump_add_record(struct jit_dump_builder *builder, uint32_t id, uint64_t time_ns, uint32_t length);

/* Code with as many bytes as it has. Its index is its address at first. */
void jit_dump_add_load(struct jit_dump_builder *builder, uint64_t time_ns, uint64_t avma, uint64_t size_bytes,
                       const char *name);
void jit_dump_add_move(struct jit_dump_builder *builder, uint64_t time_ns, uint64_t index, uint64_t avma,
                       uint64_t size_bytes);

struct jit_line_built {
    uint64_t avma;
    uint32_t line;
    const char *file;
};

/* Lines of the code that is at that address. */
void jit_dump_add_lines(struct jit_dump_builder *builder, uint64_t avma, const struct jit_line_built *lines,
                        size_t count);

/* It is V8's. */
void jit_dump_mark_v8(struct jit_dump_builder *builder);

#endif

/*
 * Where the source of code is that a process made at run time, by JIT_CODE_DEBUG_INFO records
 * (linux/tools/perf/Documentation/jitdump-specification.txt): lines with the address from which on each
 * counts, and the file.
 */
#ifndef SYMBOLIZE_JIT_LINES_H
#define SYMBOLIZE_JIT_LINES_H

#include "base/vec.h"
#include "symbolize/jit/record.h"

struct jit_line {
    uint64_t offset;   /* in the code, of the first byte that it is of */
    size_t order;      /* among those of one offset: as they were told */
    uint32_t line;     /* from 1; 0: the code is of none */
    uint32_t column;   /* as it was told */
    struct slice file; /* borrowed from the record or from the code's name; UTF-8 */
};

/* Zero-initialised is empty; to be released with jit_lines_done. */
struct jit_lines {
    VEC(struct jit_line) items; /* rising */
};

void jit_lines_done(struct jit_lines *lines);

/*
 * Takes all lines of a record, of which all bytes are there, that stands before that of this code (JIT_LOAD).
 * False where one of them is not as it must be: outside of the code, or of a file whose name is no text. They
 * may be another code's then, or shifted against each other, and none is kept.
 *
 * V8 gives all lines of a function the name of the script that it is in (symbolize/jit/v8_positions.h), and
 * writes freed memory in its place where that name is not one flat string (seen in 11.3). Of the name's
 * length that is; it stands in the code's own name, too, and is taken from there.
 */
bool jit_lines_read(const struct jit_header *header, struct slice record, const struct jit_record *code,
                    struct jit_lines *out);

/* What is told of the byte at that offset; NULL: nothing. O(log count). */
const struct jit_line *jit_lines_at(const struct jit_lines *lines, uint64_t offset);

#endif

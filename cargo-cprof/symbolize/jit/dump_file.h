/*
 * A file of records of code that a process makes (symbolize/jit/record.h), read one record after the other
 * without the code itself, while the process may go on writing it.
 */
#ifndef SYMBOLIZE_JIT_DUMP_FILE_H
#define SYMBOLIZE_JIT_DUMP_FILE_H

#include "base/text.h"
#include "symbolize/jit/record.h"
#include "symbolize/jit/told_file.h"

/* As many bytes are read at a time; so many of the file count, so that one without an end takes seconds. */
enum { JIT_DUMP_WINDOW_BYTES = 16 << 10, JIT_DUMP_MOST_GIB = 2, JIT_RECORD_MOST_BYTES = 16 << 20 };

/* To be released with jit_dump_close; zero-initialised is no file. */
struct jit_dump_file {
    const char *path; /* borrowed; for messages */
    int descriptor;
    struct jit_header header;
    uint64_t end;        /* what was there when it was opened */
    uint64_t next;       /* where the next record is */
    uint64_t record_at;  /* where the last one was */
    uint64_t lines_at;   /* where the last JIT_LINES was that no code has followed yet; 0: there is none, */
    uint64_t lines_avma; /* and the code that it is of */
    uint64_t damaged_lines_count; /* the caller's: records of lines that cannot be read */
    struct error problem;         /* why the walk has ended before the end; of no kind: it has not */
    uint64_t window_at;
    size_t window_length;
    char *window; /* owned; NULL: no file is open */
};

/*
 * Opens the file at its first record; its path is borrowed. Returns 0, or -1 with the failures of
 * told_file_open, or ERROR_FORMAT when it does not begin as such files do. Nothing is to be released then.
 */
MUST_CHECK int jit_dump_open(const struct told_file *file, struct jit_dump_file *out, struct error *err);

void jit_dump_close(struct jit_dump_file *dump);

/* The next record, with its `lines_at`; its name is valid until the next call here. False at the end of what
 * is whole. */
bool jit_dump_next(struct jit_dump_file *dump, struct jit_record *out);

/* From the first record again. */
void jit_dump_rewind(struct jit_dump_file *dump);

/* The record that was found there before; the walk goes on behind it. False when it cannot be read. */
bool jit_dump_at(struct jit_dump_file *dump, uint64_t offset, struct jit_record *out);

/*
 * All bytes of a record that was found there before, of JIT_RECORD_MOST_BYTES at most. False when it is
 * longer, or is not all there. The names of other records stay valid.
 */
bool jit_dump_whole_at(struct jit_dump_file *dump, uint64_t offset, struct text *out);

#endif

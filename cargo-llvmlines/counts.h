/*
 * What was counted in one unit's IR, in a file of our own beside the unit's metadata: each
 * function's symbol and lines. Written while the IR is read, so the memory of writing does not
 * grow with the unit; appears under its name only when it is whole.
 *
 * Format 1: "cargo-llvmlines counts 1\n"; the crate's name; each function as its symbol and
 * its lines; an empty symbol; the number of functions; then 8 bytes, the FNV-1a hash of all before it,
 * the lowest first. A name is its length and its bytes; numbers are LEB128.
 */
#ifndef CARGO_LLVMLINES_COUNTS_H
#define CARGO_LLVMLINES_COUNTS_H

#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "ir_count.h"

/* The ending of such a file's name. It names the format, so that another version's file is not met. */
#define COUNTS_ENDING ".llvmlines-1"

/* A file that is being written. Zero-initialised may be given to counts_writer_done. */
struct counts_writer {
    struct text path;      /* where it is to stand */
    struct text temporary; /* what is written; empty when there is nothing to remove */
    int descriptor;        /* of `temporary` while that is not empty */
    struct text pending;   /* not written yet */
    uint64_t hash;         /* of all that was added */
    uint64_t function_count;
    int cause; /* errno of the first write that failed; 0 for none */
};

/*
 * Begins the file that will stand at `path`. Returns 0, or -1 with ERROR_IO naming the path, when
 * the folder cannot be written to. Either way counts_writer_done ends it.
 */
MUST_CHECK int counts_writer_open(struct counts_writer *writer, const char *path, struct slice crate_name,
                                  struct error *err);

/* Adds a function; an ir_function_fn whose context is the writer. A failure shows in counts_writer_commit. */
void counts_writer_add(void *writer, struct slice symbol, uint64_t lines);

/* Puts the file in place. Returns 0, or -1 with ERROR_IO naming the path (a full disk). */
MUST_CHECK int counts_writer_commit(struct counts_writer *writer, struct error *err);

/* Frees the writer and removes what was not put in place. */
void counts_writer_done(struct counts_writer *writer);

/*
 * Hands each function in the file to `each`, in the order of the IR. Returns 0, or -1 before the first
 * of them: ERROR_MISSING when there is no such file, ERROR_FORMAT when it is damaged, a folder, of
 * another format or not that of `crate_name`, ERROR_IO when it cannot be read.
 */
MUST_CHECK int counts_read(const char *path, struct slice crate_name, ir_function_fn *each, void *context,
                           struct error *err);

/* The same from bytes; `name` is for messages. */
MUST_CHECK int counts_parse(struct slice content, const char *name, struct slice crate_name,
                            ir_function_fn *each, void *context, struct error *err);

#endif

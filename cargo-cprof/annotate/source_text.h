/* Source files, found where debug information says that they are, line by line. */
#ifndef ANNOTATE_SOURCE_TEXT_H
#define ANNOTATE_SOURCE_TEXT_H

#include <stdint.h>

#include "base/text.h"
#include "base/vec.h"

/* Zero-initialised knows nothing yet; to be released with source_finder_done. */
struct source_finder {
    bool was_asked;     /* the compiler, for the two that follow */
    struct text root;   /* where the source of its own libraries is, if that is installed */
    struct text commit; /* of what the compiler was built from; empty: it did not tell */
};

void source_finder_done(struct source_finder *finder);

/* To be released with source_text_done. */
struct source_text {
    struct text content;
    VEC(struct slice) lines;  /* of the content, without their ends; the first is line 1 */
    uint64_t changed_unix_ns; /* when the file was written last; 0: it cannot have changed */
    bool is_rusts;            /* it is of Rust's own libraries: why it is not here is so of all of these */
    struct error problem;     /* why there are no lines; kind ERROR_NONE: there are */
};

/*
 * Reads the file that debug information calls `path`. What rustc calls "/rustc/COMMIT/library/..." is taken
 * from the source that comes with the compiler that `rustc` starts here, when that is of this very commit.
 * Never fails: `problem` says why there is nothing, and its hint how to get it.
 */
void source_text_read(struct source_finder *finder, struct slice path, struct source_text *out);

void source_text_done(struct source_text *source);

/* The line with that number, from 1; empty where the file has fewer. */
struct slice source_text_line(const struct source_text *source, uint32_t line);

#endif

/* What a word on the command line names as one side of a comparison, as far as it tells by itself. */
#ifndef REVISION_SIDE_WORD_H
#define REVISION_SIDE_WORD_H

#include "base/error.h"
#include "revision/range.h"

enum side_word_kind {
    SIDE_WORD_FILE,
    SIDE_WORD_REVISION,
    SIDE_WORD_RANGE,
    SIDE_WORD_NAME, /* what there is of that name is to be found out */
};

struct side_word {
    enum side_word_kind kind;
    const char *text;   /* what was typed, without "file:" or "rev:": part of it */
    struct range range; /* of a SIDE_WORD_RANGE, in the arena */
};

/*
 * "file:PATH", "/PATH", "./PATH" and "../PATH" are files, there or not; "rev:NAME" is a revision or, with
 * dots, a range. Other words with dots are ranges unless there is a file of that name; a folder is none.
 */
void side_word_read(struct arena *arena, const char *typed, struct side_word *out);

/* Whether something may be read there: anything but a folder. */
bool side_word_is_file(const char *path);

/*
 * Refuses a name of a file and of a revision: -1 with ERROR_USAGE, and what to type instead. `before` stands
 * before the word where it was typed: "--diff ", or "".
 */
MUST_CHECK int side_word_refuse_both(const char *before, const char *name, struct error *err);

#endif

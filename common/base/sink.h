/* Where bytes go while they are made: a text, a file. */
#ifndef BASE_SINK_H
#define BASE_SINK_H

#include "base/error.h"
#include "base/slice.h"
#include "base/text.h"

/* Takes all of `bytes`, after those before. Returns 0, or -1 with why it cannot. */
typedef int sink_write(void *context, struct slice bytes, struct error *err);

struct sink {
    sink_write *write;
    void *context;
};

/* Appends to `text`, which is borrowed; never fails. */
struct sink sink_of_text(struct text *text);

#endif

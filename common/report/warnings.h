/*
 * What makes a result tell less than it seems to. It is said on standard error as soon as it is known, and
 * kept for the formats that are read elsewhere, in a pull request or by a program.
 */
#ifndef REPORT_WARNINGS_H
#define REPORT_WARNINGS_H

#include "base/arena.h"
#include "base/vec.h"
#include "cli/options.h"

/* Zero-initialised is none; to be released with warnings_done. */
struct warnings {
    struct arena arena;
    VEC(const char *) items; /* in the order they were added, in the arena */
};

void warnings_done(struct warnings *warnings);

/* Says it as command_warn does, and keeps it. */
void warnings_add(struct warnings *warnings, const struct options *options, const char *format, ...)
    PRINTF_LIKE(3, 4);

#endif

/* One side of a comparison: what it is, what it is called, and the command line that measures it. */
#ifndef COMPARE_SIDE_H
#define COMPARE_SIDE_H

#include "base/arena.h"
#include "cli/options.h"
#include "json/json_in.h"

enum side_kind {
    SIDE_SUBJECT, /* what the command line is about: FILE, or what cargo builds of the working tree */
    SIDE_SAVED,   /* a result in JSON */
    SIDE_FILES,   /* files that the command can measure */
};

/* Zero-initialised is the subject without a name. Strings live in an arena of the caller's. */
struct side {
    enum side_kind kind;
    const char *label;             /* what people call it: "old.json", "the working tree" */
    struct json_document document; /* SIDE_SAVED */
    struct options options;        /* what to measure it with; of SIDE_SUBJECT the command line's own */
};

/*
 * The side that the command line itself is about, in the place of --diff's. `options` must outlive it.
 */
void side_of_subject(struct arena *arena, const struct options *options, struct side *out);

/*
 * The side that the values of --diff name: one saved result, or files. `left_out` names options beside
 * cargo's that a file is not measured with, NULL-terminated. Returns 0, or -1: ERROR_MISSING when there is no
 * such file, ERROR_USAGE when several were named that are not all files to measure, as of json_parse when a
 * saved result is damaged. To be given to side_done.
 */
MUST_CHECK int side_of_base(struct arena *arena, const struct options *options, const char *const *left_out,
                            struct side *out, struct error *err);

void side_done(struct side *side);

#endif

/* The two sides of a comparison: what each is, what it is called, and the command line that measures it. */
#ifndef COMPARE_SIDE_H
#define COMPARE_SIDE_H

#include "revision/revision.h"
#include "json/json_in.h"

enum side_kind {
    SIDE_SUBJECT,  /* what the command line is about: FILE, or what cargo builds of the working tree */
    SIDE_SAVED,    /* a result in JSON, as base or in place of the subject */
    SIDE_FILES,    /* files that the command can measure */
    SIDE_REVISION, /* what cargo builds of a revision */
};

/* Zero-initialised is the subject without a name. Strings live in the sides' arena. */
struct side {
    enum side_kind kind;
    const char *label;             /* what people call it: "old.json", "main (1a2b3c4)", "the working tree" */
    struct json_document document; /* SIDE_SAVED */
    struct options options;        /* what to measure it with; of SIDE_REVISION after side_enter */
    struct revision revision;      /* SIDE_REVISION; of the working tree whose Cargo.lock it is */
};

/* Zero-initialised is none. Not to be moved once read. */
struct sides {
    struct arena arena;
    struct repository repository; /* opened when a revision was asked for */
    struct side head;             /* what the figures are about */
    struct side base;             /* what they are compared with */
    bool has_base;
    const char *file_option; /* as of the request: what cargo builds is not told of it */
};

/* What a side may be told of the command line. */
struct sides_request {
    const struct options *options; /* with --diff and --rev; must outlive the sides */
    const char *const
        *not_for_files;      /* options beside cargo's that a file is not measured with; ends in NULL */
    const char *file_option; /* whose values are files as positionals are; NULL: none */
};

/*
 * Reads --diff and --rev and finds what they name; nothing is checked out yet. Returns 0, or -1:
 * ERROR_MISSING when a word is neither a file nor a revision, ERROR_USAGE when it is both, when several were
 * named that are not all files to measure, when a file is named together with a revision of the head, or a
 * saved result without a base; as
 * of json_parse when a saved result is damaged. To be given to sides_done.
 */
MUST_CHECK int sides_read(const struct sides_request *request, struct sides *out, struct error *err);

void sides_done(struct sides *sides);

/* Whether cargo builds what the side is. */
bool side_is_built(const struct side *side);

/*
 * Checks a revision out and makes this process run there, until side_leave; nothing for other sides.
 * Sentences about the checkout are added to `notes`. Returns 0, or -1 as of revision_prepare and
 * revision_enter.
 */
MUST_CHECK int side_enter(struct sides *sides, struct side *side, const struct options *options,
                          struct revision_notes *notes, struct error *err);
void side_leave(struct side *side);

#endif

/* What `cargo cprof compare A [B]` compares: which two programs A and B stand for, built and ready to be run.
 */
#ifndef COMPARED_COMPARED_H
#define COMPARED_COMPARED_H

#include "built/run_built.h"
#include "compared/kept_program.h"
#include "report/rows.h"
#include "revision/revision.h"
#include "timing/measure.h"
#include "timing/words.h"

enum compared_kind {
    COMPARED_TREE,     /* what cargo builds of the working tree as it is */
    COMPARED_REVISION, /* what cargo builds of a revision */
    COMPARED_COMMAND,  /* an executable, or a whole command */
};

struct compared_side {
    enum compared_kind kind;
    const char *label;    /* what people call it */
    const char *word;     /* of COMPARED_COMMAND: as typed, without "file:" */
    bool is_file;         /* likewise: it is the path of an executable, not a line of words */
    struct rows facts;    /* of what cargo built: as of build_facts.h */
    const char *command;  /* once it is ready: what is run, as it may be typed; */
    struct launch launch; /* and how; argv NULL: it is not ready */
    /* What the above borrows from. */
    struct revision revision;
    struct options options;   /* those typed, without A and B; of a revision in `revision` */
    struct options for_cargo; /* the same with the profile for looking */
    struct run_built built;
};

/* Zero-initialised is none. Not to be moved once read. */
struct compared {
    struct arena arena;
    struct repository repository; /* opened when a word may be a revision */
    struct compared_side sides[TIMING_SIDES];
    struct kept_program kept; /* of the first side */
};

/*
 * Finds what the words stand for; nothing is built yet. One word alone is compared with the
 * working tree; A..B and A...B are both sides at once. A word with blanks is a command line; one that begins
 * with "/" or ".", or stands after "file:", is an executable; after "rev:" a revision; any other a revision,
 * an executable file or a program in PATH. Returns 0, or -1: ERROR_USAGE when there is none or are too many,
 * or cargo is told what to build and has nothing to, or one is both a revision and a file; ERROR_MISSING when
 * it is nothing of all that. `out` is to be given to compared_done either way; `options` must outlive it.
 */
MUST_CHECK int compared_read(const struct options *options, const char *const *words, size_t count,
                             struct compared *out, struct error *err);

/* How the sides are made ready. All borrowed. */
struct compared_request {
    const struct options *options; /* those that compared_read was given */
    struct command_rule rule;      /* how commands are run */
    bool wants_criterion;          /* both are to be benchmarks of Criterion's */
};

/*
 * Builds what cargo builds, the second side before the first, and says how each is started: with the same
 * arguments, which for a program or example is in the folder we are in. Where the first fails, the second is
 * ready. An executable that the build replaces is run as it was, and a note says so; a warning, that it is
 * what is built. Returns 0, or -1 with the failures of revision_prepare, build_profile_choose, run_built_make
 * and words_split; ERROR_USAGE for a benchmark of Criterion's or libtest's, which runs as long as it chooses
 * to, or with `wants_criterion` for anything but Criterion's.
 */
MUST_CHECK int compared_make_ready(const struct compared_request *request, struct compared *compared,
                                   struct error *err);

void compared_done(struct compared *compared);

#endif

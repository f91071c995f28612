/*
 * Folded stacks as an input: a line a path, "thread;main;work 42", as FlameGraph's and inferno's collapse
 * programs write them and as emit/folded does.
 *
 * The same path may stand on many lines: it is kept once, so memory goes by distinct paths, and by the order
 * of lines where they are not too many for a chart.
 */
#ifndef IMPORT_FOLDED_H
#define IMPORT_FOLDED_H

#include "base/error.h"
#include "base/text.h"
#include "profile/profile.h"

/* Longer lines are left out. */
enum { FOLDED_LINE_MOST_BYTES = 16 << 20 };
#define FOLDED_LINE_MOST_TEXT "16 MiB"

/* Lines are in the order of time where they are a chart's; of more the order is not kept. */
enum { FOLDED_LINES_IN_ORDER = 1 << 20 };

/* One line, or some of one path that follow each other. */
struct folded_line {
    uint32_t path;
    uint64_t count;
};

/* What stands before the count of a line, and the sum of these counts. Zero-initialised is empty. */
struct folded_paths {
    struct intern paths;
    VEC(uint64_t) counts;          /* by path */
    VEC(struct folded_line) lines; /* in their order; empty when they were too many */
    bool has_no_order;             /* they were */
};

/* Lines while they come. Zero-initialised is ready; to be released with folded_import_done. */
struct folded_import {
    struct folded_paths file;  /* of the file that is being read */
    struct folded_paths ended; /* of those that have ended, without the first of two counts */
    struct text rest;          /* the start of a line whose end did not come yet */
    bool is_skipping;          /* the line that did not end yet is too long */
    uint64_t line_count;       /* without empty ones */
    uint64_t bad_count;        /* of these, lines that are not of the form; */
    uint64_t long_count;       /* longer than FOLDED_LINE_MOST_BYTES */
    uint64_t fraction_count;   /* lines whose count had a fraction, which is left out */
    uint64_t sum;              /* of all counts */
    uint64_t beyond_count;     /* lines left out because with them that would be 2^63 or more */
    uint64_t first_bad_number; /* of the file that was read last, from 1; 0 for none */
    uint64_t first_long_number;
    uint64_t line_number;      /* of the file's last complete line, empty ones counted */
    uint64_t ended_line_count; /* as line_count, of files that have ended */
    uint64_t ended_bad_count;  /* as bad_count; */
    uint64_t ended_long_count; /* as long_count */
};

void folded_import_done(struct folded_import *import);

/* Takes the next part of a file, cut anywhere. */
void folded_import_add(struct folded_import *import, struct slice bytes);

/*
 * At the end of a file: its last line may be without a line end. Returns 0, or -1 with ERROR_FORMAT when more
 * of its lines are of another form, or too long, than are of this: a text of something else, some of whose
 * lines end in a number.
 */
MUST_CHECK int folded_import_end_file(struct folded_import *import, struct error *err);

/*
 * Fills the fresh `profile` with a series whose samples are counted in their values. The first name of
 * a path is its thread's, unless first names are functions' and second ones not what threads begin with.
 * "_[k]" behind a name marks the kernel's,
 * "_[i]" an inlined call. A crate that has a main function is the user's own. When each path of a
 * file ends in a number of its own, these are two counts, and the second is taken.
 *
 * Returns 0, or -1 with ERROR_FORMAT when there is no line.
 */
MUST_CHECK int folded_import_finish(struct folded_import *import, struct profile *profile, struct error *err);

#endif

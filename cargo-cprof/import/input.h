/* A profile from files that were written before, whatever their format. */
#ifndef IMPORT_INPUT_H
#define IMPORT_INPUT_H

#include "base/error.h"
#include "import/perf_import.h"
#include "profile/profile.h"

/* Lines that were left out for one reason. */
struct input_lines {
    uint64_t count;
    uint64_t first_number;  /* of the first in its file, from 1; 0: there is none */
    const char *first_file; /* NULL: there is none */
};

/* What was left out, for people to be told. */
struct input_losses {
    uint64_t line_count;         /* of folded stacks, empty ones left out */
    struct input_lines bad;      /* those of them that are none */
    struct input_lines too_long; /* longer than FOLDED_LINE_MOST_BYTES */
    uint64_t fraction_count;     /* those whose count had a fraction */
    struct perf_losses perf;     /* of a file of perf's */
    uint64_t beyond_count;       /* those with which the counts would add up to 2^63 or more */
};

/*
 * Sets up `profile` from one profile file, or one of perf's or of pprof's, or from one or more files of
 * folded stacks, packed or not; "-" is standard input. All locations are symbolized, those of
 * perf's with the files that `root` has, as of perf_import. Returns 0, or -1 with an error that
 * names the file: ERROR_IO when it cannot be read, ERROR_FORMAT when it is of no format that is read here, or
 * is damaged or holds nothing, ERROR_USAGE when there is more than one and a profile among them,
 * or `root` for none of perf's,
 * ERROR_MISSING without the library that unpacks it; nothing is set up then. `losses` is filled for folded
 * stacks, and refers to the paths.
 */
MUST_CHECK int input_read(const char *const *paths, size_t count, const char *root, struct profile *profile,
                          struct input_losses *losses, struct error *err);

#endif

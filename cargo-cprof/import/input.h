/* A profile from files that were written before, whatever their format. */
#ifndef IMPORT_INPUT_H
#define IMPORT_INPUT_H

#include "base/error.h"
#include "profile/profile.h"

/* What was left out, for people to be told. */
struct input_losses {
    uint64_t line_count; /* of folded stacks, empty ones left out */
    uint64_t bad_count;  /* those of them that are none */
    uint64_t first_bad_number;
    uint64_t fraction_count; /* those whose count had a fraction */
    uint64_t beyond_count;   /* those with which the counts would add up to 2^63 or more */
};

/*
 * Sets up `profile` from one profile file, or from one or more files of folded stacks; "-" is standard input.
 * All locations are symbolized. Returns 0, or -1 with an error that names the file: ERROR_IO when it cannot
 * be read, ERROR_FORMAT when it is of no format that is read here, or is damaged or holds nothing,
 * ERROR_USAGE when there is more than one and a profile file among them, ERROR_MISSING without zstd; nothing
 * is set up then.
 */
MUST_CHECK int input_read(const char *const *paths, size_t count, struct profile *profile,
                          struct input_losses *losses, struct error *err);

#endif

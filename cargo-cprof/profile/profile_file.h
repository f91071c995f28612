/*
 * Profiles as files (*.cprof): everything that a profile holds, packed. docs/formats.md describes them.
 */
#ifndef PROFILE_PROFILE_FILE_H
#define PROFILE_PROFILE_FILE_H

#include "base/error.h"
#include "base/sink.h"
#include "profile/profile.h"

/* Whether a file that begins so is one, whole or damaged, of whatever version. */
bool profile_file_begins(struct slice start);

/*
 * Writes the profile, which is finished, chunk after chunk. Returns 0, or -1 as the sink does, with
 * ERROR_MISSING when zstd is not installed, ERROR_FORMAT when samples were read from a file that is damaged.
 */
MUST_CHECK int profile_file_write(const struct profile *profile, struct sink sink, struct error *err);

/*
 * Sets up `out` from a file's bytes, which it takes over: `file` is then empty. Samples stay packed until a
 * cursor comes to them; none are added to the profile. Returns 0, or -1 with ERROR_FORMAT when the file is
 * none, newer, cut short or damaged, with ERROR_MISSING without zstd; both are then untouched.
 */
MUST_CHECK int profile_file_read(struct text *file, struct profile *out, struct error *err);

#endif

/*
 * Profiles of pprof as an input: what `go tool pprof`, the Rust crates pprof and jemalloc_pprof, Parca and
 * Pyroscope read and write, and emit/pprof does. Source of the format: proto/profile.proto of
 * github.com/google/pprof.
 */
#ifndef IMPORT_PPROF_H
#define IMPORT_PPROF_H

#include "base/error.h"
#include "profile/profile.h"

/* No more bytes are read of one, packed or not. */
enum { PPROF_MOST_BYTES = 512 << 20 };

/* Whether a file that begins so, unpacked, is one, whole or damaged. */
bool pprof_begins(struct slice start);

/*
 * Fills the fresh `profile` from the message's bytes, each type of sample a series, the one first that pprof
 * shows unless told otherwise. A type that tells how many samples another is of is none of its own. All
 * locations get their frames.
 *
 * Returns 0, or -1 with ERROR_FORMAT when it is cut short, damaged, has values below 0 or such that add up to
 * 2^63 or more.
 */
MUST_CHECK int pprof_read(struct slice bytes, struct profile *profile, struct error *err);

#endif

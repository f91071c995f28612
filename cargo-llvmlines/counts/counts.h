/*
 * What was counted in one unit's IR, in a file of our own beside the unit's metadata, which appears under
 * its name only when it is whole.
 *
 * Format 3: "cargo-llvmlines counts 3\n"; the crate's name; its disambiguator in 8 bytes, the lowest first, 0
 * for one that is not known; the number of dependencies and their names; the number of symbols and the
 * symbols, each as the bytes that it shares with the one before it, at most 255, and the rest as a name; the
 * number of nodes and the nodes: symbol, kind + 4 * inlining, lines, switches, the number of uses, and the
 * uses, each as what it is above the one before. Then 8 bytes, the FNV-1a hash of all before, the lowest
 * first. A name is its length and its bytes; numbers are LEB128. The limits are those of unit_counts.h.
 */
#ifndef COUNTS_COUNTS_H
#define COUNTS_COUNTS_H

#include "base/error.h"
#include "base/text.h"
#include "counts/unit_counts.h"

/* The ending of such a file's name. It names the format, so that another version's file is not met. */
#define COUNTS_ENDING ".llvmlines-3"

/* Appends the content of the file. */
void counts_encode(const struct unit_counts *counts, struct text *content);

/* Writes the file. Returns 0, or -1 with ERROR_IO naming the path: no right, a full disk. */
MUST_CHECK int counts_save(const struct unit_counts *counts, const char *path, struct error *err);

/*
 * Reads a file. Returns 0, or -1: ERROR_MISSING when there is no such file, ERROR_FORMAT when it is
 * damaged, a folder, of another format or not that of `crate_name`, ERROR_IO when it cannot be read. `out` is
 * then empty.
 */
MUST_CHECK int counts_load(const char *path, struct slice crate_name, struct unit_counts *out,
                           struct error *err);

/* The same from bytes; `name` is for messages. */
MUST_CHECK int counts_decode(struct slice content, const char *name, struct slice crate_name,
                             struct unit_counts *out, struct error *err);

#endif

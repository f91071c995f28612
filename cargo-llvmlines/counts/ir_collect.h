/* From the text of a unit's IR to its unit_counts. */
#ifndef COUNTS_IR_COLLECT_H
#define COUNTS_IR_COLLECT_H

#include "base/error.h"
#include "counts/unit_counts.h"
#include "ir/sources.h"

/*
 * Reads a whole text. `out`, empty on entry, gets nodes, symbols and uses, and the crate's name and
 * disambiguator where the text tells them as rustc writes it; the caller sets the rest. Memory grows with the
 * number of functions and the names that they use, not with their bodies.
 *
 * Uses are what the IR can prove: names that it defines or declares. Globals that name nothing but data are
 * left out, intrinsics too. What metadata tells of crates is added to `sources` unless that is NULL. Returns
 * 0, or -1 as of ir_count_file; `out` is to be given to unit_counts_done either way.
 */
MUST_CHECK int ir_collect_file(const char *path, struct unit_counts *out, struct ir_sources *sources,
                               struct error *err);

/* The same from a descriptor; `name` is for messages. */
MUST_CHECK int ir_collect_descriptor(int descriptor, const char *name, struct unit_counts *out,
                                     struct ir_sources *sources, struct error *err);

#endif

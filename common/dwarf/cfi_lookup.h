/*
 * Call frame information an address at a time, where reading all would take too long: by the sorted table of
 * .eh_frame_hdr (LSB Core, "Exception Frame Header") only the entry of the address is read. A file
 * without such a table is read whole, and so is .debug_frame, of the file or, where it was taken there, of
 * its debug file, once an address is in nothing else.
 */
#ifndef DWARF_CFI_LOOKUP_H
#define DWARF_CFI_LOOKUP_H

#include "dwarf/cfi.h"

struct cfi_lookup; /* opaque */

/*
 * `image` must outlive the result, which is to be released with cfi_lookup_close. Returns 0, or -1 with
 * `out` untouched and the failures of compression_read.
 */
MUST_CHECK int cfi_lookup_open(struct image *image, struct cfi_lookup **out, struct error *err);

/* NULL is let pass. */
void cfi_lookup_close(struct cfi_lookup *lookup);

/*
 * The row that holds `svma`, or NULL when no information covers it, and where return addresses are that
 * are not stored. Valid until the next call. NULL has no rows.
 */
const struct cfi_row *cfi_lookup_find(struct cfi_lookup *lookup, uint64_t svma, uint32_t *return_register);

/*
 * The function, or the part of one, that has an entry of its own and holds `svma`: where it starts and ends.
 * False when nothing tells. NULL has none.
 */
bool cfi_lookup_range(struct cfi_lookup *lookup, uint64_t svma, uint64_t *start_svma, uint64_t *end_svma);

/*
 * The last of those by the table that starts at or before `svma`, which may end before that, too. False when
 * there is none, or no table. NULL has none.
 */
bool cfi_lookup_last(struct cfi_lookup *lookup, uint64_t svma, uint64_t *start_svma, uint64_t *end_svma);

/* What the expressions of such a row are read from. */
struct slice cfi_lookup_section(const struct cfi_lookup *lookup, const struct cfi_row *row);

#endif

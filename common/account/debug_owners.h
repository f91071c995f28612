/* Whose the bytes of debug information are: of the crates of the compile units that need them. */
#ifndef ACCOUNT_DEBUG_OWNERS_H
#define ACCOUNT_DEBUG_OWNERS_H

#include "account/table_owners.h"
#include "dwarf/debug_uses.h"

/* Zero-initialised is ready to be prepared. */
struct debug_owners {
    const struct account_request *request;
    struct debug_uses uses;
    struct slice str_offsets; /* of .debug_str_offsets; empty without one */
};

/* Reads what units refer to, if there are any. Returns 0, or -1 with ERROR_IO. To be released either way. */
MUST_CHECK int debug_owners_prepare(struct debug_owners *owners, const struct account_request *request,
                                    struct error *err);

void debug_owners_done(struct debug_owners *owners);

/*
 * Adds who has what of one section of debug information, whose bytes are `data`: of each unit its entries and
 * its parts of tables; what several crates need, as strings, is shared. A list or a table of abbreviations
 * goes on up to the next one. Sections of kinds that are not known, and compressed ones, have no owners.
 */
void debug_owners_of_section(struct debug_owners *owners, const struct section *section, struct slice data,
                             struct owned_bytes *out);

#endif

/* Whose the bytes of a file's tables are: each function here adds what one kind of table holds. */
#ifndef ACCOUNT_TABLE_OWNERS_H
#define ACCOUNT_TABLE_OWNERS_H

#include <stddef.h>

#include "account/account.h"
#include "base/intern.h"
#include "dwarf/frame_entries.h"

/* Who has which bytes of one section, as offsets in it; where they overlap the one that starts last counts.
 */
struct owned_bytes {
    VEC(struct interval) items; /* ids are owners */
};

void owned_bytes_add(struct owned_bytes *owned, uint64_t offset, uint64_t size_bytes, uint32_t owner);

/* What the owners of tables are found from. Zero-initialised, with the request, is ready. */
struct table_owners {
    const struct account_request *request;
    struct frame_entries frames;
    struct interval_rows exception_rows; /* owners of .gcc_except_table by address */
    struct intern imports;               /* names of symbols that other files define */
    VEC(uint32_t) import_owners;         /* by that */
};

/*
 * Reads what several tables need. Returns 0, or -1 with the failures of frame_entries_read. To be released
 * with table_owners_done either way.
 */
MUST_CHECK int table_owners_prepare(struct table_owners *tables, struct error *err);

void table_owners_done(struct table_owners *tables);

/* .eh_frame: an FDE is its function's, a CIE of all who have an FDE with it. */
void table_owners_of_frames(const struct table_owners *tables, struct owned_bytes *out);

/* .eh_frame_hdr: the table for binary search in the form that linkers write it. */
void table_owners_of_frame_header(const struct table_owners *tables, const struct section *section,
                                  struct slice data, struct owned_bytes *out);

/* .gcc_except_table: from where an FDE says its function's data is, up to the next one. */
void table_owners_of_exceptions(const struct table_owners *tables, const struct section *section,
                                struct owned_bytes *out);

/*
 * A table of relocations: an entry is of what it changes. `changed` are the owners by offset of
 * relocation_table_base; NULL where that is.
 */
void table_owners_of_relocations(const struct table_owners *tables, const struct section *section,
                                 const struct interval_rows *changed, struct owned_bytes *out);

/* One table of symbols and the names that it refers to. */
struct symbol_bytes {
    const struct section *section;
    struct slice entries;
    struct slice names;
};

/*
 * Learns who has what other files define: whoever has the places that its address is put into. Of linked
 * files .dynsym alone tells; what has the same names in .symtab is the same.
 */
void table_owners_add_imports(struct table_owners *tables, const struct symbol_bytes *symbols);

/* The entries of .symtab or .dynsym. */
void table_owners_of_symbols(const struct table_owners *tables, const struct symbol_bytes *symbols,
                             struct owned_bytes *out);

/* The string table behind them: a name is of all whose symbols have it. */
void table_owners_of_names(const struct table_owners *tables, const struct symbol_bytes *symbols,
                           struct owned_bytes *out);

#endif

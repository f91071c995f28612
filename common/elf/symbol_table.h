/*
 * A table of symbols as it stands in an ELF file: entries in the file's order, names where they are asked for
 * (gABI, "Symbol Table"). What reads symbols for others goes through elf/symbols.h.
 */
#ifndef ELF_SYMBOL_TABLE_H
#define ELF_SYMBOL_TABLE_H

#include "elf/section_parts.h"
#include "elf/symbols.h"

struct symbol_table {
    const struct image *image; /* borrowed */
    enum symbols_source source;
    size_t count;
    struct slice entries;         /* all of them, or those that are in the window */
    struct symbol_window *window; /* owned: one after the other is read, a few at a time */
    struct slice wide_indexes;    /* SHT_SYMTAB_SHNDX: a section index a symbol, where 16 bits do not do */
    struct slice descriptors;     /* .opd of 64-bit PowerPC; empty elsewhere */
    uint64_t descriptors_svma;
    uint32_t descriptors_index; /* of that section; 0 when there is none */
    uint32_t entry_bytes;
    struct slice names;               /* all of them, or */
    struct section_parts *name_parts; /* owned: those that were asked for */
};

/* One entry. */
struct symbol_entry {
    struct elf_symbol symbol; /* without name and unit; its section as large as the file says, or SHN_UNDEF
                                 for what is in none */
    uint32_t name_offset;
};

enum symbols_reading {
    SYMBOLS_AT_ONCE,  /* entries and names, which live as long as the image */
    SYMBOLS_IN_PARTS, /* as they are asked for, where the file allows it: entries best in their order; names
                         live as long as `name_parts`, where that is set */
};

/*
 * Opens .symtab, or .dynsym where there is none; without either the table is empty. `image` must outlive it.
 * Returns 0, or -1 as symbols_read does; `out` is untouched then, and is to be closed with
 * symbol_table_close otherwise.
 */
MUST_CHECK int symbol_table_open(struct image *image, enum symbols_reading reading, struct symbol_table *out,
                                 struct error *err);

void symbol_table_close(struct symbol_table *table);

/*
 * The entry at `index`, which is below the count, with its address settled as symbols_read tells. What cannot
 * be read any more is in no section. Of a table that is read in parts by one thread at a time.
 */
struct symbol_entry symbol_table_entry(const struct symbol_table *table, size_t index);

/* 0, or -1 with ERROR_IO when one of the entries that were asked for could not be read. */
MUST_CHECK int symbol_table_check(const struct symbol_table *table, struct error *err);

/* An entry's name in `out`; false, with an empty one, when it is not in the table of names. */
bool symbol_table_name(const struct symbol_table *table, uint32_t name_offset, struct slice *out);

#endif

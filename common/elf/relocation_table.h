/*
 * One table of relocations as it stands in a file (gABI, "Relocation"): its entries in turn, and the
 * addresses of the symbols that they name.
 */
#ifndef ELF_RELOCATION_TABLE_H
#define ELF_RELOCATION_TABLE_H

#include "elf/image.h"

struct relocation_table {
    struct image *image;
    const struct section *section; /* that the entries stand in */
    struct bytes entries;
    struct slice symbols; /* of the table that it links to; empty without one */
    uint32_t entry_bytes;
    bool has_addend; /* SHT_RELA */
};

struct relocation_entry {
    uint64_t offset; /* of the entry in its section */
    uint64_t place;  /* what is changed: an address, or an offset in relocation_table_base */
    uint64_t addend; /* 0 where tables have none */
    uint32_t type;   /* R_* of the machine */
    uint32_t symbol; /* index in the table of symbols; 0 for none */
};

/* Whether the section is of type SHT_RELA or SHT_REL and its entries are as long as that says. */
bool relocation_table_is(const struct image *image, const struct section *section);

/* Returns 0, or -1 with ERROR_IO when the file cannot be read. `out` borrows from the image. */
MUST_CHECK int relocation_table_open(struct image *image, const struct section *section,
                                     struct relocation_table *out, struct error *err);

/* The next entry; false at the end, or where only a part of one is left. */
bool relocation_table_take(struct relocation_table *table, struct relocation_entry *out);

/* The address of a symbol that the file defines; false for others. */
bool relocation_table_find_symbol(const struct relocation_table *table, uint32_t number, uint64_t *svma);

/* The name of a symbol, of others' too, which lives as long as the image; false when there is none. */
bool relocation_table_symbol_name(const struct relocation_table *table, uint32_t number, struct slice *out);

/*
 * The section from whose start a table counts its places: in an object the one that it changes; in a linked
 * file that one where it has no address, as debug information (--emit-relocs). NULL where places are
 * addresses.
 */
const struct section *relocation_table_base(const struct image *image, const struct section *table);

#endif

/*
 * The data of a file that is linked, be it alone, cut into pieces, and for each who pays for it: whoever
 * refers to it.
 *
 * Where symbols with sizes tell what there is, a piece is what one symbol covers. Everywhere else a piece
 * starts where code or a relocation refers to, and goes on up to the next such place, the next symbol or the
 * section's end. So a string that only a computed address leads to counts with the one before it.
 *
 * - A piece that one function refers to is that function's; one that several functions of one group
 *   refer to is the group's; one that several groups refer to is shared. Who pays for a piece pays for
 *   what its relocations refer to.
 * - A piece that has a symbol whose crate is known is that crate's where it would be shared, or where nothing
 *   refers to it.
 * - Arrays of functions that the loader calls are paid for by these functions.
 */
#ifndef ACCOUNT_DATA_MAP_H
#define ACCOUNT_DATA_MAP_H

#include "account/owner.h"
#include "account/references.h"
#include "base/intervals.h"
#include "elf/symbols.h"

#define DATA_NO_SYMBOL UINT32_MAX

/* How an owner is known. */
enum data_known {
    DATA_UNKNOWN,         /* nothing refers to it */
    DATA_FROM_CODE,       /* disassembly: instructions have its address */
    DATA_FROM_RELOCATION, /* only relocations put its address into data whose owner is known */
    DATA_FROM_SYMBOL,     /* nothing refers to it, or several groups do; its symbol names the crate */
    DATA_INFERRED,        /* among what led to it is a number that may be an address, or may not */
};

struct data_piece {
    uint64_t svma;
    uint64_t size_bytes; /* never 0 */
    uint32_t section;
    uint32_t symbol; /* index in symbols.functions, or DATA_NO_SYMBOL */
    uint32_t owner;  /* account/owner.h; OWNER_PADDING: zeros that nothing refers to */
    enum data_known known;
};

/* Zero-initialised is empty. */
struct data_map {
    VEC(struct data_piece) items; /* by section and svma; all bytes of all sections of data */
    struct code_map symbols;      /* of data */
    struct interval_rows places;  /* by svma: code ranges' functions, above them the pieces */
    uint32_t function_count;      /* of the code, unnamed code as the last one */
};

/*
 * Cuts the data of the file; owners are not known yet. `symbols` must outlive the map. Returns 0, or -1 with
 * ERROR_IO and `out` untouched. To be released with data_map_done.
 */
MUST_CHECK int data_map_build(struct image *image, const struct symbols *symbols, const struct code_map *code,
                              const struct references *references, struct data_map *out, struct error *err);

/* Whose functions and symbols are. Borrowed. */
struct data_groups {
    struct owner_space space;  /* of the code map's functions, and one more: all code that no symbol names */
    const uint32_t *of_symbol; /* by index in the data map's symbols: the group, or OWNER_NONE */
};

/*
 * Finds who pays for each piece; to be called once. Returns 0, or -1 with ERROR_IO when the file cannot be
 * read. The time is linear in references and pieces, but for searching.
 */
MUST_CHECK int data_map_find_owners(struct data_map *map, struct image *image,
                                    const struct references *references, const struct data_groups *groups,
                                    struct error *err);

/* The owner of what is at the address, code or data; OWNER_NONE when nothing known is. */
uint32_t data_map_owner_at(const struct data_map *map, uint64_t svma);

void data_map_done(struct data_map *map);

#endif

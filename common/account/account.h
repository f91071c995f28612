/*
 * The exact account of a whole file: every byte is of one kind and has one owner, and all of them add up to
 * the file. Code is its function's, data whoever's refers to it (account/data_map.h). Tables are paid for by
 * what their entries are about: call frame information by its function, a relocation by what it changes, a
 * symbol and its name by what has it, debug information by the crate whose unit it is of.
 */
#ifndef ACCOUNT_ACCOUNT_H
#define ACCOUNT_ACCOUNT_H

#include "account/data_map.h"
#include "account/file_map.h"
#include "dwarf/frame_entries.h"
#include "dwarf/units.h"

enum account_kind {
    ACCOUNT_CODE,
    ACCOUNT_DATA,
    ACCOUNT_UNWIND,      /* .eh_frame, .eh_frame_hdr, .gcc_except_table */
    ACCOUNT_RELOCATIONS, /* tables of them */
    ACCOUNT_SYMBOLS,     /* tables of them, their names and what finds them */
    ACCOUNT_DEBUG,       /* debug information */
    ACCOUNT_OTHER,       /* headers, notes, gaps */
    ACCOUNT_KINDS,
};

struct account_entry {
    const struct file_part *part; /* of the account's file map: where the bytes are */
    enum account_kind kind;
    uint32_t owner; /* account/owner.h */
    uint32_t piece; /* of data: index in the data map; else UINT32_MAX */
    uint64_t size_bytes;
};

/* Tells the group of a codegen unit's name, as STT_FILE symbols have it; OWNER_NONE when it tells none. */
typedef uint32_t account_unit_group(void *context, struct slice unit);

/* All borrowed. */
struct account_request {
    struct image *image;
    const struct code_map *code;
    const struct data_map *data;
    const struct references *references;
    const struct owner_space *space; /* as of struct data_groups */
    const struct units
        *units; /* of the image's own debug information; NULL: there is none, or in another file */
    const uint32_t *group_of_unit_number; /* by unit: its group, or OWNER_NONE */
    account_unit_group *group_of_unit;
    void *context; /* for group_of_unit */
};

/* Zero-initialised is empty. */
struct account {
    struct file_map file;
    VEC(struct account_entry) entries; /* by part; bytes of one owner may be several */
};

/*
 * Makes the account of a file that is linked, be it alone (elf/link_alone.h). Tables that are damaged have no
 * owners from there on. Returns 0, or -1 with `out` untouched: ERROR_IO when the file cannot be read, or as
 * of frame_entries_read. To be released with account_done; the image must outlive it.
 */
MUST_CHECK int account_build(const struct account_request *request, struct account *out, struct error *err);

void account_done(struct account *account);

#endif

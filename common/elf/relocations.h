/*
 * The relocations of a linked file: where the loader (or, with --emit-relocs, the linker) puts an address,
 * and which (gABI, "Relocation"; for SHT_RELR its section "Relative Relocation Table"). Those of an object
 * that was linked alone tell what its data and, but for x86-64, its code refer to.
 */
#ifndef ELF_RELOCATIONS_H
#define ELF_RELOCATIONS_H

#include "base/vec.h"
#include "elf/image.h"

#define RELOCATION_NOT_LOADED UINT64_MAX

struct relocation {
    uint64_t place_svma;   /* what is changed; RELOCATION_NOT_LOADED: debug information and the like */
    uint64_t place_offset; /* the same in relocation_table_base; 0 where there is none */
    uint64_t target_svma;  /* the address that is put there; see has_target */
    uint64_t entry_offset; /* of the entry in its section */
    uint32_t section;      /* that the entry stands in */
    uint32_t entry_bytes;  /* of the entry; one of SHT_RELR may change several places */
    uint32_t symbol;       /* index in the table that the entry's section links to; 0 for none */
    bool has_target;       /* an address within the file, of a kind that is known, put into what is loaded */
};

/* Zero-initialised is empty. */
struct relocations {
    VEC(struct relocation) items; /* by section of the entries, in their order */
    uint64_t damaged_count;       /* tables that were left out, and places outside of all sections */
};

/*
 * Reads all relocations of a linked file or of an object that was linked alone; other objects have no
 * addresses yet, and none. A table that is no such table is left out and counted. Returns 0, or -1 with
 * ERROR_IO when the file cannot be read; `out` is untouched then, and is to be released with relocations_done
 * otherwise.
 */
MUST_CHECK int relocations_read(struct image *image, struct relocations *out, struct error *err);

void relocations_done(struct relocations *relocations);

#endif

/*
 * The exact partition of a whole file: every byte belongs to a header, to one section or to the gaps that
 * alignment leaves between them. The parts always sum to the file.
 */
#ifndef ACCOUNT_FILE_MAP_H
#define ACCOUNT_FILE_MAP_H

#include <stdint.h>

#include "base/vec.h"
#include "elf/image.h"

enum file_part_kind {
    FILE_PART_HEADER,          /* the ELF header */
    FILE_PART_PROGRAM_HEADERS, /* the table of segments */
    FILE_PART_SECTION,
    FILE_PART_SECTION_HEADERS, /* the table of sections */
    FILE_PART_GAPS,            /* all bytes that belong to nothing else, together */
};

struct file_part {
    const struct section *section; /* the image's; NULL for all kinds but FILE_PART_SECTION */
    uint64_t offset;               /* where it starts in the file; 0 for the gaps */
    uint64_t file_bytes;           /* that are its own: where parts overlap, a byte is of the one that starts
                                      first, of the longer one where both start there */
    uint64_t memory_bytes;         /* it takes when loaded; 0 for all but sections */
    enum file_part_kind kind;
};

/* Zero-initialised is empty. */
struct file_map {
    VEC(struct file_part) parts; /* in the order of the file; sections without bytes too, gaps last */
    uint64_t gap_bytes;
};

/* Maps the image, which must outlive the map. Never fails. To be released with file_map_done. */
void file_map_build(const struct image *image, struct file_map *out);

void file_map_done(struct file_map *map);

#endif

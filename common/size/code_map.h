/*
 * The exact partition of a section's bytes: every byte belongs to one function, to the padding
 * between functions, or is code that no symbol names. The parts always sum to the section.
 *
 * Rules, in this order:
 * - Symbols at one address are one function with several names. Its extent is the largest of
 *   their sizes, cut at the section's end.
 * - Where functions overlap, a byte belongs to the one that starts last: an inner function is
 *   cut out of the outer, which goes on behind it and then has several ranges.
 * - A symbol without a size owns the gap it stands in, up to the next symbol and without the
 *   padding at its end; inside a sized function it owns nothing, and neither does it in a
 *   stripped file, where the symbols that would end its gap are gone.
 * - What then is left is padding where it reads as such (size/padding.h), else unnamed.
 */
#ifndef SIZE_CODE_MAP_H
#define SIZE_CODE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/vec.h"
#include "elf/image.h"
#include "elf/symbols.h"

/* What a range belongs to when it is no function. */
#define CODE_PADDING UINT32_MAX
#define CODE_UNNAMED (UINT32_MAX - 1)

struct code_range {
    uint64_t svma;
    uint64_t size_bytes; /* never 0 */
    uint32_t section;    /* index in the image */
    uint32_t function;   /* index into `functions`, CODE_PADDING or CODE_UNNAMED */
};

/* One place in the code and all its names, the one to show first. */
struct code_function {
    const struct elf_symbol *const *names; /* at least one; borrowed from the symbols */
    size_t name_count;
    uint64_t size_bytes; /* sum of its ranges; 0 for a label inside another function */
};

struct code_map {
    VEC(struct code_range) ranges; /* by section and svma, without holes or overlaps */
    VEC(struct code_function) functions;
    const struct elf_symbol **names; /* owned; what functions[].names point into */
    size_t name_count;
    uint64_t total_bytes; /* of the sections: functions + padding + unnamed */
    uint64_t padding_bytes;
    uint64_t unnamed_bytes;
    bool is_of_parts; /* sections named after the one asked for are in it: .text.hot beside .text */
};

/*
 * Maps every section of the image called `section_name` or `section_name` + "." + anything,
 * whose bytes are in the file. `symbols` must outlive the map.
 * Returns 0, or -1 with ERROR_MISSING when there is no such section and ERROR_IO when its
 * bytes cannot be read; `out` is untouched then, and is to be released with code_map_done otherwise.
 */
MUST_CHECK int code_map_build(struct image *image, const struct symbols *symbols, struct slice section_name,
                              struct code_map *out, struct error *err);

/*
 * Maps every section that `is_wanted` takes and whose bytes are in the file, by the same rules; but symbols
 * without a size own nothing. None at all is an empty map. Fails with ERROR_IO alone.
 */
typedef bool code_map_choice(const struct section *section);

MUST_CHECK int code_map_build_data(struct image *image, const struct symbols *symbols,
                                   code_map_choice *is_wanted, struct code_map *out, struct error *err);

/*
 * Maps every section that `is_wanted` takes and whose bytes are in the file, without a look at these: what
 * would be padding is unnamed, or the function's without a size that stands before it.
 */
void code_map_build_names(const struct image *image, const struct symbols *symbols,
                          code_map_choice *is_wanted, struct code_map *out);

void code_map_done(struct code_map *map);

/* Where each function's code begins, by its index: an array that is the caller's (base/memory.h). */
uint64_t *code_map_starts(const struct code_map *map);

/* The range that holds `svma` of the section with that index, or NULL. O(log ranges). */
const struct code_range *code_map_find(const struct code_map *map, uint32_t section, uint64_t svma);

#endif

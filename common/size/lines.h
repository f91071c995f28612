/*
 * The code of a map cut where its source changes: each piece is of one function, as it was compiled, of one
 * inlined call in it, and of one line.
 */
#ifndef SIZE_LINES_H
#define SIZE_LINES_H

#include "dwarf/debug_info.h"
#include "size/code_map.h"

struct code_piece {
    uint64_t svma;
    uint64_t size_bytes; /* never 0 */
    uint32_t function;   /* index in the map; CODE_PADDING, CODE_UNNAMED */
    uint32_t unit;       /* UNIT_NONE where debug information covers nothing */
    uint32_t name; /* of the innermost call: index in the unit's functions.names; FRAME_NONE: not known */
    uint32_t file; /* index in the unit's line table; LINE_NO_FILE: not known */
    uint32_t line; /* from 1; 0 when unknown */
};

typedef void lines_visit(void *context, const struct code_piece *piece);

/*
 * Calls `visit` for every piece in the order of the map's ranges; they add up to map->total_bytes. Units of
 * `info` are read where that was not done yet. Padding and unnamed code are pieces without a source.
 */
void lines_walk(struct debug_info *info, const struct code_map *map, lines_visit *visit, void *context);

#endif

/*
 * The functions of one unit and the calls inlined into them, as a flat table over addresses.
 */
#ifndef DWARF_FUNCTIONS_H
#define DWARF_FUNCTIONS_H

#include "base/arena.h"
#include "base/places.h"
#include "dwarf/units.h"

#define FRAME_NONE INTERVAL_NONE

/* A function as it was compiled, or one call of a function that was inlined. */
struct function_frame {
    uint32_t parent;    /* the frame it was inlined into, always a smaller index; FRAME_NONE for a function */
    uint32_t name;      /* index into `names` */
    uint32_t call_file; /* where the parent calls it: index in the unit's line table; */
    uint32_t call_line; /* from 1; 0 when unknown and for a function */
};

#define FUNCTION_NO_FILE UINT32_MAX

enum { FUNCTION_CLOSURES = 4 };

/* Of the closures that a path ends in, from the last one on: its number and 1; 0 where it is not known. */
struct closure_numbers {
    uint32_t items[FUNCTION_CLOSURES];
};

struct function_name {
    struct slice text; /* empty when the file gives none; lives as long as the sections and the functions */
    /* A linkage name, to be demangled; else "module::name" as far as modules are known, as of Rust's
     * functions whose source sets another. */
    bool is_mangled;
    bool is_future; /* the code of a future that rustc made: of an async fn, block or closure */
    /* Linkage names call all of these closures. Bit N: of the closures that the path ends in, the Nth from
     * the last one (0) is the body of an async fn. */
    uint32_t async_fns;
    struct closure_numbers closures; /* which linkage names of the legacy kind do not tell */
    /* The file that the function stands in: index in the unit's line table, FUNCTION_NO_FILE when unknown. */
    uint32_t file;
};

struct functions {
    VEC(struct function_frame) frames;
    VEC(struct function_name) names; /* each function once, however often it was inlined */
    struct interval_rows rows;       /* address -> innermost frame */
    struct arena arena;              /* names that were put together */
    bool is_damaged;                 /* the unit could not be read to its end */
    bool needs_entries;              /* a name points into .debug_info */
};

/*
 * Reads the unit with that index from end to end, in time linear to its size. With `wanted` not NULL it keeps
 * the functions and calls at these addresses alone, which takes a fraction of the time and memory: nothing is
 * then found anywhere else. `units` are only read, so threads may read different units at once. To be
 * released with functions_done.
 */
void functions_read(const struct units *units, uint32_t unit, const struct places *wanted,
                    struct functions *out);

void functions_done(struct functions *functions);

/* The innermost frame at `svma`, whose parents are the rest of the chain; FRAME_NONE for none. O(log n). */
uint32_t functions_find(const struct functions *functions, uint64_t svma);

#endif

/*
 * Of which script lines of V8's code are. V8 writes lines (LogWriteDebugInfo in its
 * src/diagnostics/perf-jit.cc, read in 10.2, 11.3 and 13.6) with the name of the script that the function is
 * in, whatever they are of:
 *
 * - Of code by TurboFan the lines and columns of what was inlined from another script are those there.
 * - Of code by Maglev they are those that so many characters from the other script's start would be at in
 *   the function's own.
 * - Of code by Sparkplug the addresses are those of bytecode, and lead nowhere in the code.
 *
 * The lines and columns by Sparkplug are all that the function has, though, and what is optimized was nearly
 * always compiled by it before. So they tell of which script a line and a column can be.
 */
#ifndef SYMBOLIZE_JIT_V8_POSITIONS_H
#define SYMBOLIZE_JIT_V8_POSITIONS_H

#include "base/intern.h"
#include "base/pair_index.h"
#include "symbolize/jit/lines.h"
#include "symbolize/jit/v8_name.h"

struct v8_position {
    uint32_t script;   /* in `names`; INTERN_NONE: several have one there */
    uint32_t function; /* likewise */
};

/* Zero-initialised is empty; to be released with v8_positions_done. */
struct v8_positions {
    struct pair_index places; /* line, column */
    VEC(struct v8_position) items;
    struct intern names; /* of scripts, and of functions with their places */
    bool is_read;        /* the caller's: all that there is was taken in */
};

void v8_positions_done(struct v8_positions *positions);

/* Takes in what was told of a function's code by Sparkplug. */
void v8_positions_add(struct v8_positions *positions, const struct v8_name *name,
                      const struct jit_lines *lines);

/*
 * Puts right what was told of that code: of what was optimized each line has the script that alone can have
 * it, by Maglev only where it is of the function itself; other lines become 0, of no file. Code by Sparkplug
 * has its file and no line. Of all other code nothing is changed. Files are borrowed from `positions` then.
 */
void v8_positions_mend(const struct v8_positions *positions, const struct v8_name *name,
                       struct jit_lines *lines);

#endif

/* Which functions are signs of which hint, by their names. */
#ifndef VIEW_HINT_NAMES_H
#define VIEW_HINT_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

/* Bit N set: a call of the function is a sign of the hint of kind N (enum hint_kind). */
uint32_t hint_kinds_of_name(struct slice name);

/* Kinds that count only where samples were taken in the function itself. */
extern const uint32_t hint_kinds_of_innermost;

/*
 * Whether samples in it, below a read or write, are what the call costs whatever it moves: getting into the
 * kernel and out, finding the file and who may do it. Calls that move little cost little else.
 */
bool hint_name_is_call_cost(struct slice name);

/* Whether reads and writes below a call of it go through a buffer. */
bool hint_name_is_buffer(struct slice name);

/* Whether it writes each line by itself, as std's stdout does: the buffer below it saves no write. */
bool hint_name_is_line_writer(struct slice name);

/* Whether it is called when a buffer for writing has no more room: then as much as it holds is written. */
bool hint_name_is_full_buffer(struct slice name);

#endif

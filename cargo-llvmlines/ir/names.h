/* Names of functions and globals in the text of LLVM IR ("Identifiers" in the language reference). */
#ifndef IR_NAMES_H
#define IR_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/scan.h"
#include "base/text.h"

/* A function that names no group of attributes. */
#define IR_NO_ATTRIBUTES UINT32_MAX

/* What is asked of LLVM about inlining; rustc makes it of #[inline] and #[cold]. */
enum ir_inlining { IR_INLINE_AS_LIKED, IR_INLINE_HINT, IR_INLINE_ALWAYS, IR_INLINE_NEVER };

/*
 * The name in "define LINKAGE TYPE @NAME(…" or "declare …", unquoted, in `symbol`, which is emptied first.
 * It is the first "@" that does not stand in quotes. False when there is none.
 */
bool ir_name_of_function(struct slice line, struct text *symbol);

/* The number of the group of attributes that a line "define …" names: "… unnamed_addr #4 {". */
uint32_t ir_attributes_of_function(struct slice line);

/*
 * The next "@NAME" outside of quotes, unquoted; false when there is none. `lines` begins outside of quotes
 * and ends with a line; quotes that a line leaves open end with it. `name` borrows from the lines or, where
 * it had to be unquoted, from `scratch`.
 */
bool ir_next_reference(struct scan *lines, struct text *scratch, struct slice *name);

/* Reads "attributes #4 = { inlinehint … }"; false when it is of another form. */
bool ir_attributes_read(struct slice line, uint32_t *number, enum ir_inlining *inlining);

#endif

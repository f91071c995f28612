/* The table of cargo-llvm-lines 0.4.48, of legacy names byte for byte, for scripts that read it and people
 * who compare. */
#ifndef VIEW_COMPAT_TABLE_H
#define VIEW_COMPAT_TABLE_H

#include "base/text.h"
#include "report/rows.h"

/* Appends the table for rows of tables.h, made of groups that have names as of groups/compat_name.h. Limits
 * do not matter. */
void compat_render(struct text *text, const struct rows *functions);

#endif

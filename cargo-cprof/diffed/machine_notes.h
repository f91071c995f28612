/* What the machine may have made of the two sides of a comparison. */
#ifndef DIFFED_MACHINE_NOTES_H
#define DIFFED_MACHINE_NOTES_H

#include "changes/changes.h"
#include "report/rows.h"

/* Adds notes to `rows`, and to its headline, where a slower or faster or busier machine would tell the same.
 */
void machine_notes_add(const struct changes *changes, struct rows *rows);

#endif

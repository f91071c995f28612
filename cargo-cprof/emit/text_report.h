/* A profile as a text to read and to keep: what was recorded, every function, the tree of calls. */
#ifndef EMIT_TEXT_REPORT_H
#define EMIT_TEXT_REPORT_H

#include "base/text.h"
#include "profile/profile.h"
#include "report/warnings.h"

/*
 * Appends the report, `warnings` first, of which NULL is none. The tree leaves out calls below half a per
 * cent of the whole and says so.
 */
void text_report_add(struct text *text, struct profile *profile, uint32_t series,
                     const struct warnings *warnings);

#endif

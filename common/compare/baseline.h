/* A result that was saved as JSON (`-o FILE.json`, docs/formats.md), read back to compare with. */
#ifndef COMPARE_BASELINE_H
#define COMPARE_BASELINE_H

#include "report/rows.h"
#include "json/json_in.h"

/*
 * Whether the document can be a result to compare with, whatever it is a list of: asked before anything is
 * built. Returns 0, or -1: ERROR_FORMAT when it is none, ERROR_USAGE when it is a comparison or lacks rows
 * that were left out. `name` is the file's, for messages.
 */
MUST_CHECK int baseline_check(const struct json_document *document, const char *name, struct error *err);

/*
 * Of a document that baseline_check takes: takes the rows and facts that `like`, a result of the same command
 * now, has too, and what it was built with; what only one of them has is passed over, but for the columns
 * that are compared. `out` is zeroed, to be given to rows_done, and borrows from the document.
 *
 * Returns 0, or -1: ERROR_USAGE when the file holds other rows than `like` or lacks what is compared, as
 * those of another command do; ERROR_FORMAT when a member is missing or not of its type.
 */
MUST_CHECK int baseline_read(const struct json_document *document, const char *name, const struct rows *like,
                             struct rows *out, struct error *err);

#endif

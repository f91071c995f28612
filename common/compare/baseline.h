/* A result that was saved as JSON (`-o FILE.json`, docs/formats.md), read back to compare with. */
#ifndef COMPARE_BASELINE_H
#define COMPARE_BASELINE_H

#include "report/rows.h"
#include "json/json_in.h"

/*
 * Takes the rows, facts and labels that `like`, a result of the same command now, has too; what only one of
 * them has is passed over, but for the columns that are compared. `out` is zeroed, to be given to rows_done,
 * and borrows from the document.
 *
 * Returns 0, or -1: ERROR_USAGE when the file holds another kind of rows than `like`, a comparison, or rows
 * that were left out; ERROR_FORMAT when a member is missing or not of its type. `name` is the file's, for
 * messages.
 */
MUST_CHECK int baseline_read(const struct json_document *document, const char *name, const struct rows *like,
                             struct rows *out, struct error *err);

#endif

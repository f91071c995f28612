/* The table of sections: where every byte of a file is. */
#ifndef TABLES_SECTIONS_H
#define TABLES_SECTIONS_H

#include "content/settings.h"
#include "report/rows.h"

/*
 * Fills `rows` from the file; stripped ones too. NULL is no file, and there are no rows. Returns 0, or -1
 * with the failures of image_open. To be released with rows_done either way.
 */
MUST_CHECK int sections_fill(const char *path, const struct bloatc_settings *settings, struct rows *rows,
                             struct error *err);

#endif

/* --percent-limit: which rows are too small to be shown, and what is said of them. */
#ifndef VIEW_PERCENT_LIMIT_H
#define VIEW_PERCENT_LIMIT_H

#include "report/rows.h"

/*
 * Reads "0.5", a percentage, as a share from 0 to 1. Returns 0, or -1 with ERROR_USAGE when it is none.
 */
MUST_CHECK int percent_limit_read(const char *text, double *out, struct error *err);

/*
 * Tells below the rows, and in JSON, that so many of them are below the share of `of` ("the whole"). None is
 * told in JSON alone.
 */
void percent_limit_tell(size_t left_out, double least_share, const char *of, struct rows *rows);

#endif

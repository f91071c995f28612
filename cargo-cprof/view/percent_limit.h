/* What is said of rows that --percent-limit leaves out. */
#ifndef VIEW_PERCENT_LIMIT_H
#define VIEW_PERCENT_LIMIT_H

#include "report/rows.h"

/*
 * Tells below the rows, and in JSON, that so many of them are below the share of `of` ("the whole"). None is
 * told in JSON alone.
 */
void percent_limit_tell(size_t left_out, double least_share, const char *of, struct rows *rows);

#endif

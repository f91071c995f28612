/* What threads waited for as a table: the system calls and faults that they did it in. */
#ifndef VIEW_WAIT_ROWS_H
#define VIEW_WAIT_ROWS_H

#include "profile/profile.h"
#include "report/rows.h"

/* Fills the empty `out`, the longest first. The rows borrow the profile's strings. */
void wait_rows_fill(const struct profile *profile, uint32_t series, struct rows *out);

#endif

/* How many files this process may have open: RLIMIT_NOFILE (getrlimit(2)). */
#ifndef PROC_FILE_LIMIT_H
#define PROC_FILE_LIMIT_H

#include <stdbool.h>

/*
 * Raises the soft limit to the hard one; where it is there already both are doubled, for who has the right
 * to, up to fs.nr_open. Whether there is room for more open files now.
 */
bool file_limit_raise(void);

/* Whether not one file more may be open. */
bool file_limit_is_reached(void);

#endif

/*
 * Memory of a file that another program may make shorter at any time: to look at what is not there any more
 * ends a program (SIGBUS), whatever was asked before.
 */
#ifndef BASE_SHRUNK_FILE_H
#define BASE_SHRUNK_FILE_H

#include <stddef.h>

/*
 * From here on pages of this mapping that are looked at once their file has them no more are there again, for
 * us alone, and full of zeros. Of one mapping at a time, in all threads; `memory` begins with a page.
 */
void shrunk_file_guard(void *memory, size_t length);

/* Before the mapping is gone. */
void shrunk_file_unguard(void);

#endif

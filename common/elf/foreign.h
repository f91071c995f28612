/* Names what a file is that is not ELF, so that the message can say it. */
#ifndef ELF_FOREIGN_H
#define ELF_FOREIGN_H

#include "base/slice.h"

/*
 * What a file that starts with these bytes is, as it reads after "it is": "a Windows program
 * (PE)", "an archive (an rlib or a static library)", "text", "of an unknown format".
 */
const char *foreign_describe(struct slice start);

/* What to do instead with such a file, or NULL when nothing is known. */
const char *foreign_remedy(struct slice start);

#endif

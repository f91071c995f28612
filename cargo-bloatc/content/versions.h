/* Which of several crates of one name defines a function, where legacy names tell the name alone. */
#ifndef CONTENT_VERSIONS_H
#define CONTENT_VERSIONS_H

#include "content/measure.h"
#include "size/source.h"

/*
 * Gives such items the version of their crate, or the hash where that is all there is, and how it is known:
 * from the file that the function's own lines are in, else from the crate that it was compiled in, where that
 * has the name. Items of which neither tells stay as they are. They are the functions of the source's map,
 * from `first` on, as names_add left them; `used` is by function, its crates are those of `out`.
 */
void versions_find(const struct measure_request *request, struct source *source, const struct used *used,
                   size_t first, struct measurement *out);

#endif

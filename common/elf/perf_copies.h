/* What perf keeps of the files that it met as it recorded, by their build ids (perf-buildid-cache(1)). */
#ifndef ELF_PERF_COPIES_H
#define ELF_PERF_COPIES_H

#include "base/text.h"

/* Appends the folder, which need not be there: $PERF_BUILDID_DIR, else ~/.debug. */
void perf_copies_add_folder(struct text *path);

#endif

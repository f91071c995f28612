/* Source files as people tell them apart: without the folders that say where on one machine they are. */
#ifndef VIEW_SHORT_PATH_H
#define VIEW_SHORT_PATH_H

#include "base/slice.h"
#include "base/text.h"

/*
 * Appends "regex-1.11.1/src/lib.rs" for a file of a package that cargo fetched, "core/src/fmt/mod.rs" for
 * one of std, and for others the folder that holds "src" and what follows, or the last two parts.
 */
void short_path_add(struct text *text, struct slice path);

#endif

/*
 * A program that cargo stripped, linked once more with its symbols: the last crate alone is compiled again,
 * into a folder of our own, from the libraries that are there. The file that ships is not touched.
 */
#ifndef SUBJECT_RELINK_H
#define SUBJECT_RELINK_H

#include "cargo/build.h"

/* Where below the target directory. */
#define RELINK_DIRECTORY "bloatc-relink"

/*
 * Returns 0 with what was linked, to be released with cargo_built_done, or -1 with `out` untouched:
 * ERROR_MISSING when the build's own folder is not where it usually is, ERROR_IO when it cannot be copied, or
 * as of cargo_build.
 */
MUST_CHECK int relink(const struct options *options, const struct cargo_built *shipped,
                      struct cargo_built *out, struct error *err);

/*
 * Whether two files have the same code: the same bytes at the same addresses in every executable section.
 * Returns 0, or -1 with the failures of image_open and image_read_section.
 */
MUST_CHECK int relink_compare(const char *shipped, const char *relinked, bool *is_same, struct error *err);

#endif

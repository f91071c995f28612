/* Shows a file in the user's browser, by the desktop's own program for that: xdg-open(1). */
#ifndef RECORD_OPEN_PICTURE_H
#define RECORD_OPEN_PICTURE_H

#include "base/error.h"

/*
 * Returns 0 when the file was handed over, or when xdg-open still runs after three seconds (it may itself
 * have become the browser). -1 with ERROR_MISSING when there is no xdg-open and ERROR_CHILD when it fails, as
 * it does without a desktop; the hint says what to do.
 */
MUST_CHECK int open_picture(const char *path, struct error *err);

#endif

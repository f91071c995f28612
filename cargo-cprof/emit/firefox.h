/*
 * A profile for the Firefox Profiler (profiler.firefox.com): its processed profile format, version 49, which
 * every front-end since 2024 takes and upgrades. Names, files and lines are inside, so that no symbol server
 * is asked. Source of the format: docs-developer/ and src/types/profile.js of
 * github.com/firefox-devtools/profiler.
 */
#ifndef EMIT_FIREFOX_H
#define EMIT_FIREFOX_H

#include "base/error.h"
#include "base/text.h"
#include "profile/profile.h"

/*
 * Appends the document, on one line. All locations of the series are symbolized. Returns 0, or -1 with
 * ERROR_FORMAT when the samples were read from a file that is damaged.
 */
MUST_CHECK int firefox_add(struct text *text, const struct profile *profile, uint32_t series,
                           struct error *err);

#endif

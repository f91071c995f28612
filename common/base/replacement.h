/*
 * A file that is written piece by piece and then takes another one's place at once: a reader sees the old
 * content or the new, never half of it, and a failure leaves the old.
 *
 * A regular file, or none yet, is replaced by rename from a file beside it (the old one's mode and owner
 * are kept where that may be, and a new one that root makes under sudo is who called's; a symbolic link's
 * target is replaced, not the link), and Ctrl-C, Ctrl-\,
 * SIGTERM and SIGHUP wait from open to discard, so that nothing is left beside it. Anything else, a device, a
 * pipe, is opened and written to: whoever is to read it may keep us waiting, and signals end that.
 */
#ifndef BASE_REPLACEMENT_H
#define BASE_REPLACEMENT_H

#include "base/error.h"
#include "base/sink.h"

struct replacement; /* opaque */

/* Whether what is written stays when the machine fails right afterwards, for which the disk is waited for. */
enum durability { LASTING, REPLACEABLE };

/*
 * Begins a new content of `path`, which is borrowed. Returns 0, or -1 with ERROR_IO naming the path. `out`
 * is to be given to replacement_discard.
 */
MUST_CHECK int replacement_open(const char *path, struct replacement **out, struct error *err);

/* Appends. Returns 0, or -1 with ERROR_IO naming the path: a full disk, mostly. */
MUST_CHECK int replacement_add(struct replacement *replacement, struct slice bytes, struct error *err);

/* A sink that is replacement_add. */
struct sink sink_of_replacement(struct replacement *replacement);

/*
 * What was added is the content from here on; nothing is added any more. Returns 0, or -1 with ERROR_IO
 * naming the path; the old content is then as it was.
 */
MUST_CHECK int replacement_commit(struct replacement *replacement, enum durability durability,
                                  struct error *err);

/* For SCOPED: what was not committed is gone, and `*replacement` is NULL, which it may have been. */
void replacement_discard(struct replacement **replacement);

/*
 * Puts what `path` leads to in place of it when it is a symbolic link, also one to a file that
 * does not exist yet, which realpath(3) refuses. Returns 0 or the errno of the step that failed.
 */
int replacement_follow_links(struct text *path);

#endif

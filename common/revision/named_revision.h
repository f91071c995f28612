/* Words of a command line that name revisions. */
#ifndef REVISION_NAMED_REVISION_H
#define REVISION_NAMED_REVISION_H

#include "revision/range.h"
#include "revision/revision.h"

/*
 * Finds what a word stands for, in the repository of --manifest-path or of the folder we are in, which is
 * opened unless it is already. Of `out` repository, commit and name are set; nothing is checked out. Returns
 * 0, or -1 as of repository_open and repository_find_commit.
 */
MUST_CHECK int named_revision_find(struct arena *arena, const struct options *options,
                                   struct repository *repository, const char *name, struct revision *out,
                                   struct error *err);

/*
 * Makes `base`, the left side of the range, what it has in common with the right one, `head`. Returns 0, or
 * -1 as of repository_merge_base.
 */
MUST_CHECK int named_revision_merge_base(struct arena *arena, const struct range *range,
                                         const struct revision *head, struct revision *base,
                                         struct error *err);

/* What people call it: "main (1a2b3c4)". In `arena`. */
const char *named_revision_label(struct arena *arena, const struct revision *revision);

#endif

/* What people are told of source files that are not here, or not as they were. */
#ifndef ANNOTATE_SOURCE_NOTES_H
#define ANNOTATE_SOURCE_NOTES_H

#include "annotate/source_text.h"
#include "profile/profile.h"
#include "report/rows.h"

/* Zero-initialised has told nothing yet. */
struct source_notes {
    bool is_rusts_told; /* why the source of Rust's own libraries is not here */
};

struct noted_source {
    const struct source_text *source;
    struct slice name;  /* as it is shown */
    uint32_t module;    /* of the profile, that has code of it; PROFILE_NONE: it is not known */
    uint32_t last_line; /* the last one that is shown */
};

/* Adds a note to the rows, or none: why there is no source, once for all of Rust's own; */
void source_notes_add(struct source_notes *notes, const struct profile *profile,
                      const struct noted_source *noted, struct rows *rows);

/* that lines may have moved: the file is too short, or was written to after the program was built or
 * recorded. */
void source_notes_add_change(const struct profile *profile, const struct noted_source *noted,
                             struct rows *rows);

#endif

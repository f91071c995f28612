/* What samples weigh that are in some marked places of the code, or in what these call. */
#ifndef ANNOTATE_MARKS_H
#define ANNOTATE_MARKS_H

#include "profile/totals.h"

/* Marks are numbered from 0, and so are the groups that they are in, as the lines of one file. */
struct marks {
    uint32_t *of_frames;  /* owned, by frame of the profile: its mark; PROFILE_NONE: it has none */
    VEC(uint32_t) groups; /* by mark */
    size_t group_count;
    struct weights *weights;       /* owned, by mark */
    struct weights *group_weights; /* owned, by group: a sample counts once for each */
    uint64_t whole;                /* all samples of the series */
};

/* No frame is marked yet. The profile does not get frames while there are marks. */
void marks_init(struct marks *marks, const struct profile *profile);
void marks_done(struct marks *marks);

/* Fills in the weights once all marks are set: self as of totals_own_frame. */
void marks_weigh(struct marks *marks, const struct profile *profile, uint32_t series);

#endif

/* Puts a profile's samples together by what they have in common. */
#ifndef VIEW_GROUPER_H
#define VIEW_GROUPER_H

#include "base/pair_index.h"
#include "profile/totals.h"
#include "view/file_names.h"
#include "view/group_keys.h"

/* A group in the making: its values chained, key by key, as pairs of the chain so far and the next value. */
struct chains {
    struct pair_index links[GROUP_KEYS_MOST];
};

/* What is known of a group. */
struct group {
    struct weights weights;
    uint32_t seen;     /* the last sum that counted it, plus 1 */
    uint32_t function; /* one that is in it */
};

struct grouper {
    struct profile *profile;
    uint32_t series;
    const struct grouping *grouping;
    struct chains of_frames;  /* of the keys that frames have */
    uint32_t *frame_groups;   /* by frame: the end of its chain */
    uint32_t no_frame_group;  /* that of samples without a stack */
    struct chains of_samples; /* of the keys that samples have */
    uint32_t *tasks;          /* as of tasks_of_stacks; NULL when not asked for */
    uint32_t *futures;        /* as of own_futures_of_stacks; the same */
    uint32_t *calls;          /* as of system_calls_of_stacks; the same */
    uint32_t *tids;           /* as of numbered_names_of_threads; the same */
    uint32_t *pids;           /* as of numbered_names_of_processes; the same */
    struct file_names files;  /* empty when neither files nor lines are asked for */
    struct pair_index groups; /* sample's and frame's part */
    uint32_t *first_groups;   /* by frame's part: that of sample's part 0, as it mostly is; or PROFILE_NONE */
    VEC(struct group) items;  /* by the id of that pair */
    uint64_t whole;           /* what all samples weigh */
};

/*
 * The groups of a series. Strings that groups have are added to the profile, which is borrowed, as is the
 * grouping. To be released with grouper_done.
 */
struct grouper grouper_of(struct profile *profile, uint32_t series, const struct grouping *grouping);

void grouper_done(struct grouper *grouper);

/*
 * What the group, an index of `items`, has of each key: by key the number of a function, PROFILE_NONE for
 * none, or a string of the profile. `values` has room for GROUP_KEYS_MOST.
 */
void grouper_values(const struct grouper *grouper, uint32_t group, uint32_t *values);

#endif

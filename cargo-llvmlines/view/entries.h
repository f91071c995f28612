/* The groups that are shown, each with its name, in the order of the table. */
#ifndef VIEW_ENTRIES_H
#define VIEW_ENTRIES_H

#include "base/vec.h"
#include "groups/group_sizes.h"
#include "groups/groups.h"

struct entry {
    struct group group;
    struct slice label;
    struct slice version;   /* of the crate that the name begins with; without data where not known */
    struct group_size size; /* all 0 where it was not asked for */
};

struct entries {
    VEC(struct entry) items;
};

#endif

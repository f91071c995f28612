/*
 * Which things of two results are the same: those of one name, letter by letter; where a name is on one side
 * alone, all whose names differ only in what compilers count or hash (same_name.h).
 */
#ifndef DELTA_PAIRING_H
#define DELTA_PAIRING_H

#include <stdbool.h>

#include "base/intern.h"
#include "base/vec.h"

/* One thing of either result, in the order in which they were added. */
struct pairing_item {
    uint32_t name;        /* ids in `names`; */
    uint32_t common_name; /* without what does not last */
    uint32_t group;       /* from 0; the same for what is the same thing; set by pairing_finish */
    bool is_after;
};

/* Zero-initialised is empty; to be released with pairing_done. */
struct pairing {
    struct intern names;
    VEC(struct pairing_item) items;
    VEC(bool) is_one_name; /* by group: all its things have the same name, letter by letter */
};

void pairing_done(struct pairing *pairing);

/* Adds a thing that `count` texts name together, of the result before or of the one after. */
void pairing_add(struct pairing *pairing, const struct slice *texts, size_t count, bool is_after);

/* Sets the groups. Which things share one does not depend on the order in which they were added. */
void pairing_finish(struct pairing *pairing);

#endif

/*
 * Which things of two results are the same: those of one name, letter by letter; where a name is on one side
 * alone, all whose names differ only in what compilers count or hash (same_name.h). Of those, impls for
 * different types are different things where all names tell the type: where one does not, there was one impl.
 */
#ifndef DELTA_PAIRING_H
#define DELTA_PAIRING_H

#include <stdbool.h>

#include "base/intern.h"
#include "base/text.h"
#include "base/vec.h"

/* One thing of either result, in the order in which they were added. */
struct pairing_item {
    uint32_t name;        /* ids in `names`; */
    uint32_t typed_name;  /* without what does not last but for an impl's type; */
    uint32_t common_name; /* without what does not last */
    uint32_t group;       /* from 0; the same for what is the same thing; set by pairing_finish */
    bool is_after;
};

/* How much of their names the things of one group have in common. */
enum pairing_likeness { PAIRING_WHOLE_NAMES, PAIRING_TYPED_NAMES, PAIRING_COMMON_NAMES };

/* Zero-initialised is empty; to be released with pairing_done. */
struct pairing {
    struct intern names;
    VEC(struct pairing_item) items;
    VEC(enum pairing_likeness) groups;
};

void pairing_done(struct pairing *pairing);

/* Adds a thing that `count` texts name together, of the result before or of the one after. */
void pairing_add(struct pairing *pairing, const struct slice *texts, size_t count, bool is_after);

/* Sets the groups. Which things share one does not depend on the order in which they were added. */
void pairing_finish(struct pairing *pairing);

/* Appends the part of a name that all things of the group have. */
void pairing_add_name(const struct pairing *pairing, uint32_t group, struct slice name, struct text *text);

#endif

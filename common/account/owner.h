/*
 * Who pays for bytes that several functions may need: one function, all functions of a group (a crate)
 * together, or more than one group.
 *
 * An owner is a number: below function_count a function; from there on the group of the rest; or one of the
 * constants.
 */
#ifndef ACCOUNT_OWNER_H
#define ACCOUNT_OWNER_H

#include <stdint.h>

#define OWNER_NONE UINT32_MAX          /* nothing tells */
#define OWNER_SHARED (UINT32_MAX - 1)  /* more than one group */
#define OWNER_PADDING (UINT32_MAX - 2) /* alignment; never joined */

/* Groups are below UINT32_MAX / 2, as functions are. Borrowed. */
struct owner_space {
    const uint32_t *group_of; /* by function */
    uint32_t function_count;
};

/* The owner that stands for a whole group; OWNER_NONE stays. */
uint32_t owner_of_group(const struct owner_space *space, uint32_t group);

/* The group of an owner; OWNER_NONE and OWNER_SHARED stay. */
uint32_t owner_group(const struct owner_space *space, uint32_t owner);

/*
 * Who pays for what both need: the function when both are the same one, their group when that is the same,
 * else OWNER_SHARED. OWNER_NONE needs nothing. The order of joining makes no difference.
 */
uint32_t owner_join(const struct owner_space *space, uint32_t one, uint32_t other);

#endif

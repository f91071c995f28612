/*
 * How functions of files are left, by location. Processes have the same code at addresses of their own: what
 * was found for one of them is true of all.
 */
#ifndef COLLECT_KNOWN_RULES_H
#define COLLECT_KNOWN_RULES_H

#include "unwind/unwind.h"

struct known_rule; /* opaque */

/* Zero-initialised is empty and ready; of one profile. To be released with known_rules_done. */
struct known_rules {
    struct known_rule *items; /* owned, each where its location says; NULL: there is none */
};

void known_rules_done(struct known_rules *rules);

/* The rule of a location, until the next addition; NULL where it is not known, or not any more. */
const struct unwind_rule *known_rules_find(const struct known_rules *rules, uint32_t location);

/* Keeps what is true of the location in any process, in place of another one's. */
void known_rules_add(struct known_rules *rules, uint32_t location, const struct unwind_rule *rule);

#endif

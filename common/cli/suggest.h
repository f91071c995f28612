/* "Did you mean …": the known word nearest to one that is not known. */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

#include <stddef.h>

#include "base/slice.h"
#include "cli/options.h"

struct suggestion {
    struct slice wanted;  /* what was typed */
    struct slice nearest; /* the best so far; empty when none is near enough to offer */
    size_t distance;      /* its edit distance; before there is one, one more than is accepted */
};

/*
 * A search for words near `wanted`, which is borrowed. One that differs in more than one letter, and in
 * over a third of them, is not near.
 */
struct suggestion suggestion_for(struct slice wanted);

/* Takes `candidate` (borrowed) when it is nearer than the best so far. */
void suggestion_consider(struct suggestion *suggestion, struct slice candidate);

/* The verb of the command that is nearest to the word, maybe the word itself; empty when none is near. */
struct slice suggestion_of_verb(const struct command *command, struct slice word);

#endif

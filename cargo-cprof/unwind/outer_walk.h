/*
 * A walk up a stack whose copy may be too short: through the copy and on through what is read of the stack
 * itself, as far as that is the same stack. For outer.c.
 */
#ifndef UNWIND_OUTER_WALK_H
#define UNWIND_OUTER_WALK_H

#include "unwind/outer.h"
#include "unwind/outer_thread.h"

struct outer_walk {
    struct outer *outer;
    struct outer_thread *thread; /* NULL while the copy is enough */
    const struct outer_request *request;
    struct unwinder *unwinder;
    const struct reading *reading; /* in use */
    size_t known_count;            /* frames that the copy told; 0: nothing past it was asked for */
    uint64_t frame_start;          /* of the outermost of them; UINT64_MAX: it is the innermost, too */
    size_t differs_at;             /* the first frame that the reading before does not show */
    uint64_t missed;               /* the address that the walk asked for last and was not read; 0: none */
    bool is_too_short;             /* the walk needs more than was read */
    bool has_used;                 /* a word of a reading */
    bool was_refused;
    bool needs_proof;
    struct crossing_result crossed; /* other stacks that it went on on */
    uint64_t crossed_to;            /* the CFA on the first of them, 0: none; */
    bool was_interrupted;           /* which a signal's handler led to */
};

/*
 * Walks as far as memory leads and tells in `end` how that ended: where UNWIND_CROSSING, the stack goes on on
 * another. Whether the frames may be taken, if what was read is.
 */
bool outer_walk_through(struct outer_walk *walk, enum unwind_end *end);

/* A word past the copy, where the walk, which is `context`, has been there or can read it now. */
bool outer_walk_read(void *context, uint64_t address, uint64_t *out);

/* Whether the stack was read in this round, and is the sample's. */
bool outer_walk_has_reading(const struct outer_walk *walk);

/*
 * Whether an address that was asked for is on another stack, to which coroutines, and stacks that are made
 * larger on the way, lead: the memory around the copy ends before it, and it is memory all the same. Whether
 * the stack has changed or not, no part of it is so far away.
 */
bool outer_walk_is_elsewhere(const struct outer_walk *walk, uint64_t address);

#endif

/*
 * The newest reading of one thread's stack and the one before it, held against each other and against the
 * samples from around them.
 */
#ifndef UNWIND_READINGS_H
#define UNWIND_READINGS_H

#include "unwind/callers.h"
#include "unwind/reading.h"
#include "unwind/reading_log.h"

/* Where a sample was when the newest reading was made. */
struct neighbour {
    uint64_t sp;
    bool is_in_it;        /* in its frames, */
    bool is_elsewhere;    /* in others as deep; */
    bool explains;        /* or not so deep: it tells why the reading differs from the one before, */
    bool has_left_caller; /* or all frames that do were gone */
};

/* A frame that the newest reading shows in another call than the one before. */
struct other_call {
    uint64_t cfa; /* 0: there is none */
    uint64_t address_before;
    uint64_t callee; /* the address in what it called, as the newest reading shows it */
};

/* Zero-initialised is before the first reading; what is read is the owner's to release. */
struct readings {
    struct reading newest;
    struct reading before; /* the last one that says something of callers */
    struct reading_log log;
    bool is_open;                 /* no sample from after `newest` was seen, */
    bool is_next;                 /* or the one that was noticed last is the first */
    struct neighbour last;        /* from before it */
    bool has_told;                /* newest, of the callers of some sample; set by who uses it, */
    bool is_compared;             /* and with before */
    struct other_call other_call; /* the outermost, when no more than calls differ */
};

/* Begins with a reading of this look; it holds nothing yet. */
void readings_begin(struct readings *readings, uint32_t look);

/*
 * To be called with each sample, before it is walked, and again when it was read for. The samples just before
 * and after a reading prove it, or tell that the thread was between two calls. Samples of one look are from
 * before its reading.
 */
void readings_notice(struct readings *readings, uint32_t look, const struct unwind_request *walk);

/*
 * To be called when a sample that was noticed is walked as far as its copy goes, before anything is read for
 * it, with its innermost `count` frames.
 */
void readings_explain(struct readings *readings, uint32_t look, const struct unwind_frame *frames,
                      size_t count);

/*
 * How a sample's callers, which the newest reading tells, differ from those that the one before tells: the
 * unwinder's frames from `first` on.
 */
enum callers_difference readings_compare(struct readings *readings, const struct callers *newest,
                                         const struct unwinder *before, size_t first, bool is_complete);

/* Notes how the two differ in the end. */
void readings_note_difference(struct readings *readings, enum callers_difference difference);

/* Whether the newest shows other callers than the one before. */
bool readings_differ(const struct readings *readings);

/* Whether the reading before is proved, and for this sample. */
bool readings_is_before_good(const struct readings *readings, const struct unwind_request *walk);

#endif

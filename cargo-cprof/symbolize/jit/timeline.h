/*
 * Which of the code that a process made stood at some addresses at which time: an address is used again where
 * code is thrown away. Of millions of records only those are kept that tell of these addresses.
 *
 * First all records are taken, file by file, then time goes on.
 */
#ifndef SYMBOLIZE_JIT_TIMELINE_H
#define SYMBOLIZE_JIT_TIMELINE_H

#include "base/pair_index.h"
#include "process/address_space.h"
#include "symbolize/jit/record.h"

enum { JIT_CODE_NONE = UINT32_MAX, JIT_CODE_MOST = 1 << 20 };

/* Code that stands there from some time on, until other code does. */
struct jit_code {
    uint64_t time_ns;
    size_t order;       /* among those of one time: as they were taken */
    uint32_t first;     /* of the addresses, the first that is in it, */
    uint32_t end;       /* and past the last */
    uint32_t file;      /* the caller's id */
    uint64_t record_at; /* there, the record with its name, */
    uint64_t lines_at;  /* and the one with its lines; 0: there is none */
    uint64_t moved_at;  /* the one that tells that it was moved there; 0: it was not */
    uint32_t index_id;  /* then: its code_index in `moved` */
    bool is_nothing;    /* there is no code any more */
};

/* Where code is told of in a file. */
struct jit_told_at {
    uint64_t record_at; /* the record with its name; 0: none */
    uint64_t lines_at;  /* as of struct jit_code */
};

/* To be set up with jit_timeline_init and released with jit_timeline_done. */
struct jit_timeline {
    const uint64_t *avmas; /* borrowed; rising */
    size_t count;
    VEC(struct jit_code) codes;
    struct pair_index
        moved; /* 0, code_index: of that, what has come to one of the addresses from elsewhere */
    VEC(struct jit_told_at) moved_from; /* of each, so far */
    size_t next_moved;                  /* in `codes` */
    size_t next;                        /* in `codes`, by time */
    struct address_space now;           /* by number of the address; the module is that of the code */
};

void jit_timeline_init(struct jit_timeline *timeline, const uint64_t *avmas, size_t count);
void jit_timeline_done(struct jit_timeline *timeline);

/* The records that follow are of another file. */
void jit_timeline_begin_file(struct jit_timeline *timeline);

/*
 * Takes a record that stands there in that file. False when there are JIT_CODE_MOST by now, of which no more
 * is taken. O(log count).
 */
bool jit_timeline_take(struct jit_timeline *timeline, const struct jit_record *record, uint32_t file,
                       uint64_t record_at);

/*
 * Of code that was moved to one of the addresses the name stands in an earlier record, which was not kept:
 * whether there is such, and all records of the file are to be given here, once more, in the same order.
 */
bool jit_timeline_has_moved(const struct jit_timeline *timeline);
void jit_timeline_take_again(struct jit_timeline *timeline, const struct jit_record *record,
                             uint64_t record_at);

/* At that time all code is gone, as with an exec. */
void jit_timeline_take_end(struct jit_timeline *timeline, uint64_t time_ns);

/* Once all is taken: time begins. May be called again. */
void jit_timeline_begin(struct jit_timeline *timeline);

/* Time goes on to there, and never back. Whether anything was made since, up to that time. */
bool jit_timeline_advance(struct jit_timeline *timeline, uint64_t time_ns);

/* Which of `codes` the address with this number is in; JIT_CODE_NONE: none. */
uint32_t jit_timeline_at(const struct jit_timeline *timeline, size_t number);

/* Whether several codes stood at one of the addresses. O(codes + count). */
bool jit_timeline_has_reused(const struct jit_timeline *timeline);

#endif

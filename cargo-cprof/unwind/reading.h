/*
 * What memory held around the outer part of a stack at some moment, to be held against the copies of the
 * stack that samples from before and after came with.
 */
#ifndef UNWIND_READING_H
#define UNWIND_READING_H

#include "unwind/unwind.h"

enum {
    READING_PAGE_BYTES = 4096,
    READING_MOST_BYTES = 9 << 20,   /* of one: the main thread's whole stack, as systems limit it */
    READING_MOST_IN_ALL = 36 << 20, /* of all that are kept of one kind */
};

/* Zero-initialised holds nothing. */
struct reading {
    char *bytes; /* owned */
    uint64_t start;
    size_t length;
    size_t capacity;
    bool is_to_end;       /* memory ends with it */
    bool is_whole;        /* the owner's: it led a walk to the thread's start */
    uint64_t middle;      /* where the copy ended that it was made for, */
    uint64_t frame_start; /* and where the outermost frame began that this copy showed; UINT64_MAX: nowhere */
    uint32_t number;      /* the owner's own count */
    uint32_t round;
};

/*
 * Reads memory of the process that is sampled, from `start` on. Returns how many bytes could be read, up to
 * the first that could not.
 */
typedef size_t reading_fn(void *context, uint64_t start, size_t length, char *out);

struct reading_source {
    reading_fn *read;
    void *context;
};

/* Whether there is memory at the address. */
bool reading_is_memory(struct reading_source source, uint64_t address);

/* Releases what it has of `*total_bytes`, what all readings of one owner have room for. */
void reading_done(struct reading *reading, size_t *total_bytes);

/*
 * Room for so many bytes; nothing is held afterwards. False, with the room as it was, where all readings of
 * the owner would have more than READING_MOST_IN_ALL.
 */
bool reading_make_room(struct reading *reading, size_t length, size_t *total_bytes);

/*
 * Reads from the page of the copy's start up to `end`, which is past the copy's and less than `capacity`
 * away. Returns false, holding nothing, when what the copy shows or what follows it cannot be read. Memory
 * may end before `end`.
 */
bool reading_fill(struct reading *reading, struct reading_source source, const struct unwind_request *walk,
                  uint64_t end);

/* Where the copy that a sample came with begins as pages go, and where it ends. */
uint64_t reading_start_for(const struct unwind_request *walk);
uint64_t reading_end_of_copy(const struct unwind_request *walk);

/* The words at the end of a copy that are compared with memory begin here. */
uint64_t reading_tail_start(const struct unwind_request *walk);

bool reading_holds(const struct reading *reading, uint64_t start, size_t length);

/*
 * Whether the reading still has the last words of the sample's copy. Where all of these are of one frame,
 * which begins at `frame_start`, what it was called from is the same though a few of its variables are not:
 * calls are given pointers to variables of their callers. UINT64_MAX where that is not known.
 */
bool reading_has_tail(const struct reading *reading, const struct unwind_request *walk, uint64_t frame_start);

/* Whether the sample was in the frames that the reading was made for. */
bool reading_is_around(const struct reading *reading, const struct unwind_request *walk);

/* Whether the sample's stack went down to where these frames would be. */
bool reading_is_as_deep(const struct reading *reading, const struct unwind_request *walk);

#endif

/* A thread whose stack is deeper than the copy, and what the process has of it now. */
#ifndef TESTS_OUTER_FIXTURE_H
#define TESTS_OUTER_FIXTURE_H

#include "cmocka_all.h"

#include "unwind/outer.h"

/*
 * A thread's stack in ordinary memory, from STACK_START on: frames of FRAME_WORDS words, the return address
 * the last of them. Addresses from 0x1000 on are calls, those from 0x9000 on are the outermost function.
 */
enum {
    STACK_START = 0x1000000,
    FRAME_WORDS = 16,
    FRAME_BYTES = 8 * FRAME_WORDS,
    COPY_BYTES = 65528,
    KNOWN_FRAMES = COPY_BYTES / FRAME_BYTES + 1, /* the last one's return address is past the copy */
    MOST_FRAMES = 12000,
    CALL = 0x1000,
    OTHER_CALL = 0x2000,
    BIG_FRAME = 0x4000, /* a function with a frame of its own size */
    BIG_FRAME_BYTES = 2048,
    OUTERMOST = 0x9000,
    THREAD = 2,
};

struct fixture {
    struct unwinder unwinder;
    struct outer outer;
    struct registers registers;
    uint64_t *memory; /* what the process has now */
    size_t frame_count;
    char *copy; /* what came with the sample, */
    size_t copy_bytes;
    bool is_gone;
    unsigned read_count;
};

/* For cmocka: a fresh struct fixture as the state. */
int outer_fixture_set_up(void **state);
int outer_fixture_tear_down(void **state);

/* For outer_init. */
size_t read_memory(void *context, uint64_t start, size_t length, char *out);

/* A stack of so many calls, the outermost of all not counted. */
void fill(struct fixture *f, size_t frames, uint64_t call);

/* The same words where the copy ends, under other callers. */
void change_callers(struct fixture *f, uint64_t call);

/* What the process has now is what a sample's copy shows. */
void sample(struct fixture *f);

struct outer_result walk(struct fixture *f);
void assert_completed(struct fixture *f, size_t frames);
void assert_cut(struct fixture *f, enum outer_outcome outcome);

/* So many looks whose samples are completed; the last one's claim. */
struct outer_claim agree(struct fixture *f, unsigned looks);

enum outer_verdict verdict(const struct fixture *f, struct outer_claim claim);

#endif

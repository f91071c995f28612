/* A thread whose stack is deeper than what is copied of it, and a process to read it from. */
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
    WIDE_CALL = 0x5000, /* its frame is of WIDE_BYTES */
    WIDE_BYTES = 7 << 20,
    BARE_CALL = 0x7000, /* of a function without a rule */
    OUTERMOST = 0x9000,
    THREAD = 2,
};

struct outer_fixture {
    struct unwinder unwinder;
    struct outer outer;
    struct registers registers;
    uint64_t *memory; /* what the process has now */
    size_t frame_count;
    char *copy; /* what came with the sample, */
    size_t copy_bytes;
    bool is_gone;
    bool is_of_wait; /* what is walked next */
    unsigned read_count;
    unwind_call_fn *may_call;
};

/* For cmocka: a fresh struct outer_fixture, 2,000 calls deep, as the state. */
int outer_fixture_set_up(void **state);
int outer_fixture_tear_down(void **state);

/* For `outer.read`. */
size_t outer_fixture_read(void *context, uint64_t start, size_t length, char *out);

/* A stack of so many calls, the outermost of all not counted. */
void outer_fixture_fill(struct outer_fixture *f, size_t frames, uint64_t call);

/* What the process has now is what a sample's copy shows. */
void outer_fixture_sample(struct outer_fixture *f);

struct outer_result outer_fixture_walk(struct outer_fixture *f);

/* Walks, and the stack is whole, of so many calls. */
void assert_completed(struct outer_fixture *f, size_t frames);

/* Walks, and the stack is what the copy told. */
void assert_cut(struct outer_fixture *f, enum outer_outcome outcome);

/* So many rounds that find the same callers. */
struct outer_candidate agree(struct outer_fixture *f, unsigned rounds);

#endif

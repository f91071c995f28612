/* A thread's stack and rules to walk up it, as small numbers. */
#ifndef TESTS_UNWIND_FIXTURE_H
#define TESTS_UNWIND_FIXTURE_H

#include "cmocka_all.h"

#include "unwind/unwind.h"

/*
 * A stack from 0x7000 on. The rules are looked up by the hundreds of the address, so that a call and what
 * stands around it share one: rule 1 is for 0x100 to 0x1ff.
 */
enum { STACK_START = 0x7000, STACK_WORDS = 64, RULES = 16 };

struct fixture {
    struct unwinder unwinder;
    uint64_t stack[STACK_WORDS];
    struct cfi_row rows[RULES];
    struct registers registers;
    struct unwind_request request;
    unsigned find_count;
    struct slice section;
    uint64_t code_end;                   /* there is code from 0x100 up to here */
    unsigned inferred;                   /* bit N: rule N was read from the code */
    unsigned moved_stack, fp_is_callers; /* the same: hints of a rule without a row */
    unsigned made;                       /* the same: at run time */
    uint64_t callees[RULES];             /* by rule: that of what its calls call */
    uint32_t entry_count;                /* how often it was asked whether one does */
    uint64_t before_entry;               /* a function that was not called from there begins behind it */
    uint64_t outside;                    /* what unwind_read_fn gives for 0x9000; 0: it fails */
};

/* For cmocka: a fresh struct fixture as the state. */
int unwind_fixture_set_up(void **state);
int unwind_fixture_tear_down(void **state);

/* A function whose frame is this many words from the stack pointer, its return address the last of them. */
struct cfi_row frame_of(int words);

struct cfi_row outermost(void);

/* For unwind_request.read: there is `outside` at 0x9000, unless it is 0. */
bool unwind_fixture_read(void *context, uint64_t address, uint64_t *out);

/* For unwind_request.is_call, by `callees`. */
bool unwind_fixture_is_call(void *context, uint64_t call, uint64_t callee);

/* Walks with the rules as they are now, and compares the end and the addresses. */
void assert_walk(struct fixture *f, enum unwind_end end, const uint64_t *addresses, size_t count);

#define WALK(f, end, ...)                                                                                    \
    assert_walk(f, end, (const uint64_t[]){__VA_ARGS__},                                                     \
                sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

#endif

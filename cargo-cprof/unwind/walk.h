/*
 * One walk up a stack, at the frame that it has come to, and what its steps ask for. For the files of this
 * folder that take steps; unwind.h is for all others.
 */
#ifndef UNWIND_WALK_H
#define UNWIND_WALK_H

#include "unwind/repeat.h"

struct unwind_walk {
    struct unwinder *unwinder;
    const struct unwind_request *request;
    struct unwind_state at;
    struct slice section; /* of the rule in use */
    uint64_t unread_cfa;  /* of the last step, where a rule led to it and what is there could not be read */
    uint64_t crossed_to;  /* the CFA that led over to another stack; 0: none did */
};

/* What is known of how to leave the function at an address, which may be any. Until the next call. */
const struct unwind_rule *walk_find_rule(const struct unwind_walk *walk, uint64_t address);

/* The same of where the walk is, read from the code where nothing else tells. */
const struct unwind_rule *walk_read_rule(const struct unwind_walk *walk, uint64_t address);

/* Whether a function that was not called from there begins behind the address: see unwind_entry_fn. */
bool walk_is_before_entry(const struct unwind_walk *walk, uint64_t address);

/* A word of the stack; false where it cannot be had. */
bool walk_read_word(const struct unwind_walk *walk, uint64_t address, uint64_t *out);

/* What a register held in the frame that the walk has come to; false where that is not known. */
bool walk_followed_value(const struct unwind_walk *walk, const struct unwind_register *followed,
                         uint64_t *out);

/* What the link register held there; false where that is not known, or the machine has none. */
bool walk_link_value(const struct unwind_walk *walk, uint64_t *out);

/* Whether a word may be a return address: there is code before it. */
bool walk_is_return_address(const struct unwind_walk *walk, uint64_t word);

/* Whether it may be that of the call that led to where the walk is. */
bool walk_is_own_return_address(const struct unwind_walk *walk, uint64_t word);

/* Where in its function the walk is: an instruction, or a call. */
static inline uint64_t walk_place(const struct unwind_walk *walk)
{
    return walk->at.is_exact ? walk->at.ip : walk->at.ip - 1;
}

static inline bool walk_is_user_address(uint64_t address)
{
    return address >> 56 == 0;
}

/* Pointer authentication (AArch64) keeps a signature in the bits above the address. */
static inline uint64_t walk_without_signature(uint64_t address)
{
    return address & ((UINT64_C(1) << 48) - 1);
}

static inline struct unwind_register walk_known_as(bool is_known, uint64_t value)
{
    return is_known ? (struct unwind_register){REGISTER_VALUE, value} : (struct unwind_register){0};
}

#endif

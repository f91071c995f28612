#include "unwind/step_by_guess.h"

/*
 * Whether what a program begins with stands here (System V x86-64 ABI §3.4.1, "Initial Process Stack"): a
 * number of arguments, so many pointers to above, and a zero.
 */
static bool are_arguments(const struct unwind_walk *walk, uint64_t at)
{
    enum { WORD = sizeof(uint64_t), MOST_ARGUMENTS = 1 << 16, FARTHEST = 64 << 20 };
    uint64_t count = 0;
    uint64_t pointer = 0;
    uint64_t next = at + WORD;
    uint64_t end = 0;

    if (!walk_read_word(walk, at, &count) || count == 0 || count > MOST_ARGUMENTS)
        return false;
    end = next + count * WORD;
    while (next < end && walk_read_word(walk, next, &pointer) && pointer > end && pointer - end < FARTHEST)
        next += WORD;
    return next == end && walk_read_word(walk, end, &pointer) && pointer == 0;
}

/*
 * Whether nothing but the start of the program or the thread is left above `sp`, as where a C library without
 * call frame information calls main: its arguments, or a return address into code that is outermost, with no
 * other return address before.
 */
static bool is_near_start(const struct unwind_walk *walk, uint64_t sp)
{
    enum { WORD = sizeof(uint64_t), MOST_WORDS = 32 };
    uint64_t value = 0;

    for (uint64_t at = sp; at < sp + MOST_WORDS * (uint64_t)WORD; at += WORD) {
        const struct unwind_rule *rule = NULL;

        if (are_arguments(walk, at))
            return true;
        if (!walk_read_word(walk, at, &value))
            return false;
        if (!walk_is_return_address(walk, value))
            continue;
        rule = walk_read_rule(walk, value - 1);
        if (rule->row.cfa_rule != CFI_CFA_NONE)
            return rule->row.return_rule == CFI_UNDEFINED;
    }
    return false;
}

/* A word that code has stored as its return address. */
static uint64_t address_in(uint64_t word)
{
    return REGISTERS_HAVE_LINK ? walk_without_signature(word) : word;
}

/*
 * Whether the return address is still in the link register, of what was interrupted: it leads to a function
 * that has call frame information, so that this one is another. In one that has made calls of its own the
 * register may lead back into itself.
 */
static bool find_in_link(const struct unwind_walk *walk, uint64_t *ip)
{
    const struct unwind_rule *rule = NULL;

    if (!walk->at.is_exact || !walk_link_value(walk, ip))
        return false;
    *ip = walk_without_signature(*ip);
    if (!walk_is_own_return_address(walk, *ip))
        return false;
    rule = walk_find_rule(walk, *ip - 1);
    return rule->row.cfa_rule != CFI_CFA_NONE && !rule->is_inferred;
}

/*
 * What the stack pointer is in the caller, `ip`, of a frame with that frame pointer. HotSpot's interpreter
 * has it right below (interpreter_frame_sender_sp_offset in its frame_x86.hpp): between the frames of
 * compiled callers, which are left by it, and its own are the arguments, as it takes them. Elsewhere anything
 * is there.
 */
static uint64_t callers_sp(const struct unwind_walk *walk, uint64_t fp, uint64_t ip)
{
    enum { WORD = sizeof(uint64_t), MOST_ARGUMENTS = 256 }; /* JVM specification, 4.11: 255, some two words */
    const struct unwind_rule *caller = walk_find_rule(walk, ip - 1);
    uint64_t behind = fp + 2 * (uint64_t)WORD;
    uint64_t kept = 0;
    bool is_kept = caller->is_made && caller->row.cfa_rule == CFI_CFA_REGISTER &&
                   caller->row.cfa_register == REGISTERS_SP && walk_read_word(walk, fp - WORD, &kept) &&
                   kept % WORD == 0 && kept > behind && kept - behind <= (uint64_t)MOST_ARGUMENTS * WORD;

    return is_kept ? kept : behind;
}

enum unwind_end step_by_guess(struct unwind_walk *walk, struct code_hints hints, uint64_t *cfa, bool *is_last)
{
    enum { WORD = sizeof(uint64_t), LARGEST_FRAME = 1 << 20 };
    struct unwind_state *state = &walk->at;
    uint64_t fp = 0;
    uint64_t ip = 0;
    uint64_t caller_fp = 0;

    if (find_in_link(walk, &ip)) {
        *cfa = state->sp;
        state->sp_is_guess = true;
    } else if (!hints.fp_is_callers && walk_followed_value(walk, &state->fp, &fp) && fp % WORD == 0 &&
               fp >= state->sp && fp - state->sp < LARGEST_FRAME && walk_read_word(walk, fp, &caller_fp) &&
               walk_read_word(walk, fp + WORD, &ip) && walk_is_own_return_address(walk, address_in(ip))) {
        *cfa = hints.is_made ? callers_sp(walk, fp, address_in(ip)) : fp + 2 * (uint64_t)WORD;
        state->fp = walk_known_as(true, caller_fp);
        state->sp_is_guess = REGISTERS_HAVE_LINK || hints.moved_stack;
    } else if (!REGISTERS_HAVE_LINK && state->is_exact && !hints.moved_stack &&
               walk_read_word(walk, state->sp, &ip) && walk_is_own_return_address(walk, ip)) {
        *cfa = state->sp + WORD;
    } else {
        *is_last =
            !state->is_exact && walk_is_return_address(walk, state->ip) && is_near_start(walk, state->sp);
        return *is_last ? UNWIND_COMPLETE : UNWIND_NO_RULE;
    }
    if (*cfa < state->sp) /* over the end of memory */
        return UNWIND_BAD;
    state->ip = address_in(ip);
    state->sp = *cfa;
    state->bp = (struct unwind_register){0};
    state->link = (struct unwind_register){0};
    state->is_exact = false;
    state->is_innermost = false;
    return UNWIND_COMPLETE;
}

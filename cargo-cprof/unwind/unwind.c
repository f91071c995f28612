#include "unwind/unwind.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dwarf/cfi_expression.h"
#include "unwind/repeat.h"

enum { CACHE_BITS = 14, CACHE_ENTRIES = 1 << CACHE_BITS };

/* Each takes one line of the processor's cache, where most of a walk's time goes. */
struct unwind_entry {
    struct unwind_rule rule;
    uint32_t generation;
    bool is_used;
};

_Static_assert(sizeof(struct unwind_entry) == 64, "an entry is one line");
_Static_assert(UNWIND_MOST_FRAMES == 16384, "facts/quality.c says so");

/* One walk, at the frame that it has come to. */
struct walk {
    struct unwinder *unwinder;
    const struct unwind_request *request;
    struct unwind_state at;
    struct slice section; /* of the rule in use */
};

void unwinder_init(struct unwinder *unwinder)
{
    *unwinder = (struct unwinder){
        .cache = memory_new_sparse(CACHE_ENTRIES * sizeof(*unwinder->cache)), /* begins with a page */
        .repeats = unwind_repeats_new(),
        .frames = memory_new(UNWIND_MOST_FRAMES, sizeof(*unwinder->frames)),
    };
}

void unwinder_done(struct unwinder *unwinder)
{
    if (unwinder->cache)
        memory_free_sparse(unwinder->cache, CACHE_ENTRIES * sizeof(*unwinder->cache));
    unwind_repeats_free(unwinder->repeats);
    free(unwinder->frames);
    *unwinder = (struct unwinder){0};
}

void unwinder_forget(struct unwinder *unwinder)
{
    memset(unwinder->cache, 0, CACHE_ENTRIES * sizeof(*unwinder->cache));
    unwind_repeats_forget(unwinder->repeats);
}

/* Fibonacci hashing: neighbouring addresses go to places far apart. */
static size_t place_of(uint64_t address, uint32_t generation)
{
    return (size_t)((address + ((uint64_t)generation << 48)) * UINT64_C(0x9e3779b97f4a7c15) >>
                    (64 - CACHE_BITS));
}

static const struct unwind_rule *find_rule(const struct walk *walk, uint64_t address)
{
    const struct unwind_request *request = walk->request;
    struct unwind_entry *entry = &walk->unwinder->cache[place_of(address, request->generation)];

    if (entry->is_used && entry->rule.row.svma == address && entry->generation == request->generation)
        return &entry->rule;
    *entry = (struct unwind_entry){.generation = request->generation, .is_used = true};
    request->find(request->context, address, &entry->rule);
    entry->rule.row.svma = address;
    return &entry->rule;
}

static bool read_word(const struct walk *walk, uint64_t address, uint64_t *out)
{
    const struct unwind_request *request = walk->request;

    if (unwind_is_copied(request, address)) {
        memcpy(out, request->stack.data + (address - request->stack_start), sizeof(*out));
        repeat_note_word(walk->unwinder->repeats, address, *out);
        return true;
    }
    if (!request->read || !request->read(request->read_context, address, out)) {
        repeat_note_other(walk->unwinder->repeats);
        return false;
    }
    repeat_note_word_past_copy(walk->unwinder->repeats, address, *out);
    return true;
}

static bool followed_value(const struct walk *walk, const struct unwind_register *followed, uint64_t *out)
{
    if (followed->kind == REGISTER_STORED)
        return read_word(walk, followed->value, out);
    *out = followed->value;
    return followed->kind == REGISTER_VALUE;
}

static bool register_value(const struct walk *walk, uint32_t number, uint64_t *out)
{
    const struct registers *registers = walk->request->registers;

    if (number == REGISTERS_FP && walk->at.fp.kind != REGISTER_UNKNOWN)
        return followed_value(walk, &walk->at.fp, out);
    if (number == REGISTERS_BP && walk->at.bp.kind != REGISTER_UNKNOWN)
        return followed_value(walk, &walk->at.bp, out);
    if (number == REGISTERS_SP)
        *out = walk->at.sp;
    else if (number == REGISTERS_IP)
        *out = walk->at.ip;
    else if (number < REGISTERS_COUNT && walk->at.is_innermost && registers->known >> number & 1)
        *out = registers->values[number];
    else
        return false;
    return true;
}

static uint64_t plus(uint64_t address, int64_t offset)
{
    return address + (uint64_t)offset;
}

static bool find_register(const void *context, uint32_t number, uint64_t *out)
{
    return register_value(context, number, out);
}

static bool read_memory(const void *context, uint64_t address, uint64_t *out)
{
    const struct walk *walk = context;

    return read_word(walk, address, out);
}

static enum unwind_end compute(const struct walk *walk, int32_t offset, const uint64_t *cfa, uint64_t *out)
{
    struct cfi_surroundings surroundings = {find_register, read_memory, walk};

    switch (cfi_expression_run(walk->section, (uint32_t)offset, cfa, &surroundings, out)) {
    case CFI_VALUE_KNOWN:
        return UNWIND_COMPLETE;
    case CFI_VALUE_UNREADABLE:
        return UNWIND_UNREADABLE;
    default:
        return UNWIND_NO_RULE;
    }
}

/* The CFA, and in `base` the value of the register that it was made from. */
static enum unwind_end find_cfa(const struct walk *walk, const struct cfi_row *row, uint64_t *base,
                                uint64_t *cfa)
{
    enum { IN_PLT_ENTRY = 15, PUSHED_BYTES = 8, WORD_BYTES = 8 };

    if (row->cfa_rule == CFI_CFA_PLT) {
        bool has_pushed = (walk->at.ip & IN_PLT_ENTRY) >= row->cfa_register;

        *base = walk->at.sp;
        *cfa = plus(walk->at.sp, row->cfa_offset) + (has_pushed ? PUSHED_BYTES : 0);
        return UNWIND_COMPLETE;
    }
    if (row->cfa_rule == CFI_CFA_EXPRESSION)
        return compute(walk, row->cfa_offset, NULL, cfa);
    if (row->cfa_rule != CFI_CFA_REGISTER && row->cfa_rule != CFI_CFA_MEMORY)
        return UNWIND_NO_RULE;
    if ((row->cfa_register == REGISTERS_SP && walk->at.sp_is_guess) ||
        !register_value(walk, row->cfa_register, base))
        return UNWIND_NO_RULE;
    *cfa = plus(*base, row->cfa_offset);
    if (row->cfa_rule == CFI_CFA_REGISTER)
        return UNWIND_COMPLETE;
    if (!read_word(walk, *cfa, cfa))
        return UNWIND_UNREADABLE;
    *cfa = plus(*cfa, row->cfa_words * WORD_BYTES);
    return UNWIND_COMPLETE;
}

/* What one register holds in the caller. */
struct saved {
    uint8_t rule; /* enum cfi_register_rule */
    int32_t offset;
    uint32_t number; /* where it is when the rule is CFI_SAME */
};

static enum unwind_end restore(const struct walk *walk, struct saved saved, uint64_t base, uint64_t cfa,
                               uint64_t *out)
{
    uint64_t address = 0;
    enum unwind_end end = UNWIND_COMPLETE;

    switch (saved.rule) {
    case CFI_AT_EXPRESSION:
        end = compute(walk, saved.offset, &cfa, &address);
        if (end != UNWIND_COMPLETE)
            return end;
        return read_word(walk, address, out) ? UNWIND_COMPLETE : UNWIND_UNREADABLE;
    case CFI_IS_EXPRESSION:
        return compute(walk, saved.offset, &cfa, out);
    case CFI_AT_CFA:
        return read_word(walk, plus(cfa, saved.offset), out) ? UNWIND_COMPLETE : UNWIND_UNREADABLE;
    case CFI_AT_BASE:
        return read_word(walk, plus(base, saved.offset), out) ? UNWIND_COMPLETE : UNWIND_UNREADABLE;
    case CFI_IS_CFA:
        *out = plus(cfa, saved.offset);
        return UNWIND_COMPLETE;
    case CFI_SAME:
        return register_value(walk, saved.number, out) ? UNWIND_COMPLETE : UNWIND_NO_RULE;
    case CFI_IN_REGISTER:
        return register_value(walk, (uint32_t)saved.offset, out) ? UNWIND_COMPLETE : UNWIND_NO_RULE;
    default:
        return UNWIND_NO_RULE;
    }
}

/* Pointer authentication keeps a signature in the bits above the address. */
static uint64_t without_signature(uint64_t address)
{
    return address & ((UINT64_C(1) << 48) - 1);
}

static bool is_user_address(uint64_t address)
{
    return address >> 56 == 0;
}

static struct unwind_register known_as(bool is_known, uint64_t value)
{
    return is_known ? (struct unwind_register){REGISTER_VALUE, value} : (struct unwind_register){0};
}

/*
 * A followed register, as it was in the caller. What was stored below the stack pointer has been taken back:
 * of epilogues LLVM tells the CFA alone.
 */
static struct unwind_register restore_followed(const struct walk *from, const struct unwind_register *now,
                                               struct saved saved, uint64_t base, uint64_t cfa)
{
    uint64_t address = plus(saved.rule == CFI_AT_CFA ? cfa : base, saved.offset);
    uint64_t value = 0;
    enum unwind_end end = UNWIND_COMPLETE;

    if (saved.rule == CFI_SAME)
        return *now;
    if ((saved.rule == CFI_AT_CFA || saved.rule == CFI_AT_BASE) && unwind_is_copied(from->request, address))
        return (struct unwind_register){REGISTER_STORED, address};
    end = restore(from, saved, base, cfa, &value);
    if (end == UNWIND_UNREADABLE && saved.rule == CFI_AT_CFA && address < from->at.sp)
        return *now;
    return known_as(end == UNWIND_COMPLETE, value);
}

/*
 * Goes from a function to its caller, whose state is that of `callee` on entry. UNWIND_COMPLETE: it went;
 * `*is_last` tells that there is none.
 */
static enum unwind_end step(const struct walk *callee, const struct unwind_rule *rule,
                            struct unwind_state *state, uint64_t *cfa, bool *is_last)
{
    const struct unwind_request *request = callee->request;
    const struct cfi_row *row = &rule->row;
    uint64_t base = 0;
    uint64_t ip = 0;
    enum unwind_end end = UNWIND_NO_RULE;

    *is_last = row->return_rule == CFI_UNDEFINED;
    if (*is_last)
        return UNWIND_COMPLETE;
    end = find_cfa(callee, row, &base, cfa);
    if (end == UNWIND_COMPLETE)
        end = restore(callee, (struct saved){row->return_rule, row->return_offset, rule->return_register},
                      base, *cfa, &ip);
    if (end != UNWIND_COMPLETE)
        return end;
    if (row->has_signed_return_address)
        ip = without_signature(ip);
    /* Only the innermost function may leave the stack as it is; a signal's stack may be anywhere. */
    if (!row->is_signal_frame &&
        (*cfa < callee->at.sp || (*cfa == callee->at.sp && !callee->at.is_innermost)))
        return UNWIND_BAD;
    state->fp = restore_followed(
        callee, &callee->at.fp, (struct saved){row->frame_rule, row->frame_offset, REGISTERS_FP}, base, *cfa);
    state->bp = restore_followed(callee, &callee->at.bp,
                                 (struct saved){row->base_rule, row->base_offset, REGISTERS_BP}, base, *cfa);
    state->sp = *cfa;
    state->sp_is_guess = false;
    state->ip = ip;
    state->has_left_copy =
        row->is_signal_frame ? *cfa - request->stack_start >= request->stack.length : state->has_left_copy;
    state->is_exact = row->is_signal_frame;
    state->is_innermost = false;
    if (row->is_signal_frame) /* what comes next depends on where the copy ends */
        repeat_note_other(callee->unwinder->repeats);
    *is_last = ip == 0; /* as code without call frame information marks a thread's start */
    return *is_last || is_user_address(ip) ? UNWIND_COMPLETE : UNWIND_BAD;
}

/* A return address: there is code before it. */
static bool is_return_address(const struct walk *walk, uint64_t ip)
{
    return ip != 0 && is_user_address(ip) && find_rule(walk, ip - 1)->is_code;
}

/* Whether a word is the return address of the call that led to where the walk is. */
static bool is_own_return_address(const struct walk *walk, uint64_t word)
{
    const struct unwind_request *request = walk->request;
    uint64_t at = walk->at.is_exact ? walk->at.ip : walk->at.ip - 1;

    return is_return_address(walk, word) &&
           (!request->is_call || request->is_call(request->context, word - 1, at) ||
            find_rule(walk, word)->row.is_signal_frame); /* a handler's, which nobody called */
}

/*
 * Whether what a program begins with stands here (System V x86-64 ABI §3.4.1, "Initial Process Stack"): a
 * number of arguments, so many pointers to above, and a zero.
 */
static bool are_arguments(const struct walk *walk, uint64_t at)
{
    enum { WORD = sizeof(uint64_t), MOST_ARGUMENTS = 1 << 16, FARTHEST = 64 << 20 };
    uint64_t count = 0;
    uint64_t pointer = 0;
    uint64_t next = at + WORD;
    uint64_t end = 0;

    if (!read_word(walk, at, &count) || count == 0 || count > MOST_ARGUMENTS)
        return false;
    end = next + count * WORD;
    while (next < end && read_word(walk, next, &pointer) && pointer > end && pointer - end < FARTHEST)
        next += WORD;
    return next == end && read_word(walk, end, &pointer) && pointer == 0;
}

/*
 * Whether nothing but the start of the program or the thread is left above `sp`, as where a C library without
 * call frame information calls main: its arguments, or a return address into code that is outermost, with no
 * other return address before.
 */
static bool is_near_start(const struct walk *walk, uint64_t sp)
{
    enum { WORD = sizeof(uint64_t), MOST_WORDS = 32 };
    uint64_t value = 0;

    for (uint64_t at = sp; at < sp + MOST_WORDS * (uint64_t)WORD; at += WORD) {
        const struct unwind_rule *rule = NULL;

        if (are_arguments(walk, at))
            return true;
        if (!read_word(walk, at, &value))
            return false;
        if (!is_return_address(walk, value))
            continue;
        rule = find_rule(walk, value - 1);
        if (rule->row.cfa_rule != CFI_CFA_NONE)
            return rule->row.return_rule == CFI_UNDEFINED;
    }
    return false;
}

/* What was read of a function's code. */
struct code_hints {
    bool moved_stack;
    bool fp_is_callers;
};

static struct code_hints hints_of(const struct unwind_rule *rule)
{
    return (struct code_hints){rule->moved_stack, rule->fp_is_callers};
}

/*
 * Leaves a function that has no call frame information: by the frame pointer, where it leads to a return
 * address; a function that was interrupted may have no frame yet, or never one: its return address is on top
 * then.
 */
static enum unwind_end step_without_rule(struct walk *walk, struct code_hints hints, uint64_t *cfa,
                                         bool *is_last)
{
    enum { WORD = sizeof(uint64_t), LARGEST_FRAME = 1 << 20 };
    struct unwind_state *state = &walk->at;
    uint64_t fp = 0;
    uint64_t ip = 0;
    uint64_t caller_fp = 0;

    if (!hints.fp_is_callers && followed_value(walk, &state->fp, &fp) && fp % WORD == 0 && fp >= state->sp &&
        fp - state->sp < LARGEST_FRAME && read_word(walk, fp, &caller_fp) &&
        read_word(walk, fp + WORD, &ip) && is_own_return_address(walk, ip)) {
        *cfa = fp + 2 * (uint64_t)WORD;
        state->fp = known_as(true, caller_fp);
        state->sp_is_guess = hints.moved_stack;
    } else if (state->is_exact && !hints.moved_stack && read_word(walk, state->sp, &ip) &&
               is_own_return_address(walk, ip)) {
        *cfa = state->sp + WORD;
    } else {
        *is_last = !state->is_exact && is_return_address(walk, state->ip) && is_near_start(walk, state->sp);
        return *is_last ? UNWIND_COMPLETE : UNWIND_NO_RULE;
    }
    if (*cfa < state->sp) /* over the end of memory */
        return UNWIND_BAD;
    state->ip = ip;
    state->sp = *cfa;
    state->bp = (struct unwind_register){0};
    state->is_exact = false;
    state->is_innermost = false;
    return UNWIND_COMPLETE;
}

/*
 * Leaves a function by its rule. One that was read from the code may be mistaken: it counts where it leads to
 * a caller.
 */
static enum unwind_end step_by_rule(struct walk *walk, const struct unwind_rule *rule, uint64_t *cfa,
                                    bool *is_last)
{
    const struct walk callee = *walk;
    const bool is_inferred = rule->is_inferred;
    const struct code_hints hints = hints_of(rule);
    enum unwind_end end = step(&callee, rule, &walk->at, cfa, is_last);

    if (!is_inferred || (end == UNWIND_COMPLETE && is_own_return_address(&callee, walk->at.ip)))
        return end;
    walk->at = callee.at;
    *is_last = false;
    return step_without_rule(walk, hints, cfa, is_last);
}

/*
 * Has the processor fetch the words that this walk will ask for, if it comes through the calls of the one
 * before it, as those of one thread mostly do: each lies in a line of its own that another processor wrote.
 * What is near the start of the copy was fetched with it.
 */
static void fetch_likely_words(const struct unwinder *unwinder, const struct unwind_request *request)
{
    enum { NEAR_BYTES = 4096, MOST_FRAMES = 64 };
    size_t count = unwinder->frame_count;

    for (size_t i = count > MOST_FRAMES ? count - MOST_FRAMES : 0; i < count; i++) {
        uint64_t offset = unwinder->frames[i].cfa - 2 * sizeof(uint64_t) - request->stack_start;

        if (offset >= NEAR_BYTES && offset < request->stack.length)
            __builtin_prefetch(request->stack.data + offset);
    }
}

/* Finds the frame that the walk has come to, and leaves it. */
static enum unwind_end take_step(struct walk *walk, struct unwind_frame *frame, bool *is_last)
{
    const struct unwind_state before = walk->at;
    uint64_t address = before.is_exact ? before.ip : before.ip - 1;
    const struct unwind_rule *rule = find_rule(walk, address);
    uint32_t place = rule->place;
    uint64_t cfa = 0;
    enum unwind_end end = UNWIND_NO_RULE;

    /* Nobody called what a handler returns to: its function begins with the return address. */
    if (rule->row.is_signal_frame && !before.is_exact) {
        place = find_rule(walk, before.ip)->place;
        rule = find_rule(walk, address);
    }
    walk->section = rule->section;
    if (rule->row.cfa_rule == CFI_CFA_NONE)
        end = step_without_rule(walk, hints_of(rule), &cfa, is_last);
    else
        end = step_by_rule(walk, rule, &cfa, is_last);
    *frame = (struct unwind_frame){address, end == UNWIND_COMPLETE ? cfa : 0, place};
    repeat_add(walk->unwinder->repeats, &before, frame);
    return end;
}

enum unwind_end unwind(struct unwinder *unwinder, const struct unwind_request *request)
{
    const struct registers *registers = request->registers;
    struct walk walk = {
        .unwinder = unwinder,
        .request = request,
        .at = {.ip = registers->values[REGISTERS_IP],
               .sp = registers->values[REGISTERS_SP],
               .fp = known_as(registers->known >> REGISTERS_FP & 1, registers->values[REGISTERS_FP]),
               .bp = known_as(registers->known >> REGISTERS_BP & 1, registers->values[REGISTERS_BP]),
               .is_innermost = true,
               .is_exact = true},
    };
    bool is_last = false;

    fetch_likely_words(unwinder, request);
    repeat_begin(unwinder->repeats, request);
    unwinder->frame_count = 0;
    while (unwinder->frame_count < UNWIND_MOST_FRAMES) {
        enum unwind_end end = take_step(&walk, &unwinder->frames[unwinder->frame_count++], &is_last);

        if (end == UNWIND_UNREADABLE && walk.at.has_left_copy)
            return UNWIND_OTHER_STACK;
        if (end != UNWIND_COMPLETE || is_last)
            return end;
        unwinder->frame_count +=
            repeat_steps(unwinder->repeats, request, &walk.at, &unwinder->frames[unwinder->frame_count],
                         UNWIND_MOST_FRAMES - unwinder->frame_count);
    }
    return UNWIND_DEEP;
}

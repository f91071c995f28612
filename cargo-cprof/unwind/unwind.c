#include "unwind/unwind.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dwarf/cfi_expression.h"

enum { CACHE_BITS = 14, CACHE_ENTRIES = 1 << CACHE_BITS };

/* Each takes one line of the processor's cache, where most of a walk's time goes. */
struct unwind_entry {
    struct unwind_rule rule;
    uint32_t generation;
    bool is_used;
};

_Static_assert(sizeof(struct unwind_entry) == 64, "an entry is one line");

/* The registers that are followed up the stack. All others are known of the innermost frame alone. */
struct state {
    const struct unwind_request *request;
    uint64_t ip, sp, fp, bp;
    bool is_innermost;
    bool is_exact; /* ip is the instruction itself, not one behind a call */
    bool fp_is_known;
    bool bp_is_known;
    bool has_left_copy;   /* a signal's frame led to a stack that the copy is not of */
    struct slice section; /* of the rule in use */
};

void unwinder_init(struct unwinder *unwinder)
{
    *unwinder = (struct unwinder){
        .cache = memory_new_sparse(CACHE_ENTRIES * sizeof(*unwinder->cache)), /* begins with a page */
        .frames = memory_new(UNWIND_MOST_FRAMES, sizeof(*unwinder->frames)),
    };
}

void unwinder_done(struct unwinder *unwinder)
{
    if (unwinder->cache)
        memory_free_sparse(unwinder->cache, CACHE_ENTRIES * sizeof(*unwinder->cache));
    free(unwinder->frames);
    *unwinder = (struct unwinder){0};
}

void unwinder_forget(struct unwinder *unwinder)
{
    memset(unwinder->cache, 0, CACHE_ENTRIES * sizeof(*unwinder->cache));
}

/* Fibonacci hashing: neighbouring addresses go to places far apart. */
static size_t place_of(uint64_t address, uint32_t generation)
{
    return (size_t)((address + ((uint64_t)generation << 48)) * UINT64_C(0x9e3779b97f4a7c15) >>
                    (64 - CACHE_BITS));
}

static const struct unwind_rule *find_rule(struct unwinder *unwinder, const struct unwind_request *request,
                                           uint64_t address)
{
    struct unwind_entry *entry = &unwinder->cache[place_of(address, request->generation)];

    if (entry->is_used && entry->rule.row.svma == address && entry->generation == request->generation)
        return &entry->rule;
    *entry = (struct unwind_entry){.generation = request->generation, .is_used = true};
    request->find(request->context, address, &entry->rule);
    entry->rule.row.svma = address;
    return &entry->rule;
}

static bool read_word(const struct unwind_request *request, uint64_t address, uint64_t *out)
{
    uint64_t offset = address - request->stack_start; /* of what lies before the copy: past any length */

    if (request->stack.length >= sizeof(*out) && offset <= request->stack.length - sizeof(*out)) {
        memcpy(out, request->stack.data + offset, sizeof(*out));
        return true;
    }
    return request->read && request->read(request->context, address, out);
}

static bool register_value(const struct state *state, uint32_t number, uint64_t *out)
{
    const struct registers *registers = state->request->registers;

    if (number == REGISTERS_SP)
        *out = state->sp;
    else if (number == REGISTERS_FP && state->fp_is_known)
        *out = state->fp;
    else if (number == REGISTERS_BP && state->bp_is_known)
        *out = state->bp;
    else if (number == REGISTERS_IP)
        *out = state->ip;
    else if (number < REGISTERS_COUNT && state->is_innermost && registers->known >> number & 1)
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
    const struct state *state = context;

    return read_word(state->request, address, out);
}

static enum unwind_end compute(const struct state *state, int32_t offset, const uint64_t *cfa, uint64_t *out)
{
    struct cfi_surroundings surroundings = {find_register, read_memory, state};

    switch (cfi_expression_run(state->section, (uint32_t)offset, cfa, &surroundings, out)) {
    case CFI_VALUE_KNOWN:
        return UNWIND_COMPLETE;
    case CFI_VALUE_UNREADABLE:
        return UNWIND_UNREADABLE;
    default:
        return UNWIND_NO_RULE;
    }
}

/* The CFA, and in `base` the value of the register that it was made from. */
static enum unwind_end find_cfa(const struct state *state, const struct cfi_row *row, uint64_t *base,
                                uint64_t *cfa)
{
    enum { IN_PLT_ENTRY = 15, PUSHED_BYTES = 8 };

    if (row->cfa_rule == CFI_CFA_PLT) {
        bool has_pushed = (state->ip & IN_PLT_ENTRY) >= row->cfa_register;

        *base = state->sp;
        *cfa = plus(state->sp, row->cfa_offset) + (has_pushed ? PUSHED_BYTES : 0);
        return UNWIND_COMPLETE;
    }
    if (row->cfa_rule == CFI_CFA_EXPRESSION)
        return compute(state, row->cfa_offset, NULL, cfa);
    if (row->cfa_rule != CFI_CFA_REGISTER && row->cfa_rule != CFI_CFA_MEMORY)
        return UNWIND_NO_RULE;
    if (!register_value(state, row->cfa_register, base))
        return UNWIND_NO_RULE;
    *cfa = plus(*base, row->cfa_offset);
    if (row->cfa_rule == CFI_CFA_MEMORY && !read_word(state->request, *cfa, cfa))
        return UNWIND_UNREADABLE;
    return UNWIND_COMPLETE;
}

/* What one register holds in the caller. */
struct saved {
    uint8_t rule; /* enum cfi_register_rule */
    int32_t offset;
    uint32_t number; /* where it is when the rule is CFI_SAME */
};

static enum unwind_end restore(const struct state *state, struct saved saved, uint64_t base, uint64_t cfa,
                               uint64_t *out)
{
    uint64_t address = 0;
    enum unwind_end end = UNWIND_COMPLETE;

    switch (saved.rule) {
    case CFI_AT_EXPRESSION:
        end = compute(state, saved.offset, &cfa, &address);
        if (end != UNWIND_COMPLETE)
            return end;
        return read_word(state->request, address, out) ? UNWIND_COMPLETE : UNWIND_UNREADABLE;
    case CFI_IS_EXPRESSION:
        return compute(state, saved.offset, &cfa, out);
    case CFI_AT_CFA:
        return read_word(state->request, plus(cfa, saved.offset), out) ? UNWIND_COMPLETE : UNWIND_UNREADABLE;
    case CFI_AT_BASE:
        return read_word(state->request, plus(base, saved.offset), out) ? UNWIND_COMPLETE : UNWIND_UNREADABLE;
    case CFI_IS_CFA:
        *out = plus(cfa, saved.offset);
        return UNWIND_COMPLETE;
    case CFI_SAME:
        return register_value(state, saved.number, out) ? UNWIND_COMPLETE : UNWIND_NO_RULE;
    case CFI_IN_REGISTER:
        return register_value(state, (uint32_t)saved.offset, out) ? UNWIND_COMPLETE : UNWIND_NO_RULE;
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

/*
 * A followed register, as it was in the caller. What was stored below the stack pointer has been taken back:
 * of epilogues LLVM tells the CFA alone.
 */
static bool restore_one(const struct state *from, struct saved saved, uint64_t base, uint64_t cfa,
                        uint64_t *out)
{
    enum unwind_end end = restore(from, saved, base, cfa, out);

    if (end == UNWIND_UNREADABLE && saved.rule == CFI_AT_CFA && plus(cfa, saved.offset) < from->sp)
        return register_value(from, saved.number, out);
    return end == UNWIND_COMPLETE;
}

/* The registers that are followed, as they were in the caller. Those of `from` tell. */
static void restore_followed(const struct state *from, const struct cfi_row *row, uint64_t base, uint64_t cfa,
                             struct state *to)
{
    uint64_t value = 0;

    to->fp_is_known = restore_one(from, (struct saved){row->frame_rule, row->frame_offset, REGISTERS_FP},
                                  base, cfa, &value);
    to->fp = value;
    to->bp_is_known =
        restore_one(from, (struct saved){row->base_rule, row->base_offset, REGISTERS_BP}, base, cfa, &value);
    to->bp = value;
}

/*
 * Goes from a function to its caller, whose state is that of `callee` on entry. UNWIND_COMPLETE: it went;
 * `*is_last` tells that there is none.
 */
static enum unwind_end step(const struct state *callee, const struct unwind_rule *rule, struct state *state,
                            uint64_t *cfa, bool *is_last)
{
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
    if (!row->is_signal_frame && (*cfa < callee->sp || (*cfa == callee->sp && !callee->is_innermost)))
        return UNWIND_BAD;
    restore_followed(callee, row, base, *cfa, state);
    state->sp = *cfa;
    state->ip = ip;
    state->has_left_copy = row->is_signal_frame
                               ? *cfa - state->request->stack_start >= state->request->stack.length
                               : state->has_left_copy;
    state->is_exact = row->is_signal_frame;
    state->is_innermost = false;
    *is_last = ip == 0; /* as code without call frame information marks a thread's start */
    return *is_last || is_user_address(ip) ? UNWIND_COMPLETE : UNWIND_BAD;
}

/* A return address: there is code before it. */
static bool is_return_address(struct unwinder *unwinder, const struct unwind_request *request, uint64_t ip)
{
    return ip != 0 && is_user_address(ip) && find_rule(unwinder, request, ip - 1)->is_code;
}

/*
 * Whether what a program begins with stands here (System V x86-64 ABI §3.4.1, "Initial Process Stack"): a
 * number of arguments, so many pointers to above, and a zero.
 */
static bool are_arguments(const struct unwind_request *request, uint64_t at)
{
    enum { WORD = sizeof(uint64_t), MOST_ARGUMENTS = 1 << 16, FARTHEST = 64 << 20 };
    uint64_t count = 0;
    uint64_t pointer = 0;
    uint64_t next = at + WORD;
    uint64_t end = 0;

    if (!read_word(request, at, &count) || count == 0 || count > MOST_ARGUMENTS)
        return false;
    end = next + count * WORD;
    while (next < end && read_word(request, next, &pointer) && pointer > end && pointer - end < FARTHEST)
        next += WORD;
    return next == end && read_word(request, end, &pointer) && pointer == 0;
}

/*
 * Whether nothing but the start of the program or the thread is left above `sp`, as where a C library without
 * call frame information calls main: its arguments, or a return address into code that is outermost, with no
 * other return address before.
 */
static bool is_near_start(struct unwinder *unwinder, const struct unwind_request *request, uint64_t sp)
{
    enum { WORD = sizeof(uint64_t), MOST_WORDS = 32 };
    uint64_t value = 0;

    for (uint64_t at = sp; at < sp + MOST_WORDS * (uint64_t)WORD; at += WORD) {
        const struct unwind_rule *rule = NULL;

        if (are_arguments(request, at))
            return true;
        if (!read_word(request, at, &value))
            return false;
        if (!is_return_address(unwinder, request, value))
            continue;
        rule = find_rule(unwinder, request, value - 1);
        if (rule->row.cfa_rule != CFI_CFA_NONE)
            return rule->row.return_rule == CFI_UNDEFINED;
    }
    return false;
}

/*
 * Leaves a function that has no call frame information: by the frame pointer, where it leads to a return
 * address; a function that was interrupted may have no frame yet, or never one: its return address is on top
 * then.
 */
static enum unwind_end step_without_rule(struct unwinder *unwinder, struct state *state, uint64_t *cfa,
                                         bool *is_last)
{
    enum { WORD = sizeof(uint64_t), LARGEST_FRAME = 1 << 20 };
    const struct unwind_request *request = state->request;
    uint64_t fp = 0;
    uint64_t ip = 0;

    if (state->fp_is_known && state->fp % WORD == 0 && state->fp >= state->sp &&
        state->fp - state->sp < LARGEST_FRAME && read_word(request, state->fp, &fp) &&
        read_word(request, state->fp + WORD, &ip) && is_return_address(unwinder, request, ip)) {
        *cfa = state->fp + 2 * (uint64_t)WORD;
        state->fp = fp;
    } else if (state->is_exact && read_word(request, state->sp, &ip) &&
               is_return_address(unwinder, request, ip)) {
        *cfa = state->sp + WORD;
    } else {
        *is_last = !state->is_exact && is_return_address(unwinder, request, state->ip) &&
                   is_near_start(unwinder, request, state->sp);
        return *is_last ? UNWIND_COMPLETE : UNWIND_NO_RULE;
    }
    if (*cfa < state->sp) /* over the end of memory */
        return UNWIND_BAD;
    state->ip = ip;
    state->sp = *cfa;
    state->bp_is_known = false;
    state->is_exact = false;
    state->is_innermost = false;
    return UNWIND_COMPLETE;
}

/*
 * Leaves a function by its rule. One that was read from the code may be mistaken: it counts where it leads to
 * a caller.
 */
static enum unwind_end step_by_rule(struct unwinder *unwinder, const struct unwind_rule *rule,
                                    struct state *state, uint64_t *cfa, bool *is_last)
{
    const struct state callee = *state;
    const bool is_inferred = rule->is_inferred;
    enum unwind_end end = step(&callee, rule, state, cfa, is_last);

    if (!is_inferred || (end == UNWIND_COMPLETE && is_return_address(unwinder, state->request, state->ip)))
        return end;
    *state = callee;
    *is_last = false;
    return step_without_rule(unwinder, state, cfa, is_last);
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

enum unwind_end unwind(struct unwinder *unwinder, const struct unwind_request *request)
{
    const struct registers *registers = request->registers;
    struct state state = {
        .request = request,
        .ip = registers->values[REGISTERS_IP],
        .sp = registers->values[REGISTERS_SP],
        .fp = registers->values[REGISTERS_FP],
        .is_innermost = true,
        .is_exact = true,
        .bp = registers->values[REGISTERS_BP],
        .fp_is_known = registers->known >> REGISTERS_FP & 1,
        .bp_is_known = registers->known >> REGISTERS_BP & 1,
    };
    bool is_last = false;

    fetch_likely_words(unwinder, request);
    unwinder->frame_count = 0;
    while (unwinder->frame_count < UNWIND_MOST_FRAMES) {
        struct unwind_frame *frame = &unwinder->frames[unwinder->frame_count++];
        uint64_t address = state.is_exact ? state.ip : state.ip - 1;
        const struct unwind_rule *rule = find_rule(unwinder, request, address);
        uint32_t place = rule->place;
        uint64_t cfa = 0;
        enum unwind_end end = UNWIND_NO_RULE;

        /* Nobody called what a handler returns to: its function begins with the return address. */
        if (rule->row.is_signal_frame && !state.is_exact) {
            place = find_rule(unwinder, request, state.ip)->place;
            rule = find_rule(unwinder, request, address);
        }
        state.section = rule->section;
        if (rule->row.cfa_rule == CFI_CFA_NONE)
            end = step_without_rule(unwinder, &state, &cfa, &is_last);
        else
            end = step_by_rule(unwinder, rule, &state, &cfa, &is_last);
        *frame = (struct unwind_frame){address, end == UNWIND_COMPLETE ? cfa : 0, place};
        if (end == UNWIND_UNREADABLE && state.has_left_copy)
            return UNWIND_OTHER_STACK;
        if (end != UNWIND_COMPLETE || is_last)
            return end;
    }
    return UNWIND_DEEP;
}

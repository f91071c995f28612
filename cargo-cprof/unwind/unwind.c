#include "unwind/unwind.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { CACHE_ENTRIES = 1 << 12 };

struct unwind_entry {
    uint64_t address;
    uint32_t generation;
    bool is_used;
    struct unwind_rule rule;
};

/* The registers that are followed up the stack. All others are known of the innermost frame alone. */
struct state {
    const struct unwind_request *request;
    uint64_t ip, sp, fp;
    bool is_innermost;
    bool is_exact; /* ip is the instruction itself, not one behind a call */
    bool fp_is_known;
};

void unwinder_init(struct unwinder *unwinder)
{
    *unwinder = (struct unwinder){
        .cache = memory_new(CACHE_ENTRIES, sizeof(*unwinder->cache)),
        .frames = memory_new(UNWIND_MOST_FRAMES, sizeof(*unwinder->frames)),
    };
}

void unwinder_done(struct unwinder *unwinder)
{
    free(unwinder->cache);
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
    return (size_t)((address + ((uint64_t)generation << 48)) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - 12));
}

static const struct unwind_rule *find_rule(struct unwinder *unwinder, const struct unwind_request *request,
                                           uint64_t address)
{
    struct unwind_entry *entry = &unwinder->cache[place_of(address, request->generation)];

    if (entry->is_used && entry->address == address && entry->generation == request->generation)
        return &entry->rule;
    *entry = (struct unwind_entry){.address = address, .generation = request->generation, .is_used = true};
    request->find(request->context, address, &entry->rule);
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
    switch (saved.rule) {
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

/* Goes from a function to its caller. UNWIND_COMPLETE: it went; `*is_last` tells that there is none. */
static enum unwind_end step(struct state *state, const struct unwind_rule *rule, uint64_t *cfa, bool *is_last)
{
    const struct cfi_row *row = &rule->row;
    uint64_t base = 0;
    uint64_t ip = 0;
    uint64_t fp = 0;
    enum unwind_end end = UNWIND_NO_RULE;

    if (row->cfa_rule == CFI_CFA_NONE)
        return UNWIND_NO_RULE;
    *is_last = row->return_rule == CFI_UNDEFINED;
    if (*is_last)
        return UNWIND_COMPLETE;
    end = find_cfa(state, row, &base, cfa);
    if (end == UNWIND_COMPLETE)
        end = restore(state, (struct saved){row->return_rule, row->return_offset, rule->return_register},
                      base, *cfa, &ip);
    if (end != UNWIND_COMPLETE)
        return end;
    if (row->has_signed_return_address)
        ip = without_signature(ip);
    /* Only the innermost function may leave the stack as it is; a signal's stack may be anywhere. */
    if (!row->is_signal_frame && (*cfa < state->sp || (*cfa == state->sp && !state->is_innermost)))
        return UNWIND_BAD;
    state->fp_is_known = restore(state, (struct saved){row->frame_rule, row->frame_offset, REGISTERS_FP},
                                 base, *cfa, &fp) == UNWIND_COMPLETE;
    state->fp = fp;
    state->sp = *cfa;
    state->ip = ip;
    state->is_exact = row->is_signal_frame;
    state->is_innermost = false;
    *is_last = ip == 0; /* as code without call frame information marks a thread's start */
    return *is_last || is_user_address(ip) ? UNWIND_COMPLETE : UNWIND_BAD;
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
        .fp_is_known = true,
    };
    bool is_last = false;

    unwinder->frame_count = 0;
    while (unwinder->frame_count < UNWIND_MOST_FRAMES) {
        struct unwind_frame *frame = &unwinder->frames[unwinder->frame_count++];
        uint64_t address = state.is_exact ? state.ip : state.ip - 1;
        const struct unwind_rule *rule = find_rule(unwinder, request, address);
        uint64_t cfa = 0;
        enum unwind_end end = step(&state, rule, &cfa, &is_last);

        *frame = (struct unwind_frame){address, end == UNWIND_COMPLETE ? cfa : 0, rule->place};
        if (end != UNWIND_COMPLETE || is_last)
            return end;
    }
    return UNWIND_DEEP;
}

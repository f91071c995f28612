#include "unwind/step_by_rule.h"

#include "dwarf/cfi_expression.h"

static bool register_value(const struct unwind_walk *walk, uint32_t number, uint64_t *out)
{
    const struct registers *registers = walk->request->registers;

    if (number == REGISTERS_FP && walk->at.fp.kind != REGISTER_UNKNOWN)
        return walk_followed_value(walk, &walk->at.fp, out);
    if (number == REGISTERS_BP && walk->at.bp.kind != REGISTER_UNKNOWN)
        return walk_followed_value(walk, &walk->at.bp, out);
    if (number == REGISTERS_LINK)
        return walk_link_value(walk, out);
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
    const struct unwind_walk *walk = context;

    return walk_read_word(walk, address, out);
}

static enum unwind_end compute(const struct unwind_walk *walk, int32_t offset, const uint64_t *cfa,
                               uint64_t *out)
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

/* Whether a guessed CFA is up the stack and has a return address of this very function below it. */
static bool leads_to_caller(const struct unwind_walk *walk, const struct cfi_row *row, uint64_t cfa)
{
    enum { FARTHEST = 1 << 16 };
    uint64_t ip = 0;

    return walk->request->is_call && row->return_rule == CFI_AT_CFA && cfa > walk->at.sp &&
           cfa - walk->at.sp < FARTHEST && walk_read_word(walk, plus(cfa, row->return_offset), &ip) &&
           walk_is_own_return_address(walk, ip);
}

/*
 * Where the stack pointer is not known but the frame pointer is: functions of AArch64 that store it beside
 * the return address mostly make it point to there (Procedure Call Standard for the Arm 64-bit Architecture,
 * 6.4.6). Elsewhere it may hold anything by then.
 */
static bool find_cfa_by_record(const struct unwind_walk *walk, const struct cfi_row *row, uint64_t *cfa)
{
    uint64_t fp = 0;

    if (!REGISTERS_HAVE_LINK || row->frame_rule != CFI_AT_CFA ||
        !walk_followed_value(walk, &walk->at.fp, &fp))
        return false;
    *cfa = plus(fp, -(int64_t)row->frame_offset);
    return leads_to_caller(walk, row, *cfa);
}

/* What stands in the red zone of a walk's innermost function is taken to be `kept`. */
struct guess {
    const struct unwind_walk *walk;
    uint64_t kept;
};

static bool guess_register(const void *context, uint32_t number, uint64_t *out)
{
    const struct guess *guess = context;

    return register_value(guess->walk, number, out);
}

static bool guess_memory(const void *context, uint64_t address, uint64_t *out)
{
    enum { RED_ZONE_BYTES = 128 }; /* System V x86-64 ABI §3.2.2 */
    const struct guess *guess = context;

    if (walk_read_word(guess->walk, address, out))
        return true;
    *out = guess->kept;
    return address < guess->walk->at.sp && guess->walk->at.sp - address <= RED_ZONE_BYTES;
}

/*
 * Hand-written code (OpenSSL's, and what is made from it) takes a copy of its caller's stack pointer along
 * below its own, in the red zone, which is in no copy of the stack. The one that it made first stands in its
 * frame: the nearest word that leads, up the stack, to a return address of this very function.
 */
static bool find_kept_cfa(const struct unwind_walk *walk, const struct cfi_row *row, uint64_t *cfa)
{
    enum { WORD = sizeof(uint64_t), MOST_BYTES = 8192 };
    struct guess guess = {walk, 0};
    const struct cfi_surroundings surroundings = {guess_register, guess_memory, &guess};
    const uint64_t sp = walk->at.sp;

    if (!walk->at.is_innermost)
        return false;
    for (uint64_t at = sp; at < sp + MOST_BYTES && walk_read_word(walk, at, &guess.kept); at += WORD)
        if (guess.kept > at && guess.kept % WORD == 0 &&
            cfi_expression_run(walk->section, (uint32_t)row->cfa_offset, NULL, &surroundings, cfa) ==
                CFI_VALUE_KNOWN &&
            leads_to_caller(walk, row, *cfa))
            return true;
    return false;
}

static enum unwind_end compute_cfa(const struct unwind_walk *walk, const struct cfi_row *row, uint64_t *cfa)
{
    enum unwind_end end = compute(walk, row->cfa_offset, NULL, cfa);

    return end == UNWIND_UNREADABLE && find_kept_cfa(walk, row, cfa) ? UNWIND_COMPLETE : end;
}

/*
 * Functions that hand-written code calls may leave a register alone that those of compilers may change: what
 * it held when the sample was taken is what it held in their callers.
 */
static bool is_left_alone(const struct unwind_walk *walk, const struct cfi_row *row, uint64_t *base,
                          uint64_t *cfa)
{
    const struct registers *registers = walk->request->registers;

    if (row->cfa_rule != CFI_CFA_REGISTER || row->cfa_register >= REGISTERS_COUNT ||
        !(registers->known >> row->cfa_register & 1))
        return false;
    *base = registers->values[row->cfa_register];
    *cfa = plus(*base, row->cfa_offset);
    return leads_to_caller(walk, row, *cfa);
}

/* The CFA, and in `base` the value of the register that it was made from. */
static enum unwind_end find_cfa(const struct unwind_walk *walk, const struct cfi_row *row, uint64_t *base,
                                uint64_t *cfa)
{
    enum { IN_PLT_ENTRY = 15, PUSHED_BYTES = 8, WORD_BYTES = 8 };
    uint64_t word = 0;

    if (row->cfa_rule == CFI_CFA_PLT) {
        bool has_pushed = (walk->at.ip & IN_PLT_ENTRY) >= row->cfa_register;

        *base = walk->at.sp;
        *cfa = plus(walk->at.sp, row->cfa_offset) + (has_pushed ? PUSHED_BYTES : 0);
        return UNWIND_COMPLETE;
    }
    if (row->cfa_rule == CFI_CFA_EXPRESSION)
        return compute_cfa(walk, row, cfa);
    if (row->cfa_rule != CFI_CFA_REGISTER && row->cfa_rule != CFI_CFA_MEMORY)
        return UNWIND_NO_RULE;
    if (row->cfa_register == REGISTERS_SP && walk->at.sp_is_guess)
        return row->cfa_rule == CFI_CFA_REGISTER && find_cfa_by_record(walk, row, cfa) ? UNWIND_COMPLETE
                                                                                       : UNWIND_NO_RULE;
    if (!register_value(walk, row->cfa_register, base))
        return is_left_alone(walk, row, base, cfa) ? UNWIND_COMPLETE : UNWIND_NO_RULE;
    *cfa = plus(*base, row->cfa_offset);
    if (row->cfa_rule == CFI_CFA_REGISTER)
        return UNWIND_COMPLETE;
    if (!walk_read_word(walk, *cfa, &word))
        return UNWIND_UNREADABLE;
    *cfa = plus(word, row->cfa_words * WORD_BYTES);
    return UNWIND_COMPLETE;
}

/* What one register holds in the caller. */
struct saved {
    uint8_t rule; /* enum cfi_register_rule */
    int32_t offset;
    uint32_t number; /* where it is when the rule is CFI_SAME */
};

static enum unwind_end restore(const struct unwind_walk *walk, struct saved saved, uint64_t base,
                               uint64_t cfa, uint64_t *out)
{
    uint64_t address = 0;
    enum unwind_end end = UNWIND_COMPLETE;

    switch (saved.rule) {
    case CFI_AT_EXPRESSION:
        end = compute(walk, saved.offset, &cfa, &address);
        if (end != UNWIND_COMPLETE)
            return end;
        return walk_read_word(walk, address, out) ? UNWIND_COMPLETE : UNWIND_UNREADABLE;
    case CFI_IS_EXPRESSION:
        return compute(walk, saved.offset, &cfa, out);
    case CFI_AT_CFA:
        return walk_read_word(walk, plus(cfa, saved.offset), out) ? UNWIND_COMPLETE : UNWIND_UNREADABLE;
    case CFI_AT_BASE:
        return walk_read_word(walk, plus(base, saved.offset), out) ? UNWIND_COMPLETE : UNWIND_UNREADABLE;
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

/*
 * A followed register, as it was in the caller. What was stored below the stack pointer has been taken back:
 * of epilogues LLVM tells the CFA alone.
 */
static struct unwind_register restore_followed(const struct unwind_walk *from,
                                               const struct unwind_register *now, struct saved saved,
                                               uint64_t base, uint64_t cfa)
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
    return walk_known_as(end == UNWIND_COMPLETE, value);
}

/*
 * The link register, which holds the return address of a function that was interrupted before it has stored
 * it, or never does. AArch64's signal frames have it behind the frame pointer, which is x29 (struct
 * sigcontext).
 */
static struct unwind_register restore_link(const struct unwind_walk *callee, const struct unwind_rule *rule,
                                           uint64_t base)
{
    const struct cfi_row *row = &rule->row;
    uint64_t value = 0;
    bool is_known = row->is_signal_frame && row->frame_rule == CFI_AT_BASE &&
                    rule->return_register == REGISTERS_LINK &&
                    walk_read_word(callee, plus(base, row->frame_offset + (int64_t)sizeof(value)), &value);

    return walk_known_as(is_known, value);
}

/*
 * Whether a caller's frame may begin there: only what was interrupted may leave the stack as it is. A
 * signal's stack may be anywhere, and so may another one that the walk goes over to, or comes back from to
 * the one that was copied.
 */
static bool is_up_the_stack(const struct unwind_walk *callee, uint64_t cfa)
{
    const struct unwind_request *request = callee->request;
    uint64_t sp = callee->at.sp;

    if (callee->crossed_to != 0 &&
        (cfa == callee->crossed_to || (unwind_is_copied(request, cfa) && !unwind_is_copied(request, sp))))
        return true;
    return cfa > sp || (cfa == sp && callee->at.is_exact);
}

/*
 * The caller's stack pointer. What AArch64's C library binds functions with as they are called first has
 * pushed two words that its rules leave out of the CFA: the return address stands above (c+8 of
 * _dl_runtime_resolve in glibc 2.36), where all that is kept of a frame is below what its caller has.
 */
static uint64_t callers_sp(const struct cfi_row *row, uint64_t cfa)
{
    enum { LEFT_OUT_BYTES = 16 };
    bool is_above =
        row->return_rule == CFI_AT_CFA && row->return_offset >= 0 && row->return_offset < LEFT_OUT_BYTES;

    return is_above ? plus(cfa, row->return_offset) + sizeof(uint64_t) : cfa;
}

enum unwind_end step_by_rule(const struct unwind_walk *callee, const struct unwind_rule *rule,
                             struct unwind_state *state, uint64_t *cfa, bool *is_last)
{
    const struct unwind_request *request = callee->request;
    const struct cfi_row *row = &rule->row;
    uint64_t base = 0;
    uint64_t ip = 0;
    uint64_t sp = 0;
    enum unwind_end end = UNWIND_NO_RULE;

    *is_last = row->return_rule == CFI_UNDEFINED;
    if (*is_last)
        return UNWIND_COMPLETE;
    end = find_cfa(callee, row, &base, cfa);
    if (end != UNWIND_COMPLETE)
        *cfa = 0;
    else
        end = restore(callee, (struct saved){row->return_rule, row->return_offset, rule->return_register},
                      base, *cfa, &ip);
    if (end != UNWIND_COMPLETE)
        return end;
    if (row->has_signed_return_address)
        ip = walk_without_signature(ip);
    sp = row->is_signal_frame ? *cfa : callers_sp(row, *cfa);
    if (sp < *cfa || (!row->is_signal_frame && !is_up_the_stack(callee, *cfa)))
        return UNWIND_BAD;
    state->fp = restore_followed(
        callee, &callee->at.fp, (struct saved){row->frame_rule, row->frame_offset, REGISTERS_FP}, base, *cfa);
    state->bp = restore_followed(callee, &callee->at.bp,
                                 (struct saved){row->base_rule, row->base_offset, REGISTERS_BP}, base, *cfa);
    state->link = restore_link(callee, rule, base);
    *cfa = state->sp = sp;
    state->sp_is_guess = false;
    state->ip = ip;
    state->has_left_copy =
        row->is_signal_frame ? *cfa - request->stack_start >= request->stack.length : state->has_left_copy;
    state->is_exact = row->is_signal_frame;
    state->is_innermost = false;
    if (row->is_signal_frame) /* what comes next depends on where the copy ends */
        repeat_note_other(callee->unwinder->repeats);
    *is_last = ip == 0; /* as code without call frame information marks a thread's start */
    return *is_last || walk_is_user_address(ip) ? UNWIND_COMPLETE : UNWIND_BAD;
}

#include "unwind/unwind.h"

#include <stdlib.h>

#include "base/memory.h"
#include "unwind/repeat.h"
#include "unwind/rule_cache.h"
#include "unwind/step_by_guess.h"
#include "unwind/step_by_rule.h"

_Static_assert(UNWIND_MOST_FRAMES == 16384, "facts/quality.c says so");

void unwinder_init(struct unwinder *unwinder)
{
    *unwinder = (struct unwinder){
        .cache = rule_cache_new(),
        .repeats = unwind_repeats_new(),
        .frames = memory_new(UNWIND_MOST_FRAMES, sizeof(*unwinder->frames)),
    };
}

void unwinder_done(struct unwinder *unwinder)
{
    rule_cache_free(unwinder->cache);
    unwind_repeats_free(unwinder->repeats);
    free(unwinder->frames);
    *unwinder = (struct unwinder){0};
}

static struct code_hints hints_of(const struct unwind_rule *rule)
{
    return (struct code_hints){rule->moved_stack, rule->fp_is_callers, rule->is_made};
}

/*
 * Whether a rule is by the stack pointer or the frame pointer, which inline assembly may move for a while
 * without telling the compiler.
 */
static bool may_be_off(const struct unwind_request *request, const struct unwind_rule *rule)
{
    const struct cfi_row *row = &rule->row;

    return !REGISTERS_HAVE_LINK && request->read_code && !rule->is_inferred && !row->is_signal_frame &&
           row->cfa_rule == CFI_CFA_REGISTER && row->return_rule == CFI_AT_CFA &&
           (row->cfa_register == REGISTERS_SP || row->cfa_register == REGISTERS_FP);
}

/*
 * Whether a step can be right: it is not where it came to no place that a call ends at, nor to what a signal
 * interrupted, or to another function's call. A CFA up the stack that could not be read may be right.
 */
static enum unwind_caller judge(const struct unwind_walk *callee, enum unwind_end end, uint64_t ip,
                                uint64_t cfa)
{
    const struct unwind_request *request = callee->request;
    enum unwind_caller caller = UNWIND_CALLER_POSSIBLE;

    if (end != UNWIND_COMPLETE)
        return end == UNWIND_BAD || (end == UNWIND_UNREADABLE && cfa <= callee->at.sp)
                   ? UNWIND_CALLER_UNLIKELY
                   : UNWIND_CALLER_POSSIBLE;
    if (!walk_is_return_address(callee, ip))
        return UNWIND_CALLER_UNLIKELY;
    if (request->ask_caller)
        caller = request->ask_caller(request->context, ip - 1, walk_place(callee));
    return caller != UNWIND_CALLER_POSSIBLE && walk_find_rule(callee, ip)->row.is_signal_frame
               ? UNWIND_CALLER_POSSIBLE
               : caller;
}

/*
 * The CFA is where the code says. What the function had stored before is where the compiler says; what it had
 * not, the code in between may have stored.
 */
static struct cfi_row with_cfa_of_code(const struct cfi_row *row, const struct cfi_row *of_code)
{
    struct cfi_row result = *of_code;

    if (row->frame_rule != CFI_SAME) {
        result.frame_rule = row->frame_rule;
        result.frame_offset = row->frame_offset;
    }
    if (row->base_rule != CFI_SAME) {
        result.base_rule = row->base_rule;
        result.base_offset = row->base_offset;
    }
    return result;
}

/*
 * Leaves a function whose call frame information, `row`, led to no call. Inline assembly may push, of which
 * compilers know nothing, so that until it pops the stack pointer is further down than they tell. What the
 * code tells counts where it leads to a call of this function. Returns whether it did.
 */
static bool leave_by_code(struct unwind_walk *walk, const struct unwind_walk *callee,
                          const struct cfi_row *row, uint64_t *cfa)
{
    const struct unwind_request *request = callee->request;
    struct unwind_rule rule;
    struct unwind_state state = callee->at;
    uint64_t cfa_of_code = 0;
    bool is_last = false;

    request->read_code(request->context, walk_place(callee), &rule);
    if (rule.row.cfa_rule == CFI_CFA_NONE)
        return false;
    rule.row = with_cfa_of_code(row, &rule.row);
    if (step_by_rule(callee, &rule, &state, &cfa_of_code, &is_last) != UNWIND_COMPLETE ||
        cfa_of_code == *cfa || !walk_is_own_return_address(callee, state.ip))
        return false;
    walk->at = state;
    *cfa = cfa_of_code;
    return true;
}

/*
 * Leaves a function by its rule. One that was read from the code may be mistaken: it counts where it leads to
 * a caller.
 */
static enum unwind_end leave_by_rule(struct unwind_walk *walk, const struct unwind_rule *rule, uint64_t *cfa,
                                     bool *is_last)
{
    const struct unwind_walk callee = *walk;
    const bool is_inferred = rule->is_inferred;
    const struct code_hints hints = hints_of(rule);
    const struct cfi_row row = rule->row;
    const bool is_doubtful = may_be_off(walk->request, rule);
    enum unwind_end end = step_by_rule(&callee, rule, &walk->at, cfa, is_last);
    enum unwind_caller caller = is_doubtful ? judge(&callee, end, walk->at.ip, *cfa) : UNWIND_CALLER_POSSIBLE;

    if (caller != UNWIND_CALLER_POSSIBLE && leave_by_code(walk, &callee, &row, cfa)) {
        *is_last = false;
        return UNWIND_COMPLETE;
    }
    if (caller == UNWIND_CALLER_NOT) {
        walk->at = callee.at;
        return UNWIND_BAD;
    }
    if (!is_inferred || (end == UNWIND_COMPLETE && walk_is_own_return_address(&callee, walk->at.ip)))
        return end;
    walk->at = callee.at;
    *is_last = false;
    return step_by_guess(walk, hints, cfa, is_last);
}

/*
 * Leaves a function whose address was written to the stack by hand, which goes on with its first instruction.
 * It may have a caller; a coroutine's has none: its stack was made with this address on top (makecontext(3)).
 */
static enum unwind_end leave_unentered(struct unwind_walk *walk, const struct unwind_rule *rule,
                                       uint64_t *cfa, bool *is_last)
{
    struct unwind_walk callee;
    enum unwind_end end = UNWIND_NO_RULE;

    walk->at.is_exact = true;
    callee = *walk;
    end = step_by_rule(&callee, rule, &walk->at, cfa, is_last);
    if (end == UNWIND_UNREADABLE ||
        (end == UNWIND_COMPLETE && (*is_last || walk_is_own_return_address(&callee, walk->at.ip))))
        return end;
    *is_last = true;
    return UNWIND_COMPLETE;
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

/*
 * The rule for where the walk is. `*is_unentered`: at the start of a function that nobody called from before
 * it. Nobody called what a signal's handler returns to, either, which has a rule of its own, there or right
 * before.
 */
static const struct unwind_rule *find_own_rule(const struct unwind_walk *walk, bool *is_unentered)
{
    uint64_t ip = walk->at.ip;
    const struct unwind_rule *rule = walk_read_rule(walk, walk->at.is_exact ? ip : ip - 1);

    *is_unentered = false;
    if (walk->at.is_exact || rule->row.is_signal_frame || !walk_is_before_entry(walk, ip - 1))
        return rule;
    rule = walk_read_rule(walk, ip);
    *is_unentered = !rule->row.is_signal_frame;
    return *is_unentered ? rule : walk_read_rule(walk, ip - 1);
}

/* Finds the frame that the walk has come to, and leaves it. */
static enum unwind_end take_step(struct unwind_walk *walk, struct unwind_frame *frame, bool *is_last)
{
    const struct unwind_state before = walk->at;
    bool is_first = false;
    const struct unwind_rule *rule = find_own_rule(walk, &is_first);
    uint64_t address = before.is_exact || is_first ? before.ip : before.ip - 1;
    uint32_t place = rule->place;
    uint64_t cfa = 0;
    enum unwind_end end = UNWIND_NO_RULE;

    walk->unread_cfa = 0;
    /* Nobody called what a handler returns to: its function begins with the return address. */
    if (rule->row.is_signal_frame && !before.is_exact) {
        place = walk_find_rule(walk, before.ip)->place;
        rule = walk_find_rule(walk, address);
    }
    walk->section = rule->section;
    if (is_first)
        end = leave_unentered(walk, rule, &cfa, is_last);
    else if (rule->row.cfa_rule == CFI_CFA_NONE)
        end = step_by_guess(walk, hints_of(rule), &cfa, is_last);
    else
        end = leave_by_rule(walk, rule, &cfa, is_last);
    if (end == UNWIND_UNREADABLE && !is_first && !rule->is_inferred)
        walk->unread_cfa = cfa;
    *frame = (struct unwind_frame){address, end == UNWIND_COMPLETE ? cfa : 0, place};
    repeat_add(walk->unwinder->repeats, &before, frame);
    return end;
}

/*
 * Whether a walk ended for want of the stack that a signal's frame led to. Code without a rule cannot be left
 * without it, either.
 */
static bool lacks_other_stack(const struct unwind_walk *walk, enum unwind_end end)
{
    uint64_t word = 0;

    return walk->at.has_left_copy &&
           (end == UNWIND_UNREADABLE || (end == UNWIND_NO_RULE && !walk_read_word(walk, walk->at.sp, &word)));
}

/* Whether the walk has come to another stack, which its request can have read. */
static bool is_crossing(const struct unwind_walk *walk)
{
    const struct unwind_request *request = walk->request;

    return walk->unread_cfa != 0 && request->may_cross &&
           request->may_cross(request->read_context, walk->unread_cfa);
}

static enum unwind_end walk_up(struct unwind_walk *walk)
{
    struct unwinder *unwinder = walk->unwinder;
    bool is_last = false;

    while (unwinder->frame_count < UNWIND_MOST_FRAMES) {
        enum unwind_end end = take_step(walk, &unwinder->frames[unwinder->frame_count++], &is_last);

        if (is_crossing(walk)) {
            unwinder->crossing = (struct unwind_point){walk->at, unwinder->frame_count - 1, walk->unread_cfa};
            return UNWIND_CROSSING;
        }
        if (lacks_other_stack(walk, end))
            return UNWIND_OTHER_STACK;
        if (end != UNWIND_COMPLETE || is_last)
            return end;
        unwinder->frame_count += repeat_steps(unwinder->repeats, walk->request, &walk->at,
                                              &unwinder->frames[unwinder->frame_count],
                                              UNWIND_MOST_FRAMES - unwinder->frame_count);
    }
    return UNWIND_DEEP;
}

enum unwind_end unwind(struct unwinder *unwinder, const struct unwind_request *request)
{
    const struct registers *registers = request->registers;
    struct unwind_walk walk = {
        .unwinder = unwinder,
        .request = request,
        .at = {.ip = registers->values[REGISTERS_IP],
               .sp = registers->values[REGISTERS_SP],
               .fp = walk_known_as(registers->known >> REGISTERS_FP & 1, registers->values[REGISTERS_FP]),
               .bp = walk_known_as(registers->known >> REGISTERS_BP & 1, registers->values[REGISTERS_BP]),
               .is_innermost = true,
               .is_exact = true},
    };

    fetch_likely_words(unwinder, request);
    repeat_begin(unwinder->repeats, request);
    unwinder->frame_count = 0;
    return walk_up(&walk);
}

enum unwind_end unwind_across(struct unwinder *unwinder, const struct unwind_request *request,
                              const struct unwind_point *point)
{
    struct unwind_walk walk = {
        .unwinder = unwinder, .request = request, .at = point->at, .crossed_to = point->cfa};

    unwinder->frame_count = point->frame_count;
    return walk_up(&walk);
}

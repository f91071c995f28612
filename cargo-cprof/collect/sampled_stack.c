#include "collect/sampled_stack.h"

#include "collect/stack_end.h"
#include "process/machine_code/copied.h"
#include "process/machine_code/return_rule.h"
#include "unwind/walk.h"

/*
 * Where the address is. A file that cannot be read, is another one by now or has no sections is named all the
 * same, its bytes by their offset; `module` is then NULL.
 */
static uint32_t place_of(struct recorder *recorder, uint64_t address, const struct module **module,
                         uint64_t *svma)
{
    struct profile *profile = recorder->profile;
    const struct mapping *mapping = address_space_find(&recorder->space->space, address);
    uint64_t offset = mapping ? address - mapping->start_avma + mapping->file_offset : 0;
    const struct module *found = NULL;

    *module = NULL;
    if (mapping && mapping->module != MODULES_NONE)
        found = modules_open(&recorder->modules, mapping->module);
    if (found && module_svma(found, offset, svma)) {
        *module = found;
        return profile_location(
            profile, sampled_modules_file(&recorder->sampled, profile, mapping->module, found), *svma);
    }
    if (found && found->code.count == 0 && module_is_file(found))
        return profile_location(
            profile, sampled_modules_file(&recorder->sampled, profile, mapping->module, found), offset);
    return profile_location(
        profile, sampled_modules_jit(&recorder->sampled, profile, &recorder->processes, recorder->space->pid),
        address);
}

static bool may_be_code(struct recorder *recorder, uint64_t address)
{
    const struct mapping *mapping = address_space_find(&recorder->space->space, address);

    return mapping &&
           (mapping->module == MODULES_NONE ||
            module_may_have_code(modules_open(&recorder->modules, mapping->module), mapping, address));
}

/* How to leave code that the process made, in no file or in what only looks like one. */
static void find_made(struct recorder *recorder, uint64_t address, struct unwind_rule *out)
{
    const struct mapping *mapping = address_space_find(&recorder->space->space, address);
    const struct cfi_row *row = NULL;

    if (mapping && (mapping->module == MODULES_NONE ||
                    !module_is_file(modules_open(&recorder->modules, mapping->module))))
        row = made_code_rule(&recorder->made_code, recorder->space, mapping, address);
    out->is_made = true;
    if (!row)
        return;
    out->row = *row;
    out->is_inferred = true;
}

/* How to leave the function there of a file: the same wherever the file is mapped. */
static void find_rule(const struct module *module, uint64_t svma, struct unwind_rule *out)
{
    uint32_t return_register = 0;
    const struct cfi_row *row = module_rule(module, svma, &return_register);

    if (!row) {
        struct code_frame_hints hints = module_code_hints(module, svma);

        out->moved_stack = hints.moved_stack;
        out->fp_is_callers = hints.fp_is_callers;
        row = module_code_rule(module, svma, &return_register);
        out->is_inferred = row != NULL;
        out->is_unread = !row && !hints.moved_stack;
    }
    /* No machine has so many: what is cut is as unknown as the whole. */
    out->return_register = return_register < UINT16_MAX ? (uint16_t)return_register : UINT16_MAX;
    if (row) {
        out->row = *row;
        out->section = module_rule_section(module, row);
    }
}

/* An address of the current process: its location, and how to leave the function there. */
static void find_address(void *context, uint64_t address, struct unwind_rule *out)
{
    struct recorder *recorder = context;
    const struct unwind_rule *known = NULL;
    const struct module *module = NULL;
    uint64_t svma = 0;
    uint32_t place = 0;

    copied_code_settle(&recorder->processes, &recorder->modules, recorder->space, address);
    place = place_of(recorder, address, &module, &svma);
    known = module ? known_rules_find(&recorder->rules, place) : NULL;
    *out = known ? *known : (struct unwind_rule){.place = place};
    if (!module)
        find_made(recorder, address, out);
    else if (!known) {
        find_rule(module, svma, out);
        known_rules_add(&recorder->rules, place, out);
    }
    out->is_code = may_be_code(recorder, address);
}

static bool is_before_entry(void *context, uint64_t address)
{
    struct recorder *recorder = context;

    return call_sites_is_before_entry(&recorder->modules, recorder->space, address);
}

/* How to leave the function there by what its code looks like. */
static void read_code(void *context, uint64_t address, struct unwind_rule *out)
{
    struct recorder *recorder = context;
    const struct module *module = NULL;
    const struct cfi_row *row = NULL;
    uint32_t return_register = 0;
    uint64_t svma = 0;

    *out = (struct unwind_rule){.place = place_of(recorder, address, &module, &svma)};
    row = module ? module_code_rule(module, svma, &return_register) : NULL;
    if (row)
        out->row = *row;
}

/* The same where nothing else tells, of a file's code. */
static void read_until_return(void *context, uint64_t address, bool has_called, struct unwind_rule *out)
{
    struct recorder *recorder = context;
    const struct module *module = NULL;
    uint64_t svma = 0;

    place_of(recorder, address, &module, &svma);
    out->keeps_frame = has_called && module && return_rule_keeps_frame(module, svma);
    out->is_unread = out->keeps_frame;
    if (!module)
        return;
    if (!out->is_unread)
        out->is_inferred = return_rule_of_module(module, svma, &out->row);
    known_rules_add(&recorder->rules, out->place, out);
}

/* For words that call frame information tells to be return addresses. */
static enum unwind_caller ask_caller(void *context, uint64_t call, uint64_t callee)
{
    struct recorder *recorder = context;

    switch (call_sites_ask(&recorder->checked, &recorder->modules, recorder->space, call, callee)) {
    case CALL_SITES_ELSEWHERE:
        return UNWIND_CALLER_NOT;
    case CALL_SITES_NO_CALL:
        return UNWIND_CALLER_UNLIKELY;
    default:
        return UNWIND_CALLER_POSSIBLE;
    }
}

/* For words that may be return addresses. */
static bool is_call(void *context, uint64_t call, uint64_t callee)
{
    struct recorder *recorder = context;

    return call_sites_is_call(&recorder->checked, &recorder->modules, recorder->space, call, callee);
}

/* For stacks that are read from memory. */
static bool may_call(void *context, uint64_t call, uint64_t callee)
{
    struct recorder *recorder = context;

    return call_sites_may_call(&recorder->modules, recorder->space, call, callee);
}

/* Of the frames that are known. */
static uint64_t outermost_address(const struct recorder *recorder)
{
    return recorder->unwinder.frames[recorder->unwinder.frame_count - 1].address;
}

static enum stack_end end_of(struct recorder *recorder, const struct outer_result *result,
                             const struct sample_raw *sample)
{
    switch (result->end) {
    case UNWIND_COMPLETE:
        if (result->outcome == OUTER_COMPLETED)
            return STACK_COMPLETED;
        return stack_end_is_by_moved_stack(&recorder->modules, recorder->space, outermost_address(recorder))
                   ? STACK_CUT_BAD
                   : STACK_COMPLETE;
    case UNWIND_OTHER_STACK:
        return STACK_CUT_HANDLER;
    case UNWIND_UNREADABLE:
        /* A copy ends early where the stack does, and at pages that were never touched. */
        if (!sample->stack_is_cut && result->outcome == OUTER_NOT_NEEDED)
            return sample->stack.length > 0 ? STACK_CUT_BAD : STACK_CUT_ABSENT;
        if (recorder->processes.is_past)
            return STACK_CUT_BY_COPY;
        return stack_end_of_outer(result->outcome, recorder->space->pid,
                                  sample->registers.values[REGISTERS_SP] + sample->stack.length);
    case UNWIND_NO_RULE:
        return stack_end_without_rule(&recorder->modules, recorder->space, outermost_address(recorder));
    case UNWIND_DEEP:
        return STACK_CUT_DEEP;
    default:
        return STACK_CUT_BAD;
    }
}

/*
 * A walk that went wrong ends in a word that is no address of code: nobody's call. It may have come there
 * through words that were return addresses earlier on: where the call before one leads to another function
 * than the one below, it is nobody's call, nor is what stands above it.
 */
static void leave_stray_out(struct recorder *recorder, const struct outer_result *result, enum stack_end end)
{
    struct unwinder *unwinder = &recorder->unwinder;
    const struct unwind_frame *frames = unwinder->frames;
    size_t count = 1;

    if (end != STACK_CUT_BAD)
        return;
    if (result->end == UNWIND_NO_RULE && unwinder->frame_count > 1)
        unwinder->frame_count--;
    while (count < unwinder->frame_count &&
           !call_sites_leads_elsewhere(&recorder->checked, &recorder->modules, recorder->space,
                                       frames[count].address, frames[count - 1].address))
        count++;
    unwinder->frame_count = count;
}

/* In the middle of an exec or an exit the program that the registers are of is gone. */
static bool has_user_stack(const struct recorder *recorder, const struct sample_raw *sample)
{
    if (!sample->has_registers)
        return false;
    return !sample->in_kernel ||
           (sample->stack.length > 0 &&
            processes_may_have_code(recorder->space, sample->registers.values[REGISTERS_IP]));
}

/* Where the program was, on top of what is known of its stack. */
static void add_place(struct recorder *recorder, uint64_t address, struct held_sample *held)
{
    struct unwind_rule rule;

    find_address(recorder, address, &rule);
    held->sample.stack = profile_stack(recorder->profile, held->sample.stack, rule.place);
}

/* Which of the program's instructions was interrupted, or asked for what the kernel does. */
static uint64_t own_instruction(struct recorder *recorder, const struct sample_raw *sample, uint64_t ip)
{
    return sample->in_kernel
               ? system_call_before(&recorder->system_calls, &recorder->modules, recorder->space, ip)
               : ip;
}

/*
 * What tells of the heap does so from the library that was put into the program, which is none of its calls.
 * How many of the innermost frames are there.
 */
static size_t count_of_library(const struct recorder *recorder)
{
    const struct profile *profile = recorder->profile;
    const struct unwinder *unwinder = &recorder->unwinder;
    size_t count = 0;

    for (; count < unwinder->frame_count; count++) {
        uint32_t module = profile->locations.items[unwinder->frames[count].place].module;

        if (module == PROFILE_NONE ||
            !heap_library_is(profile_text(profile, profile->modules.items[module].path)))
            break;
    }
    return count;
}

/* The stack of the program's own calls, and how it ended; no stack when nothing is known of them. */
static void add_user_stack(struct recorder *recorder, const struct sampler_event *event,
                           struct held_sample *held)
{
    const struct sample_raw *sample = &event->sample;
    const struct unwinder *unwinder = &recorder->unwinder;
    uint32_t pid = event->pid;
    uint32_t thread = processes_thread(&recorder->processes, event->pid, event->tid)->first_mark;
    struct registers registers = sample->registers;
    struct outer_request request = {
        .walk = {.registers = &registers,
                 .stack_start = sample->registers.values[REGISTERS_SP],
                 .stack = sample->stack,
                 .find = find_address,
                 .is_before_entry = is_before_entry,
                 .read_code = read_code,
                 .read_until_return = read_until_return,
                 .ask_caller = ask_caller,
                 .is_call = is_call,
                 .context = recorder,
                 .thread = thread},
        .may_call = may_call,
        .thread = thread,
        .is_cut = sample->stack.length > 0 && !recorder->processes.is_past,
        .is_of_wait = event->kind_index == recorder->waits_kind,
        .context = &pid,
    };
    struct outer_result result;
    size_t skipped = 0;

    recorder->space = processes_space(&recorder->processes, event->pid);
    if (!has_user_stack(recorder, sample)) {
        if (!sample->in_kernel) /* of a 32-bit program, whose registers are not ours to read */
            add_place(recorder, sample->address, held);
        return;
    }
    registers.values[REGISTERS_IP] = own_instruction(recorder, sample, registers.values[REGISTERS_IP]);
    request.walk.generation = recorder->space->generation;
    result = outer_unwind(&recorder->outer, &request, &recorder->unwinder);
    if (result.outcome != OUTER_NOT_NEEDED)
        patience_note_deep(&recorder->patience, &recorder->outer, thread);
    if (result.outcome != OUTER_NOT_NEEDED && request.is_of_wait)
        patience_note_deep_wait(&recorder->patience, &recorder->outer);
    held->is_doubtful =
        copies_note(&recorder->copies, &recorder->outer, &request, &result, &recorder->unwinder);
    held->end = end_of(recorder, &result, sample);
    leave_stray_out(recorder, &result, held->end);
    held->is_candidate = result.outcome == OUTER_COMPLETED;
    held->candidate = result.candidate;
    held->known_count = (uint32_t)result.known_count;
    skipped = held->block != HEAP_NO_BLOCK ? count_of_library(recorder) : 0;
    held->known_count -= skipped < held->known_count ? (uint32_t)skipped : held->known_count;
    held->sample.stack = stack_prefix_add(&recorder->prefix, recorder->profile, unwinder->frames + skipped,
                                          unwinder->frame_count - skipped);
}

/* Where nothing of ours tells whether a stack is whole. */
static enum stack_end end_of_told(const struct recorder *recorder)
{
    return recorder->stacks == SAMPLER_STACKS_NONE ? STACK_END_COUNT : STACK_UNCHECKED;
}

static bool is_outermost(const struct unwind_rule *rule)
{
    return rule->row.cfa_rule != CFI_CFA_NONE && rule->row.return_rule == CFI_UNDEFINED;
}

/*
 * Who called a function that has not stored its return address, or never does: frame pointers lead past that
 * caller, and the register that calls put it into has it. `rule` is the innermost function's. False where
 * there is none, or the kernel has found it itself.
 */
static bool find_missed_caller(struct recorder *recorder, const struct sample_raw *sample,
                               const struct unwind_rule *rule, struct unwind_rule *out)
{
    uint64_t call = 0;

    if (rule->row.cfa_rule == CFI_CFA_NONE || rule->row.return_rule != CFI_SAME ||
        rule->return_register != REGISTERS_LINK || !registers_link(&sample->registers, &call))
        return false;
    call = walk_without_signature(call) - 1;
    if (sample_user_call_count(sample) > 1 && sample_user_call(sample, 1) == call)
        return false;
    find_address(recorder, call, out);
    return out->is_code;
}

/* Whether the program may have more calls than the kernel could tell. */
static bool has_all_that_fit(const struct recorder *recorder, const struct sample_raw *sample)
{
    size_t count = sample_user_call_count(sample);

    if (sample->later_calls != 0)
        return count >= SAMPLE_MOST_LATER_CALLS;
    return count > 0 && count + sample_kernel_call_count(sample) >= recorder->most_calls;
}

/*
 * How many calls of the program the kernel has found. Some kernels (6.1) tell of threads of theirs that
 * work in a process, as io_uring's do, what registers of a program such threads begin with: one call, at 0.
 */
static size_t told_call_count(struct recorder *recorder, const struct sampler_event *event)
{
    const struct sample_raw *sample = &event->sample;
    size_t count = sample_user_call_count(sample);

    if (count == 1 && sample_user_call(sample, 0) == 0 && sample_kernel_call_count(sample) > 0 &&
        processes_is_kernel_thread(&recorder->processes, event->pid, event->tid))
        return 0;
    return count;
}

/* Of a signal's handler, on a machine with a link register. */
static bool is_signal_frame(const struct unwind_rule *rule)
{
    return rule->row.is_signal_frame && rule->return_register == REGISTERS_LINK;
}

/*
 * Whether the call is told twice. The record that AArch64's kernel puts below a signal's handler has what the
 * link register was: the caller of what was interrupted, which the record of that one's own frame has, too.
 */
static bool is_told_again(struct recorder *recorder, const struct sample_raw *sample, size_t index)
{
    struct unwind_rule rule;
    struct unwind_rule missed;
    uint64_t address = 0;

    if (index < 2 || sample_user_call(sample, index) != sample_user_call(sample, index - 1))
        return false;
    address = sample_user_call(sample, index - 2);
    find_address(recorder, index == 2 ? own_instruction(recorder, sample, address) : address, &rule);
    if (is_signal_frame(&rule))
        return true;
    return index == 2 && find_missed_caller(recorder, sample, &rule, &missed) && is_signal_frame(&missed);
}

/* The program's calls as the kernel has found them, or only where it was. */
static void add_told_stack(struct recorder *recorder, const struct sampler_event *event,
                           struct held_sample *held)
{
    const struct sample_raw *sample = &event->sample;
    size_t count = told_call_count(recorder, event);
    struct unwind_rule rule;
    struct unwind_rule missed;

    /* What tells of its calls was lost, or its thread never left the kernel. */
    held->end = sample->later_calls != 0 && count == 0 ? STACK_NO_USER : end_of_told(recorder);
    recorder->space = processes_space(&recorder->processes, event->pid);
    for (size_t i = count; i > 0; i--) {
        uint64_t address = sample_user_call(sample, i - 1);

        find_address(recorder, i == 1 ? own_instruction(recorder, sample, address) : address, &rule);
        if (i == count && has_all_that_fit(recorder, sample) && !is_outermost(&rule))
            held->end = STACK_CUT_CALLS;
        /* Code that keeps its frame in another way leads to words that are no addresses of code. */
        if (i > 1 && (!rule.is_code || is_told_again(recorder, sample, i - 1)))
            continue;
        if (i == 1 && find_missed_caller(recorder, sample, &rule, &missed))
            held->sample.stack = profile_stack(recorder->profile, held->sample.stack, missed.place);
        held->sample.stack = profile_stack(recorder->profile, held->sample.stack, rule.place);
    }
    if (count == 0 && !sample->in_kernel)
        add_place(recorder, sample->address, held);
}

/* Of a process outside: that it has calls of its own, for which one's they are nobody tells. */
static void add_outside_stack(struct recorder *recorder, const struct sample_raw *sample,
                              struct held_sample *held)
{
    bool is_copied = recorder->stacks == SAMPLER_STACKS_COPIED;

    held->end = is_copied ? STACK_CUT_OUTSIDE : end_of_told(recorder);
    if (sample->has_registers || sample_user_call_count(sample) > 0 || !sample->in_kernel)
        held->sample.stack = profile_stack(recorder->profile, PROFILE_NONE,
                                           outside_location(&recorder->outside, recorder->profile));
}

/*
 * Whether the kernel's calls are the sample's. Counters interrupt late: of some that count outside of the
 * kernel alone the program has entered it by then. What perf recorded is shown as perf shows it.
 */
static bool has_kernel_calls(const struct recorder *recorder, const struct sampler_event *event)
{
    const struct profile *profile = recorder->profile;

    return event->sample.in_kernel &&
           (recorder->processes.is_past ||
            !profile->series.items[recorder->first_series + event->kind_index].is_user_only);
}

void sampled_stack_find(struct recorder *recorder, const struct sampler_event *event,
                        struct held_sample *held)
{
    if (processes_is_outside(&recorder->processes, event->pid))
        add_outside_stack(recorder, &event->sample, held);
    else if (recorder->stacks == SAMPLER_STACKS_COPIED || held->block != HEAP_NO_BLOCK)
        add_user_stack(recorder, event, held);
    else
        add_told_stack(recorder, event, held);
    if (has_kernel_calls(recorder, event))
        held->known_count += (uint32_t)kernel_calls_add_all(&recorder->kernel_calls, recorder->profile,
                                                            &event->sample, &held->sample.stack);
    if (held->end == STACK_NO_USER && sample_kernel_call_count(&event->sample) > 0 &&
        processes_is_kernel_thread(&recorder->processes, event->pid, event->tid))
        held->end = STACK_COMPLETE;
}
